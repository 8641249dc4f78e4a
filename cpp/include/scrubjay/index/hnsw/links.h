// The links of a navigable graph: who is a neighbour of whom, on which level.
//
// Every slot has a level, a pure function of the seed and the slot: P(level >= l) = width^-l, where
// width is the number of links per upper level. A slot that is used again therefore keeps its level
// and its lists, and memory does not grow under churn. Levels are drawn by whole numbers alone, since no
// two libraries' logarithms agree to the last bit and a file of lists outlives both. Level 0 holds 2 * width links a slot in whole
// cache lines; a slot of level L has L further lists of `width` links. Lists are filled from the
// front and end at the first kNoSlot.
//
// Invariants
//   1. Every link is below slots(), differs from the slot whose list it stands in, and stands there
//      once; a link on level l leads to a slot of at least that level.
//   2. Lists of slots that are not in the graph are empty, and so are those of copies, but for the
//      node they follow; no link leads to a copy.
//
// Thread-safety: const calls may run together; anything else needs the owner's lock.
// Cost: list() is O(1); an upper list costs a popcount and a draw for each of the (two, on average)
// upper slots before it in its tile.
// Source: Malkov and Yashunin, Efficient and robust approximate nearest neighbor search using
// hierarchical navigable small world graphs, IEEE TPAMI 42, 2020.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/aligned.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/key_map.h"

namespace scrubjay::index::hnsw {

using Level = std::uint32_t;

// Levels beyond this would need more than width^12 rows.
inline constexpr Level kTopLevel = 12;

class Links {
  public:
    // REQUIRES 2 <= width <= 128.
    Links(std::uint32_t width, std::uint64_t seed) noexcept;

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::size_t slots() const noexcept { return slots_; }
    [[nodiscard]] std::size_t bytes() const noexcept;

    // Room for lists of that many slots, all empty; fewer than before is no change.
    void grow(std::size_t slots);

    // The same beside readers, memory first and then the lists; see Growth.
    void stage_room(std::size_t slots, Growth& growth);
    void stage_slots(std::size_t slots, Growth& growth);
    void stage_shrink(Growth& growth);  // Gives back spare capacity.

    // Slots come by the tile.
    [[nodiscard]] static std::size_t whole_tiles(std::size_t slots) noexcept {
        return (slots + 63) / 64 * 64;
    }

    [[nodiscard]] Level level(Slot slot) const noexcept;

    // Links a list of this level can hold.
    [[nodiscard]] std::uint32_t room(Level level) const noexcept {
        return level == 0 ? 2 * width_ : width_;
    }

    // The whole list, room(level) entries. REQUIRES slot < slots(), level <= level(slot).
    [[nodiscard]] const Slot* list(Slot slot, Level level) const noexcept {
        return level == 0 ? base_.data() + std::size_t{slot} * stride_ : upper(slot, level);
    }

    // The links of a list without the empty places.
    [[nodiscard]] std::span<const Slot> links(Slot slot, Level level) const noexcept;

    // The node that a slot follows as its copy, or kNoSlot; see copies.h. It stands behind the end of
    // the empty base list of the copy.
    [[nodiscard]] Slot followed(Slot slot) const noexcept {
        const Slot* const base = list(slot, 0);
        return base[0] == kNoSlot ? base[1] : kNoSlot;
    }

    // Makes a slot a copy of a node. REQUIRES its lists are empty, and node follows nobody.
    void follow(Slot slot, Slot node) noexcept { base_[std::size_t{slot} * stride_ + 1] = node; }

    // Replaces a list. REQUIRES links.size() <= room(level), and invariant 1.
    void assign(Slot slot, Level level, std::span<const Slot> links) noexcept;

    // Asks for the lines of a slot's base list.
    void fetch(Slot slot) const noexcept;

    // Calls visit(name, array) for each array that a snapshot keeps; see index/archive.h.
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        visit("links.base", self.base_);
        visit("links.upper", self.upper_);
    }

    // Checks lists that were read for that many slots, of which `members` (one bit a slot) are in the
    // graph, and recomputes what follows from them: afterwards both invariants hold and every link
    // leads to a member. Reads each list once. Throws Error(corruption), naming the list, and what
    // poll throws; the lists are then of no use. REQUIRES whole tiles.
    void restore(const std::string& where, std::size_t slots,
                 std::span<const std::uint64_t> members, const Poll& poll);

    // Base places per slot, whole cache lines.
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

  private:
    struct UpperTile {
        std::uint64_t mask = 0;   // Slots of level 1 or more among the 64 of the tile.
        std::uint32_t first = 0;  // Their first list.
    };

    [[nodiscard]] const Slot* upper(Slot slot, Level level) const noexcept;
    // The tiles from first on, and how many lists there are with them.
    [[nodiscard]] std::size_t index_tiles(std::size_t first, std::size_t slots, std::size_t lists,
                                          UpperTile* out) const noexcept;
    void refuse_link_to_copy(const std::string& where, Slot slot) const;
    void refuse_bad_list(const std::string& where, Slot slot, Level level,
                         std::span<const std::uint64_t> members) const;

    std::uint32_t width_;
    std::uint64_t seed_;
    std::array<std::uint64_t, kTopLevel>
        reach_;  // [l]: a draw of at most that reaches level l + 1.
    std::size_t stride_;
    std::size_t slots_ = 0;
    std::size_t lists_ = 0;
    AlignedArray<UpperTile> tiles_;
    AlignedArray<Slot> base_;
    AlignedArray<Slot> upper_;
};

}  // namespace scrubjay::index::hnsw
