// The choice among candidates.
#include "scrubjay/index/hnsw/select.h"

#include <algorithm>
#include <array>

#include "scrubjay/base/rng.h"

namespace scrubjay::index::hnsw {
namespace {

// Chosen rows compared at once; most candidates fall within the first group.
constexpr std::size_t kGroup = 8;

// The share of a list that copies of the row may take.
constexpr std::size_t kCopiesPerList = 2;

// Copies of the row order by a draw of both slots, other equals by slot.
void order(Slot self, float itself, std::span<Candidate> candidates) {
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        if (a.similarity != b.similarity) {
            return a.similarity > b.similarity;
        }
        const std::uint64_t draw_a = a.similarity < itself ? 0 : draw(self, a.slot);
        const std::uint64_t draw_b = a.similarity < itself ? 0 : draw(self, b.slot);
        return draw_a != draw_b ? draw_a < draw_b : a.slot < b.slot;
    });
}

}  // namespace

bool Chooser::in_shadow(const Candidate& candidate) {
    const WalkQuery query = vectors_->row_query(candidate.slot, row_);
    std::array<float, kGroup> similarity;
    for (std::size_t first = 0; first < chosen_.size(); first += kGroup) {
        const std::size_t count = std::min(kGroup, chosen_.size() - first);
        vectors_->similarities(query, chosen_.data() + first, count, similarity.data());
        for (std::size_t i = 0; i < count; ++i) {
            if (similarity[i] > candidate.similarity) {
                return true;
            }
        }
    }
    return false;
}

std::span<const Slot> Chooser::choose(Slot self, std::span<Candidate> candidates, std::size_t room,
                                      std::size_t kept) {
    chosen_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
        chosen_.push_back(candidates[i].slot);
    }
    candidates = candidates.subspan(kept);
    float itself = 0.0F;
    vectors_->similarities(vectors_->row_query(self, row_), &self, 1, &itself);
    order(self, itself, candidates);
    std::size_t copies = 0;
    for (const Candidate& candidate : candidates) {
        if (chosen_.size() == room) {
            break;
        }
        if (candidate.similarity >= itself && ++copies > room / kCopiesPerList) {
            continue;
        }
        if (!in_shadow(candidate)) {
            chosen_.push_back(candidate.slot);
        }
    }
    return chosen_;
}

}  // namespace scrubjay::index::hnsw
