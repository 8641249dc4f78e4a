// A batch: forward links row by row, then backward links list by list.
#include "index/hnsw/insert.h"

#include <algorithm>
#include <memory>

#include "index/hnsw/twins.h"
#include "scrubjay/base/rng.h"
#include "scrubjay/index/hnsw/select.h"

namespace scrubjay::index::hnsw {
namespace {

// What one worker uses again and again.
struct Bench {
    explicit Bench(const Vectors& vectors) : chooser(vectors) {}

    Scratch scratch;
    Chooser chooser;
    RowQuery row;
    std::vector<Candidate> candidates;
    std::vector<Slot> slots;
    std::vector<float> similarity;
};

// One link that wants a link back.
struct Back {
    Level level;
    Slot to;
    std::uint32_t member;

    friend bool operator<(const Back& a, const Back& b) noexcept {
        if (a.to != b.to) {
            return a.to < b.to;
        }
        return a.level != b.level ? a.level < b.level : a.member < b.member;
    }
};

class Batch {
  public:
    explicit Batch(const InsertJob& job)
        : job_(&job),
          twins_(job.terrain.links, job.terrain.vectors, job.slots, !job.insist),
          benches_(job.workers.size()),
          forward_(job.slots.size()) {}

    Plan run() {
        job_->workers.run(
            job_->slots.size(),
            [this](std::size_t i, std::size_t worker, const Poll& poll) {
                poll();
                if (twins_.leads(i)) {
                    plan_member(static_cast<std::uint32_t>(i), bench(worker));
                }
            },
            job_->poll);
        Plan plan;
        twins_.settle(forward_, plan);
        collect_back();
        std::vector<Plan> merged(groups_.size());
        job_->workers.run(
            groups_.size(),
            [&](std::size_t g, std::size_t worker, const Poll& /*poll*/) {
                merge(groups_[g], bench(worker), merged[g]);
            },
            job_->poll);
        plan.joined.assign(job_->slots.begin(), job_->slots.end());
        for (const std::vector<Plan>* part : {&forward_, &merged}) {
            for (const Plan& piece : *part) {
                for (const Edit& edit : piece.edits) {
                    plan.write(edit.slot, edit.level, piece.links_of(edit));
                }
            }
        }
        return plan;
    }

  private:
    struct Group {
        std::size_t first;
        std::size_t end;
    };

    Bench& bench(std::size_t worker) {
        if (!benches_[worker]) {
            benches_[worker] = std::make_unique<Bench>(job_->terrain.vectors);
        }
        return *benches_[worker];
    }

    [[nodiscard]] bool is_erased(Slot slot) const noexcept {
        return ((job_->erased[slot / 64] >> (slot % 64)) & 1U) != 0;
    }

    void plan_member(std::uint32_t i, Bench& bench) {
        const Slot self = job_->slots[i];
        const WalkQuery query = job_->terrain.vectors.row_query(self, bench.row);
        for (Level at = job_->terrain.links.level(self) + 1; at-- > 0;) {
            seek(query, at, bench);
            if (const Slot twin = at == 0 ? twin_among(self, query, bench) : kNoSlot;
                twin != kNoSlot) {
                twins_.found(i, twin);
                forward_[i] = {};
                return;
            }
            offer_members(i, query, at, bench);
            gather(self, bench);
            forward_[i].write(self, at,
                              bench.chooser.choose(bench.candidates, job_->options.links));
        }
    }

    // A node like this row that the walk has met.
    [[nodiscard]] Slot twin_among(Slot self, const WalkQuery& query, Bench& bench) const {
        const Vectors& vectors = job_->terrain.vectors;
        const Pool& pool = bench.scratch.pool;
        float itself = 0.0F;
        vectors.similarities(query, &self, 1, &itself);
        for (std::size_t i = 0; !job_->insist && i < pool.size() && pool.similarity(i) >= itself;
             ++i) {
            if (!is_erased(pool.slot(i)) && vectors.compare_rows(pool.slot(i), self) == 0) {
                return pool.slot(i);
            }
        }
        return kNoSlot;
    }

    // Fills the pool with rows near a query that are in the graph.
    void seek(const WalkQuery& query, Level at, Bench& bench) {
        const Terrain& terrain = job_->terrain;
        bench.scratch.pool.reset(job_->options.ef_construction);
        if (terrain.entry.slot != kNoSlot && at <= terrain.entry.level) {
            const Slot from = descend(terrain, query, at);
            walk_through(terrain, query, {&from, 1}, at, bench.scratch);
        }
    }

