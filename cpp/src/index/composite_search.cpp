// Walks, blocks above the line, and when to stop.
#include "scrubjay/index/composite_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "scrubjay/index/gathered.h"
#include "scrubjay/kernels/top_k.h"

namespace scrubjay::index {
namespace {

using kernels::BestK;
using Block = PriorBlocks::Block;

// The frontier of a walk is read at the end of the first of these parts of its list that leaves few rows
// above the line, or of the last.
constexpr std::array<std::size_t, 4> kTrustedParts{16, 8, 4, 2};

// Costs are counted in sketches read, 2 ns each. A row read at random costs so many, a row read by a
// scan so many, and each row of a walk's list brings so many rows to look at.
constexpr std::size_t kSketchesPerRow = 16;
constexpr std::size_t kSketchesPerScanned = 6;
constexpr std::size_t kSketchesPerWalked = 600;

// For each row of a walk's list, sketches that may be read to do without trust in it.
constexpr std::size_t kSketchesPerDoubt = 100;

// Blocks looked at before the first count of what lies above the line.
constexpr std::size_t kHighest = 16;

constexpr float kLowest = -std::numeric_limits<float>::infinity();

struct Candidate {
    float bound;
    Block block;
};

class Search {
  public:
    Search(const CompositeJob& job, const PreparedQuery& query)
        : job_(&job), scan_(&job.scan), query_(&query), best_(job.scan.k) {
        offered_.reserve(kTileRows);
    }

    // Bounds of all blocks that hold rows.
    void order_blocks() {
        std::vector<float> bounds;
        job_->blocks.bounds(scan_->kernels, scan_->prior, bounds);
        blocks_.reserve(job_->blocks.blocks());
        for (Block block = 0; block < job_->blocks.blocks(); ++block) {
            if (!job_->blocks.rows(block).empty()) {
                blocks_.push_back({bounds[block], block});
            }
        }
    }

    void walk(std::size_t width) {
        const Frontier frontier = job_->neighbours.nearest(*query_, width, scan_->selection, near_);
        result_.width = width;
        result_.walked = std::max(result_.walked, near_.size());
        proved_ = frontier.proved;
        if (proved_) {
            believe(frontier.similarity, 0.0F);
        } else if (near_.size() < width) {
            believe(1.0F, 0.0F);  // A list that is not full tells of no edge.
        } else {
            trust(kTrustedParts.back());
        }
        std::array<Slot, kTileRows> slots;
        for (std::size_t first = 0; first < near_.size(); first += kTileRows) {
            const std::size_t count = std::min(kTileRows, near_.size() - first);
            for (std::size_t i = 0; i < count; ++i) {
                slots[i] = near_[first + i].slot;
            }
            scan_->vectors.cosines_at(*query_, slots.data(), count, cosines_.data());
            offer({slots.data(), count}, cosines_.data());
        }
    }

    // Moves the frontier of a walk towards the head of its list, as long as looking at the rows above the
    // line costs no more than `most`.
    void doubt(std::size_t most) {
        if (proved_ || near_.size() < result_.width) {
            return;
        }
        const float similarity = unseen_similarity_;
        const float cosine = unseen_cosine_;
        for (const std::size_t part : kTrustedParts) {
            trust(part);
            // Where gains differ, a row nearer to the head may have the lower cosine.
            believe(std::max(similarity, unseen_similarity_), std::max(cosine, unseen_cosine_));
            if (left() <= most) {
                return;
            }
        }
    }

