// Rows that are the same to a walk as a node of the graph, and follow it.
//
// Of rows whose small vectors are equal bit by bit, one is a node with links; the others are its
// copies and have none. A walk meets the node, and whoever reads its result takes the copies along.
// Without that, more copies than a walk keeps would fill its list and hide all that lies behind them.
//
// Lists of copies are replaced as a whole, so that a reader sees one or the other; a list costs a
// copy of itself for every batch that adds to it, next to the walks of the batch not much.
//
// Invariants
//   1. Every copy follows one node, and no node follows another.
//   2. Lists ascend and are not empty.
//
// Thread-safety: const calls may run together; anything else needs the owner's lock, or goes through
// Growth. Cost: of() is O(1) expected, and a comparison where no row has copies.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "scrubjay/index/growth.h"
#include "scrubjay/index/key_map.h"

namespace scrubjay::index::hnsw {

struct Copy {
    Slot slot;
    Slot node;

    friend bool operator<(const Copy& a, const Copy& b) noexcept {
        return a.node != b.node ? a.node < b.node : a.slot < b.slot;
    }
};

class Copies {
  public:
    [[nodiscard]] std::size_t bytes() const noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    // The copies of a node, ascending.
    [[nodiscard]] std::span<const Slot> of(Slot node) const noexcept {
        if (size_ == 0) {
            return {};
        }
        const Slot place = places_.find(static_cast<RowId>(node));
        return place == kNoSlot ? std::span<const Slot>() : *lists_[place];
    }

    // Calls visit(node, copies) for each node that has some, in no order.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            visit(nodes_[i], std::span<const Slot>(*lists_[i]));
        }
    }

    // Stages lists with those rows added, see Growth. REQUIRES rows that are no copies yet.
    // Throws std::bad_alloc; nothing has changed.
    void stage(std::vector<Copy> fresh, Growth& growth);

    // All copies in their order, of which some may be left out or changed for from().
    [[nodiscard]] std::vector<Copy> all() const;
    [[nodiscard]] static Copies from(std::vector<Copy> copies);

  private:
    using List = std::shared_ptr<const std::vector<Slot>>;
    struct Changed {
        Slot node;
        List list;
    };

    [[nodiscard]] std::vector<Changed> merged(std::vector<Copy> fresh) const;
    void put(Changed& changed) noexcept;
    [[nodiscard]] Copies with_room(std::size_t lists) const;

    KeyMap places_;  // From a node to the place of its list.
    std::vector<Slot> nodes_;
    std::vector<List> lists_;
    std::size_t size_ = 0;
};

}  // namespace scrubjay::index::hnsw
