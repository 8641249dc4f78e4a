// Every row that links to an erased one gets links to what lay behind it.
#include "index/hnsw/repair.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "scrubjay/index/hnsw/select.h"

namespace scrubjay::index::hnsw {
namespace {

// Rows a worker takes at a time.
constexpr std::size_t kRowsPerChunk = 4096;
constexpr std::size_t kRowsPerPoll = 64;

bool has(const AlignedArray<std::uint64_t>& bits, Slot slot) noexcept {
    return ((bits[slot / 64] >> (slot % 64)) & 1U) != 0;
}

// One worker's tools.
class Mender {
  public:
    explicit Mender(const RepairJob& job) : job_(&job), chooser_(job.terrain.vectors) {}

    void mend(Slot self, Level level, Plan& out) {
        const std::span<const Slot> links = job_->terrain.links.links(self, level);
        const auto gone = [this](Slot slot) { return has(job_->erased, slot); };
        if (std::none_of(links.begin(), links.end(), gone)) {
            return;
        }
        near_.clear();
        std::copy_if(links.begin(), links.end(), std::back_inserter(near_),
                     [&](Slot slot) { return !gone(slot); });
        const std::size_t kept = near_.size();
        for (const Slot link : links) {
            if (gone(link)) {
                look_behind(self, link, level);
            }
        }
        rank(self);
        const std::size_t room = job_->terrain.links.room(level);
        out.write(self, level, chooser_.choose(candidates_, room, kept));
    }

  private:
    void look_behind(Slot self, Slot erased, Level level) {
        for (const Slot slot : job_->terrain.links.links(erased, level)) {
            if (slot != self && !has(job_->erased, slot) &&
                std::find(near_.begin(), near_.end(), slot) == near_.end()) {
                near_.push_back(slot);
            }
        }
    }

    void rank(Slot self) {
        similarity_.resize(near_.size());
        const WalkQuery query = job_->terrain.vectors.row_query(self, row_);
        job_->terrain.vectors.similarities(query, near_.data(), near_.size(), similarity_.data());
        candidates_.clear();
        for (std::size_t i = 0; i < near_.size(); ++i) {
            candidates_.push_back({similarity_[i], near_[i]});
        }
    }

    const RepairJob* job_;
    Chooser chooser_;
    RowQuery row_;
    std::vector<Slot> near_;
    std::vector<float> similarity_;
    std::vector<Candidate> candidates_;
};

}  // namespace

Plan plan_around(const RepairJob& job) {
    const std::size_t slots = job.terrain.links.slots();
    std::vector<Plan> parts((slots + kRowsPerChunk - 1) / kRowsPerChunk);
    std::vector<std::unique_ptr<Mender>> menders(job.workers.size());
    const auto mend_part = [&](std::size_t part, std::size_t worker, const Poll& poll) {
        if (!menders[worker]) {
            menders[worker] = std::make_unique<Mender>(job);
        }
        const std::size_t end = std::min(slots, (part + 1) * kRowsPerChunk);
        for (std::size_t s = part * kRowsPerChunk; s < end; ++s) {
            const auto self = static_cast<Slot>(s);
            if (s % kRowsPerPoll == 0) {
                poll();
            }
            if (!has(job.present, self)) {
                continue;
            }
            if (has(job.erased, self)) {
                parts[part].left.push_back(self);
                continue;
            }
            for (Level level = 0; level <= job.terrain.links.level(self); ++level) {
                menders[worker]->mend(self, level, parts[part]);
            }
        }
    };
    job.workers.run(parts.size(), mend_part, job.poll);
    Plan plan;
    for (const Plan& part : parts) {
        for (const Edit& edit : part.edits) {
            plan.write(edit.slot, edit.level, part.links_of(edit));
        }
        plan.left.insert(plan.left.end(), part.left.begin(), part.left.end());
    }
    for (const Slot left : plan.left) {
        for (Level level = 0; level <= job.terrain.links.level(left); ++level) {
            plan.write(left, level, {});
        }
    }
    return plan;
}

}  // namespace scrubjay::index::hnsw