    // Looks at the highest blocks, in order, until one lies below the line: brings S_k near its final
    // value.
    void rank_highest() {
        const std::size_t end = std::min(blocks_.size(), next_ + kHighest);
        const auto at = [&](std::size_t i) {
            return blocks_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const auto higher = [](const Candidate& a, const Candidate& b) {
            return a.bound > b.bound || (a.bound == b.bound && a.block < b.block);
        };
        if (end < blocks_.size()) {
            std::nth_element(at(next_), at(end), blocks_.end(), higher);
        }
        std::sort(at(next_), at(end), higher);
        for (; next_ < end && above_line(blocks_[next_]); ++next_) {
            rank_block(blocks_[next_]);
            flush();
        }
    }

    // Looks at all blocks above the line, in any order.
    void rank_rest() {
        for (; next_ < blocks_.size(); ++next_) {
            if (above_line(blocks_[next_])) {
                rank_block(blocks_[next_]);
            } else {
                skipped_ = true;
            }
        }
        flush();
    }

    // Cost of the blocks above the line that have not been looked at.
    [[nodiscard]] std::size_t left() const {
        std::size_t spent = 0;
        for (std::size_t i = next_; i < blocks_.size(); ++i) {
            spent += above_line(blocks_[i]) ? cost(blocks_[i].block) : 0;
        }
        return spent;
    }

    // No unseen row is more similar than the one at the end of this part of the walk's list.
    void trust(std::size_t part) {
        const Neighbour& last = near_[(result_.width - 1) / part];
        const float gain = scan_->table.columns().gain[last.slot];
        const float reach = scan_->vectors.reach(*query_, last.slot);
        believe(std::max(last.similarity, gain * reach),
                std::max({0.0F, last.similarity / gain, reach}));
    }

    // No unseen row is more similar than the larger of `similarity` and its gain times `cosine`.
    void believe(float similarity, float cosine) {
        unseen_similarity_ = similarity;
        unseen_cosine_ = cosine;
    }

    [[nodiscard]] CompositeFound take(bool certified) {
        for (const BestK::Entry& entry : best_.take()) {
            result_.found.slots.push_back(entry.position);
            result_.found.cosines.push_back(scan_->vectors.exact(*query_, entry.position));
        }
        // A row that only its sketch kept out has not been scored.
        result_.certified = certified || proved_ || (!skipped_ && !sketch_);
        result_.bound_met = true;
        return std::move(result_);
    }

    [[nodiscard]] CompositeFound take_scan() {
        result_.found = {};
        scan(*scan_, {query_, 1}, {&result_.found, 1});
        result_.certified = true;
        result_.bound_met = true;
        result_.scanned = true;
        return std::move(result_);
    }

  private:
    // Whether an unseen row of the block could still enter: float arithmetic in the order of the score,
    // so that rounding cannot hide one.
    [[nodiscard]] bool above_line(const Candidate& candidate) const {
        const float unseen =
            std::max(unseen_similarity_, job_->blocks.gain(candidate.block) * unseen_cosine_);
        return scan_->w_relevance * unseen + candidate.bound >= best_.threshold();
    }

    // Notes the rows of a block that could enter with the block's bound, as far as their sketches and
    // the filter tell. They are read together with those of other blocks, so that memory has time.
    void rank_block(const Candidate& candidate) {
        const std::span<const Slot> rows = job_->blocks.rows(candidate.block);
        const float least = needed(candidate);
        result_.ranked += rows.size();
        if (!by_sketch(candidate.block) || least == kLowest) {
            for (const Slot slot : rows) {
                note(slot, least);
            }
            return;
        }
        if (!sketch_) {
            sketch_ = job_->blocks.prepare({query_->unit.data(), scan_->vectors.dim()});
        }
        job_->blocks.sketch_bounds(*sketch_, candidate.block, cosines_.data());
        std::array<std::uint32_t, kTileRows> passed;
        const std::size_t found =
            scan_->selector.at_least(cosines_.data(), rows.size(), least, passed.data());
        for (std::size_t i = 0; i < found; ++i) {
            note(rows[passed[i]], least);
        }
    }

    void note(Slot slot, float least) {
        if (job_->filtered && !scan_->selection.matches(slot)) {
            return;
        }
        scan_->vectors.fetch_row(slot);
        noted_[noted_count_] = slot;
        least_[noted_count_++] = least;
        if (noted_count_ == kTileRows) {
            flush();
        }
    }

    // Reads the rows noted and scores those whose cosine is high enough.
    void flush() {
        if (noted_count_ == 0) {
            return;
        }
        scan_->vectors.cosines_at(*query_, noted_.data(), noted_count_, cosines_.data());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < noted_count_; ++i) {
            noted_[kept] = noted_[i];
            cosines_[kept] = cosines_[i];
            kept += cosines_[i] >= least_[i] ? 1U : 0U;
        }
        noted_count_ = 0;
        if (kept > 0) {
            offer({noted_.data(), kept}, cosines_.data());
        }
    }

    // Sketches prove nothing, so they do not serve an answer that will be certified.
    [[nodiscard]] bool by_sketch(Block block) const {
        return !proved_ && !query_->absent && job_->blocks.sketched(block);
    }

    // What looking at a block costs, in sketches read.
    [[nodiscard]] std::size_t cost(Block block) const {
        const std::size_t rows = job_->blocks.rows(block).size();
        return by_sketch(block) ? rows : rows * kSketchesPerRow;
    }

