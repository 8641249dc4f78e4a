// Tiles, thresholds and the exact second look.
#include "scrubjay/index/scan.h"

#include <algorithm>
#include <array>
#include <bit>

#include "scrubjay/kernels/top_k.h"

namespace scrubjay::index {
namespace {

using kernels::BestK;
using kernels::kTileRows;

// From this many matches on, reading the whole tile front to back is no slower than picking rows.
constexpr int kAlmostWhole = 56;

// Tiles between two questions to a Poll: some tenths of a millisecond for sixteen queries.
constexpr std::size_t kTilesPerPoll = 16;

// The matching rows of one tile: where their columns can be read and which slot each one is.
struct Tile {
    std::size_t count = 0;   // Rows to score; multiples of sixteen are readable.
    std::uint64_t word = 0;  // Which of them match (all, if picked).
    bool picked = false;     // Columns were gathered; else they are the table's own.
    Slot first = 0;          // Of a whole tile.
    std::array<Slot, kTileRows> slots;
    std::array<float, kTileRows> lambda;
    std::array<Micros, kTileRows> last;
    std::array<float, kTileRows> salience;
    std::array<float, kTileRows> log_frequency;
    std::array<float, kTileRows> gain;
    alignas(64) std::array<float, kTileRows> prior;

    [[nodiscard]] Slot slot(std::uint32_t i) const noexcept {
        return picked ? slots[i] : first + i;
    }
};

// Copies the columns of the slots that a picked tile has collected.
void gather(const Columns& rows, Tile& tile) {
    for (std::size_t i = 0; i < tile.count; ++i) {
        const Slot slot = tile.slots[i];
        tile.lambda[i] = rows.lambda_per_s[slot];
        tile.last[i] = rows.last_us[slot];
        tile.salience[i] = rows.salience[slot];
        tile.log_frequency[i] = rows.log_frequency[slot];
        tile.gain[i] = rows.gain[slot];
    }
    tile.word = tile.count == kTileRows ? ~std::uint64_t{0} : (std::uint64_t{1} << tile.count) - 1;
}

// Columns are read a few lines at a time between long stretches of vectors, too thinly for the CPU to
// see a pattern; asking for a tile's lines some tiles early hides their latency.
constexpr std::size_t kTilesAhead = 4;

// Tiles whose words are evaluated together.
constexpr std::size_t kTilesPerBlock = 256;

template <class T>
void fetch(const AlignedArray<T>& column, std::size_t first) {
    constexpr std::size_t kLine = 64;
    const auto* const at = reinterpret_cast<const char*>(column.data() + first);
    for (std::size_t byte = 0; byte < kTileRows * sizeof(T); byte += kLine) {
        __builtin_prefetch(at + byte);
    }
}

void fetch_ahead(const ScanJob& job, std::size_t index) {
    if (index + kTilesAhead < job.table.tiles()) {
        const std::size_t first = (index + kTilesAhead) * kTileRows;
        const Columns& rows = job.table.columns();
        fetch(rows.lambda_per_s, first);
        fetch(rows.last_us, first);
        fetch(rows.salience, first);
        fetch(rows.log_frequency, first);
        fetch(rows.gain, first);
        job.vectors.fetch_bounds(first);
    }
}

// Asks for what gather() and the scoring of a picked row will read.
void fetch_row(const ScanJob& job, Slot slot) {
    const Columns& rows = job.table.columns();
    __builtin_prefetch(rows.lambda_per_s.data() + slot);
    __builtin_prefetch(rows.last_us.data() + slot);
    __builtin_prefetch(rows.salience.data() + slot);
    __builtin_prefetch(rows.log_frequency.data() + slot);
    __builtin_prefetch(rows.gain.data() + slot);
    job.vectors.fetch_row(slot);
}

// The columns of the tile's rows, wherever they lie.
kernels::PriorColumns columns_of(const ScanJob& job, const Tile& tile) {
    if (tile.picked) {
        return {tile.lambda.data(), tile.last.data(), tile.salience.data(),
                tile.log_frequency.data()};
    }
    const Columns& rows = job.table.columns();
    return {rows.lambda_per_s.data() + tile.first, rows.last_us.data() + tile.first,
            rows.salience.data() + tile.first, rows.log_frequency.data() + tile.first};
}

// The score of one row from its exact cosine: the tile kernel on a single lane, hence its bits.
float exact_score(const ScanJob& job, const Tile& tile, std::uint32_t i, float cosine) {
    const float gain = job.table.columns().gain[tile.slot(i)];
    return job.w_relevance * (gain * std::clamp(cosine, -1.0F, 1.0F)) + tile.prior[i];
}

class Pass {
  public:
    Pass(const ScanJob& job, std::span<const PreparedQuery> queries)
        : job_(&job),
          queries_(queries),
          select_(job.selector.at_least),
          best_(queries.size(), BestK(job.k)) {}

    void visit(Tile& tile) {
        job_->kernels.prior(columns_of(*job_, tile), job_->prior, tile.count, tile.prior.data());
        for (std::size_t q = 0; q < queries_.size(); ++q) {
            score(tile, queries_[q]);
            collect(tile, queries_[q], best_[q]);
        }
    }

    std::vector<BestK::Entry> take(std::size_t q) { return best_[q].take(); }