    // Rows of the batch before this one; those after it will link back.
    void offer_members(std::uint32_t i, const WalkQuery& query, Level at, Bench& bench) {
        bench.slots.clear();
        for (std::uint32_t m = 0; m < i && !job_->insist; ++m) {
            if (twins_.leads(m) && (at == 0 || job_->terrain.links.level(job_->slots[m]) >= at)) {
                bench.slots.push_back(job_->slots[m]);
            }
        }
        bench.similarity.resize(bench.slots.size());
        job_->terrain.vectors.similarities(query, bench.slots.data(), bench.slots.size(),
                                           bench.similarity.data());
        for (std::size_t m = 0; m < bench.slots.size(); ++m) {
            bench.scratch.pool.offer(bench.similarity[m], bench.slots[m]);
        }
    }

    void gather(Slot self, Bench& bench) {
        const Pool& pool = bench.scratch.pool;
        bench.candidates.clear();
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (pool.slot(i) != self && !is_erased(pool.slot(i))) {
                bench.candidates.push_back({pool.similarity(i), pool.slot(i)});
            }
        }
    }

    void collect_back() {
        for (std::uint32_t m = 0; m < forward_.size(); ++m) {
            for (const Edit& edit : forward_[m].edits) {
                for (const Slot to : forward_[m].links_of(edit)) {
                    back_.push_back({edit.level, to, m});
                }
            }
        }
        std::sort(back_.begin(), back_.end());
        for (std::size_t first = 0; first < back_.size();) {
            std::size_t end = first + 1;
            while (end < back_.size() && back_[end].to == back_[first].to &&
                   back_[end].level == back_[first].level) {
                ++end;
            }
            groups_.push_back({first, end});
            first = end;
        }
    }

    // The links a row has before the batch links back to it: its own plan if it is of the batch.
    [[nodiscard]] std::span<const Slot> present_links(Slot slot, Level level) const {
        const auto member = std::lower_bound(
            order_.begin(), order_.end(), slot,
            [this](std::uint32_t m, Slot wanted) { return job_->slots[m] < wanted; });
        if (member != order_.end() && job_->slots[*member] == slot) {
            const Plan& own = forward_[*member];
            return own.links_of(own.edits[own.edits.size() - 1 - level]);
        }
        return job_->terrain.links.links(slot, level);
    }

    void merge(const Group& group, Bench& bench, Plan& out) {
        const Slot self = back_[group.first].to;
        const Level level = back_[group.first].level;
        const std::size_t room = job_->terrain.links.room(level);
        bench.slots.clear();
        for (std::size_t b = group.first; b < group.end; ++b) {
            bench.slots.push_back(job_->slots[back_[b].member]);
        }
        const std::size_t fresh = bench.slots.size();
        for (const Slot link : present_links(self, level)) {
            if (std::find(bench.slots.begin(),
                          bench.slots.begin() + static_cast<std::ptrdiff_t>(fresh),
                          link) == bench.slots.begin() + static_cast<std::ptrdiff_t>(fresh)) {
                bench.slots.push_back(link);
            }
        }
        if (bench.slots.size() <= room) {
            out.write(self, level, bench.slots);
            return;
        }
        bench.similarity.resize(bench.slots.size());
        const WalkQuery query = job_->terrain.vectors.row_query(self, bench.row);
        job_->terrain.vectors.similarities(query, bench.slots.data(), bench.slots.size(),
                                           bench.similarity.data());
        bench.candidates.clear();
        for (std::size_t c = 0; c < bench.slots.size(); ++c) {
            bench.candidates.push_back({bench.similarity[c], bench.slots[c]});
        }
        const std::size_t kept = job_->insist ? std::min(fresh, room / 2) : 0;
        out.write(self, level, bench.chooser.choose(bench.candidates, room, kept));
    }

    const InsertJob* job_;
    Twins twins_;
    std::vector<std::unique_ptr<Bench>> benches_;
    std::vector<Plan> forward_;
    std::vector<std::uint32_t> order_ = by_slot();
    std::vector<Back> back_;
    std::vector<Group> groups_;

    [[nodiscard]] std::vector<std::uint32_t> by_slot() const {
        std::vector<std::uint32_t> order(job_->slots.size());
        for (std::uint32_t m = 0; m < order.size(); ++m) {
            order[m] = m;
        }
        std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return job_->slots[a] < job_->slots[b];
        });
        return order;
    }
};

}  // namespace

Plan plan_rows(const InsertJob& job) { return Batch(job).run(); }

}  // namespace scrubjay::index::hnsw
