// Lists of copies, made beside the readers and swapped in.
#include "scrubjay/index/hnsw/copies.h"

#include <iterator>

namespace scrubjay::index::hnsw {

std::size_t Copies::bytes() const noexcept {
    return places_.bytes() + lists_.capacity() * (sizeof(List) + sizeof(std::vector<Slot>)) +
           (nodes_.capacity() + size_) * sizeof(Slot);
}

void Copies::stage(std::vector<Copy> fresh, Growth& growth) {
    if (fresh.empty()) {
        return;
    }
    auto changed = std::make_shared<std::vector<Changed>>(merged(std::move(fresh)));
    const std::size_t most = lists_.size() + changed->size();
    if (!places_.fits(most) || lists_.capacity() < most) {
        growth.replace(*this, with_room(2 * most));
    }
    growth.step([this, changed] {
        for (Changed& one : *changed) {
            put(one);
        }
    });
}

// The lists that those rows change, as they will be.
std::vector<Copies::Changed> Copies::merged(std::vector<Copy> fresh) const {
    std::sort(fresh.begin(), fresh.end());
    std::vector<Changed> changed;
    for (std::size_t first = 0; first < fresh.size();) {
        const Slot node = fresh[first].node;
        const std::span<const Slot> old = of(node);
        auto list = std::make_shared<std::vector<Slot>>(old.begin(), old.end());
        for (; first < fresh.size() && fresh[first].node == node; ++first) {
            list->push_back(fresh[first].slot);
        }
        std::inplace_merge(list->begin(), list->begin() + std::ssize(old), list->end());
        changed.push_back({node, std::move(list)});
    }
    return changed;
}

// Leaves the list that was there in `changed`, whose owner frees it beside the readers.
void Copies::put(Changed& changed) noexcept {
    size_ += changed.list->size();
    const Slot place = places_.find(static_cast<RowId>(changed.node));
    if (place == kNoSlot) {
        places_.insert(static_cast<RowId>(changed.node), static_cast<Slot>(lists_.size()));
        nodes_.push_back(changed.node);
        lists_.push_back(std::move(changed.list));
    } else {
        size_ -= lists_[place]->size();
        lists_[place].swap(changed.list);
    }
}

Copies Copies::with_room(std::size_t lists) const {
    Copies roomy;
    roomy.places_ = places_;
    roomy.places_.reserve(lists);
    roomy.nodes_.reserve(lists);
    roomy.lists_.reserve(lists);
    roomy.nodes_.insert(roomy.nodes_.end(), nodes_.begin(), nodes_.end());
    roomy.lists_.insert(roomy.lists_.end(), lists_.begin(), lists_.end());
    roomy.size_ = size_;
    return roomy;
}

std::vector<Copy> Copies::all() const {
    std::vector<Copy> copies;
    copies.reserve(size_);
    each([&](Slot node, std::span<const Slot> list) {
        for (const Slot slot : list) {
            copies.push_back({slot, node});
        }
    });
    std::sort(copies.begin(), copies.end());
    return copies;
}

Copies Copies::from(std::vector<Copy> copies) {
    Copies made;
    Growth growth;
    made.stage(std::move(copies), growth);
    growth.publish();
    return made;
}

}  // namespace scrubjay::index::hnsw
