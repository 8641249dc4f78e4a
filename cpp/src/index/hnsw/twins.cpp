// Equal rows of a batch side by side, and links led past them.
#include "index/hnsw/twins.h"

#include <algorithm>
#include <numeric>

namespace scrubjay::index::hnsw {

Twins::Twins(const Links& links, const Vectors& vectors, std::span<const Slot> slots, bool seek)
    : links_(&links), slots_(slots), first_(slots.size()), node_(slots.size(), kNoSlot) {
    std::iota(first_.begin(), first_.end(), 0U);
    if (!seek) {
        return;
    }
    std::vector<std::uint32_t> order = first_;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int rows = vectors.compare_rows(slots[a], slots[b]);
        return rows != 0 ? rows < 0 : a < b;
    });
    for (std::size_t at = 1; at < order.size(); ++at) {
        if (vectors.compare_rows(slots[order[at - 1]], slots[order[at]]) == 0) {
            first_[order[at]] = first_[order[at - 1]];
        }
    }
}

void Twins::settle(std::span<Plan> forward, Plan& plan) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (!leads(i)) {
            const std::size_t first = first_[i];
            node_[i] = node_[first] != kNoSlot ? node_[first] : slots_[first];
        } else if (node_[i] != kNoSlot) {
            by_slot_.push_back({slots_[i], node_[i]});
        }
        if (node_[i] != kNoSlot) {
            plan.copies.push_back({slots_[i], node_[i]});
        }
    }
    if (by_slot_.empty()) {
        return;
    }
    std::sort(by_slot_.begin(), by_slot_.end(),
              [](const Copy& a, const Copy& b) { return a.slot < b.slot; });
    for (Plan& lists : forward) {
        turn_aside(lists);
    }
}

Slot Twins::node_of(Slot member) const noexcept {
    const auto at =
        std::lower_bound(by_slot_.begin(), by_slot_.end(), member,
                         [](const Copy& copy, Slot wanted) { return copy.slot < wanted; });
    return at != by_slot_.end() && at->slot == member ? at->node : kNoSlot;
}

// A node may be there already, or be of too low a level for the list; then the link just goes.
void Twins::turn_aside(Plan& lists) const {
    for (Edit& edit : lists.edits) {
        const auto list = std::span(lists.links).subspan(edit.first, edit.count);
        std::uint32_t kept = 0;
        for (const Slot link : list) {
            const Slot node = node_of(link);
            const Slot to = node == kNoSlot ? link : node;
            const auto end = list.begin() + kept;
            const bool fits = node == kNoSlot || links_->level(to) >= edit.level;
            if (fits && std::find(list.begin(), end, to) == end) {
                list[kept++] = to;
            }
        }
        edit.count = kept;
    }
}

}  // namespace scrubjay::index::hnsw