  private:
    void score(const Tile& tile, const PreparedQuery& query) {
        const float* gain = tile.gain.data();
        if (tile.picked) {
            job_->vectors.cosines_at(query, tile.slots.data(), tile.count, scores_.data());
        } else {
            job_->vectors.cosines(query, tile.first, tile.count, scores_.data());
            gain = job_->table.columns().gain.data() + tile.first;
        }
        job_->kernels.fuse(gain, tile.prior.data(), job_->w_relevance, tile.count, scores_.data());
    }

    void collect(const Tile& tile, const PreparedQuery& query, BestK& best) {
        std::size_t found = select_(scores_.data(), tile.count, best.threshold(), chosen_.data());
        if (found == 0) {
            return;
        }
        const auto end =
            std::remove_if(chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(found),
                           [&](std::uint32_t i) { return ((tile.word >> i) & 1U) == 0; });
        found = static_cast<std::size_t>(end - chosen_.begin());
        const bool bounds = job_->vectors.bounds_only() && !query.absent;
        if (bounds) {
            std::sort(chosen_.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
                return scores_[a] > scores_[b] || (scores_[a] == scores_[b] && a < b);
            });
        }
        const AlignedArray<RowId>& key = job_->table.columns().key;
        for (std::size_t c = 0; c < found; ++c) {
            const std::uint32_t i = chosen_[c];
            const Slot slot = tile.slot(i);
            float score = scores_[i];
            if (bounds) {
                if (score < best.threshold()) {
                    return;
                }
                score = exact_score(*job_, tile, i, job_->vectors.exact(query, slot));
            }
            best.offer(score, key[slot], slot);
        }
    }

    const ScanJob* job_;
    std::span<const PreparedQuery> queries_;
    std::size_t (*select_)(const float*, std::size_t, float, std::uint32_t*) noexcept;
    std::vector<BestK> best_;
    alignas(64) std::array<float, kTileRows> scores_;
    std::array<std::uint32_t, kTileRows> chosen_;
};

// Sorts matches into whole tiles and full groups of picked rows. What is picked from many nearly
// empty tiles is scored together, so that a kernel call always has work; the order in which rows are
// offered does not matter to the k best.
class Rows {
  public:
    Rows(const ScanJob& job, std::span<const PreparedQuery> queries)
        : job_(&job), pass_(job, queries) {
        picked_.picked = true;
    }

    void add(std::size_t index, std::uint64_t word) {
        if (std::popcount(word) >= kAlmostWhole) {
            fetch_ahead(*job_, index);
            whole_.first = static_cast<Slot>(index * kTileRows);
            whole_.count = kTileRows;
            whole_.word = word;
            pass_.visit(whole_);
            return;
        }
        const auto first = static_cast<Slot>(index * kTileRows);
        for (; word != 0; word &= word - 1) {
            const Slot slot = first + static_cast<Slot>(std::countr_zero(word));
            fetch_row(*job_, slot);
            picked_.slots[picked_.count++] = slot;
            if (picked_.count == kTileRows) {
                finish();
            }
        }
    }

    // Scores the rows that are still waiting for others.
    void finish() {
        if (picked_.count != 0) {
            gather(job_->table.columns(), picked_);
            pass_.visit(picked_);
            picked_.count = 0;
        }
    }

    Pass& pass() noexcept { return pass_; }

  private:
    const ScanJob* job_;
    Pass pass_;
    // Zeros beyond a picked tile's rows keep the spare lanes finite.
    Tile whole_{};
    Tile picked_{};
};

}  // namespace

std::size_t scan(const ScanJob& job, std::span<const PreparedQuery> queries,
                 std::span<Found> found) {
    Rows rows(job, queries);
    std::array<std::uint64_t, kTilesPerBlock> words;
    std::size_t matched = 0;
    for (std::size_t first = 0; first < job.table.tiles(); first += kTilesPerBlock) {
        const std::size_t count = std::min(kTilesPerBlock, job.table.tiles() - first);
        job.selection.evaluate(first, std::span(words).first(count));
        for (std::size_t t = 0; t < count; ++t) {
            if (t % kTilesPerPoll == 0) {
                job.poll();
            }
            matched += static_cast<std::size_t>(std::popcount(words[t]));
            rows.add(first + t, words[t]);
        }
    }
    rows.finish();
    Pass& pass = rows.pass();
    for (std::size_t q = 0; q < queries.size(); ++q) {
        for (const BestK::Entry& entry : pass.take(q)) {
            found[q].slots.push_back(entry.position);
            found[q].cosines.push_back(job.vectors.exact(queries[q], entry.position));
        }
    }
    return matched;
}

Frontier ExactNeighbours::nearest(const PreparedQuery& query, std::size_t limit,
                                  const Selection& allowed, std::vector<Neighbour>& out) const {
    const Weights similarity_only{1.0F, 0.0F, 0.0F, 0.0F};
    const ScanJob job{*table_,
                      *vectors_,
                      allowed,
                      *kernels_,
                      *selector_,
                      tile_weights(similarity_only, 0, std::nullopt),
                      similarity_only.relevance,
                      limit};
    Found found;
    const std::size_t matched = scan(job, {&query, 1}, {&found, 1});
    out.clear();
    for (std::size_t i = 0; i < found.slots.size(); ++i) {
        const float gain = table_->columns().gain[found.slots[i]];
        out.push_back({found.slots[i], gain * std::clamp(found.cosines[i], -1.0F, 1.0F)});
    }
    // When every match was returned nothing is unseen; -1 is below every similarity.
    return {matched > out.size() ? out.back().similarity : -1.0F, true};
}

}  // namespace scrubjay::index