    // The least cosine with which a row of the block could enter.
    [[nodiscard]] float needed(const Candidate& candidate) const {
        constexpr float kSlack = 1e-6F;
        const float missing = best_.threshold() - candidate.bound;
        const float lowest = (missing - kSlack * (1.0F + std::fabs(best_.threshold()))) /
                             (scan_->w_relevance * job_->blocks.gain(candidate.block));
        return lowest > 0.0F ? lowest : kLowest;
    }

    // Scores rows whose cosines, or upper bounds of them, are known.
    void offer(std::span<const Slot> slots, const float* cosines) {
        const Columns& columns = scan_->table.columns();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            gathered_.put(i, columns, slots[i]);
        }
        scan_->kernels.prior(gathered_.columns(), scan_->prior, slots.size(), prior_.data());
        std::copy_n(cosines, slots.size(), scores_.data());
        scan_->kernels.fuse(gathered_.gain.data(), prior_.data(), scan_->w_relevance, slots.size(),
                            scores_.data());
        std::size_t found = scan_->selector.at_least(scores_.data(), slots.size(),
                                                     best_.threshold(), chosen_.data());
        const bool bounds = scan_->vectors.bounds_only() && !query_->absent;
        if (bounds) {
            std::sort(chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(found),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return scores_[a] > scores_[b] || (scores_[a] == scores_[b] && a < b);
                      });
        }
        for (std::size_t c = 0; c < found; ++c) {
            const std::uint32_t i = chosen_[c];
            if (scores_[i] < best_.threshold() || offered_.find(slots[i]) != kNoSlot) {
                continue;
            }
            offered_.insert(slots[i], 0);
            best_.offer(bounds ? exact_score(slots[i], i) : scores_[i], columns.key[slots[i]],
                        slots[i]);
        }
    }

    [[nodiscard]] float exact_score(Slot slot, std::uint32_t i) const {
        const float cosine = std::clamp(scan_->vectors.exact(*query_, slot), -1.0F, 1.0F);
        return scan_->w_relevance * (gathered_.gain[i] * cosine) + prior_[i];
    }

    const CompositeJob* job_;
    const ScanJob* scan_;
    const PreparedQuery* query_;
    BestK best_;
    KeyMap offered_;  // Slots offered so far: a row is in the heap at most once.
    std::vector<Candidate> blocks_;
    std::size_t next_ = 0;  // So many of them have been looked at, or skipped as below the line.
    bool skipped_ = false;
    std::size_t noted_count_ = 0;
    std::array<Slot, kTileRows> noted_{};
    std::array<float, kTileRows> least_{};
    std::vector<Neighbour> near_;
    float unseen_similarity_ = 1.0F;
    float unseen_cosine_ = 0.0F;
    bool proved_ = false;
    std::optional<SketchQuery> sketch_;
    CompositeFound result_;
    Gathered gathered_;
    alignas(64) std::array<float, kTileRows> cosines_{};
    alignas(64) std::array<float, kTileRows> prior_{};
    alignas(64) std::array<float, kTileRows> scores_{};
    std::array<std::uint32_t, kTileRows> chosen_{};
};

// The more relevance weighs, the more of the answer has to be found by the walk alone.
std::size_t first_width(const CompositeJob& job) {
    const float share = std::clamp(job.scan.w_relevance, 0.0F, 1.0F);
    return job.ef + static_cast<std::size_t>(share * static_cast<float>(job.ef));
}

}  // namespace

CompositeFound composite_search(const CompositeJob& job, const PreparedQuery& query) {
    Search search(job, query);
    search.order_blocks();
    if (query.absent || job.scan.w_relevance == 0.0F) {
        search.believe(0.0F, 0.0F);
        search.rank_highest();
        search.rank_rest();
        return search.take(true);
    }
    const std::size_t scan_cost = job.blocks.size() * kSketchesPerScanned;
    const std::size_t least_width = 2 * job.scan.k;
    if (least_width > job.ef && least_width * kSketchesPerWalked > scan_cost) {
        return search.take_scan();
    }
    for (std::size_t width = std::max(first_width(job), least_width);; width *= 2) {
        search.walk(width);
        search.rank_highest();
        const std::size_t left = search.left();
        const std::size_t wider = 2 * width * kSketchesPerWalked;
        if (left > std::min(wider, scan_cost)) {
            if (wider > scan_cost) {
                return search.take_scan();
            }
            continue;
        }
        search.doubt(width * kSketchesPerDoubt);
        search.rank_rest();
        return search.take(false);
    }
}

}  // namespace scrubjay::index
