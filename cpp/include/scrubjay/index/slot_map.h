// From a row's key to its slot: open addressing with linear probing, five bytes a cell.
//
// Keys are not kept here: the key column of the table holds them already, and every call is given
// that column. A cell is a slot and a byte of the key's hash; probing reads the bytes, which lie
// together, and looks at a key only where its byte is right.
//
// Invariants
//   1. At most four of five cells are taken; the byte of an empty cell is 0, of a taken one not.
//   2. Between a key's home cell and the cell it lies in, no cell is empty. Erasing shifts the
//      cells behind it back, so there are no tombstones and lookups never slow down under churn.
//
// Keys are mixed by a fixed bijection, not by a secret: they are numbers the store itself counts up,
// so nobody chooses them to collide. Iteration order is never exposed.
//
// Room for many keys is not touched before they come. REQUIRES in every call: keys[slot] is the key
// that slot was inserted with. Cost: expected O(1). Thread-safety: concurrent const calls are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "scrubjay/base/rng.h"
#include "scrubjay/base/types.h"
#include "scrubjay/index/key_map.h"

namespace scrubjay::index {

class SlotMap {
  public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return cells_ * (sizeof(Slot) + sizeof(std::uint8_t));
    }

    // Whether that many keys fit without more room.
    [[nodiscard]] bool fits(std::size_t keys) const noexcept { return cells_for(keys) <= cells_; }

    // Whether an empty map with room for that many keys would be smaller.
    [[nodiscard]] bool loose_for(std::size_t keys) const noexcept {
        return cells_for(keys) < cells_;
    }

    // Makes an empty map with room for that many keys. Throws std::bad_alloc.
    [[nodiscard]] static SlotMap with_room(std::size_t keys) {
        SlotMap map;
        map.cells_ = cells_for(keys);
        map.marks_ = zeros<std::uint8_t>(map.cells_);
        map.slots_ = zeros<Slot>(map.cells_);
        return map;
    }

    // The slot of key, or kNoSlot.
    [[nodiscard]] Slot find(RowId key, const RowId* keys) const noexcept {
        if (size_ == 0) {
            return kNoSlot;
        }
        const std::uint64_t hash = hash_of(key);
        for (std::size_t at = home(hash); marks_[at] != 0; at = next(at)) {
            if (marks_[at] == mark(hash) && keys[slots_[at]] == key) {
                return slots_[at];
            }
        }
        return kNoSlot;
    }

    // REQUIRES fits(size() + 1), and the key of slot is absent.
    void insert(Slot slot, const RowId* keys) noexcept {
        const std::uint64_t hash = hash_of(keys[slot]);
        std::size_t at = home(hash);
        while (marks_[at] != 0) {
            at = next(at);
        }
        marks_[at] = mark(hash);
        slots_[at] = slot;
        ++size_;
    }

    // Closes the gap behind it. REQUIRES slot is present.
    void erase(Slot slot, const RowId* keys) noexcept {
        std::size_t hole = home(hash_of(keys[slot]));
        while (slots_[hole] != slot || marks_[hole] == 0) {
            hole = next(hole);
        }
        for (std::size_t at = next(hole); marks_[at] != 0; at = next(at)) {
            // A cell may move into the hole if its home does not lie between the two.
            const std::size_t from_home = distance(home(hash_of(keys[slots_[at]])), at);
            if (from_home >= distance(hole, at)) {
                marks_[hole] = marks_[at];
                slots_[hole] = slots_[at];
                hole = at;
            }
        }
        marks_[hole] = 0;
        --size_;
    }

  private:
    struct Free {
        void operator()(void* memory) const noexcept { std::free(memory); }
    };
    template <class T>
    using Room = std::unique_ptr<T[], Free>;

    // Memory that is zero without having been touched, where the system can do that.
    template <class T>
    static Room<T> zeros(std::size_t count) {
        Room<T> room(static_cast<T*>(std::calloc(count, sizeof(T))));
        if (room == nullptr) {
            throw std::bad_alloc();
        }
        return room;
    }

    static constexpr std::size_t kFewestCells = 16;

    // One cell more than the load asks for: a probe for what is absent ends.
    static constexpr std::size_t cells_for(std::size_t keys) noexcept {
        const std::size_t wanted = keys + keys / 4 + 1;
        return wanted > kFewestCells ? wanted : kFewestCells;
    }
    static std::uint64_t hash_of(RowId key) noexcept {
        return mix64(static_cast<std::uint64_t>(key));
    }
    // The low bits, while the high ones choose the home.
    static std::uint8_t mark(std::uint64_t hash) noexcept {
        return static_cast<std::uint8_t>((hash & 0x7FU) | 0x80U);
    }
    // The cell a key would take in an empty map: the upper half of hash * cells, Lemire's way to a
    // number below any bound.
    [[nodiscard]] std::size_t home(std::uint64_t hash) const noexcept {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(hash) * cells_) >> 64U);
    }
    [[nodiscard]] std::size_t next(std::size_t at) const noexcept {
        return at + 1 == cells_ ? 0 : at + 1;
    }
    // Steps from one cell forward to another.
    [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const noexcept {
        return to >= from ? to - from : to + cells_ - from;
    }

    Room<std::uint8_t> marks_;
    Room<Slot> slots_;
    std::size_t cells_ = 0;
    std::size_t size_ = 0;
};

}  // namespace scrubjay::index
