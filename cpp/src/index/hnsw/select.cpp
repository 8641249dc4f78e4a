// The choice among candidates.
#include "scrubjay/index/hnsw/select.h"

#include <algorithm>
#include <array>

namespace scrubjay::index::hnsw {
namespace {

// Chosen rows compared at once; most candidates fall within the first group.
constexpr std::size_t kGroup = 8;

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

std::span<const Slot> Chooser::choose(std::span<Candidate> candidates, std::size_t room,
                                      std::size_t kept) {
    chosen_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
        chosen_.push_back(candidates[i].slot);
    }
    candidates = candidates.subspan(kept);
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.similarity != b.similarity ? a.similarity > b.similarity : a.slot < b.slot;
    });
    for (const Candidate& candidate : candidates) {
        if (chosen_.size() == room) {
            break;
        }
        if (!in_shadow(candidate)) {
            chosen_.push_back(candidate.slot);
        }
    }
    return chosen_;
}

}  // namespace scrubjay::index::hnsw
