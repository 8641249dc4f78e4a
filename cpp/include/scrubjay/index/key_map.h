// From a row's key to its slot: open addressing with linear probing.
//
// Invariants
//   1. The number of cells is a power of two, and at most half of them are taken.
//   2. Between a key's home cell and the cell it lies in, no cell is empty. Erasing shifts the
//      cells behind it back, so there are no tombstones and lookups never slow down under churn.
//
// Keys are mixed by a fixed bijection, not by a secret: they are numbers the store itself counts up,
// so nobody chooses them to collide. Any 64-bit key is allowed; emptiness is a slot value, not a key.
//
// Iteration order is never exposed; nothing that reaches a result may depend on it.
// Cost: expected O(1). Thread-safety: concurrent const calls are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scrubjay/base/rng.h"
#include "scrubjay/base/types.h"

namespace scrubjay::index {

// Where a row lives; 2^32 - 1 is no place.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = UINT32_MAX;

class KeyMap {
  public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return cells_.capacity() * sizeof(Cell); }

    // The slot of key, or kNoSlot.
    [[nodiscard]] Slot find(RowId key) const noexcept {
        if (cells_.empty()) {
            return kNoSlot;
        }
        for (std::size_t at = home(key); cells_[at].slot != kNoSlot; at = next(at)) {
            if (cells_[at].key == key) {
                return cells_[at].slot;
            }
        }
        return kNoSlot;
    }

    // Whether inserting up to that many keys in all takes no memory.
    [[nodiscard]] bool fits(std::size_t keys) const noexcept { return cells_.size() >= 2 * keys; }

    // REQUIRES key is absent and slot is not kNoSlot.
    void insert(RowId key, Slot slot) {
        reserve(size_ + 1);
        place({key, slot});
        ++size_;
    }

    // Closes the gap behind it. REQUIRES key is present.
    void erase(RowId key) noexcept {
        std::size_t hole = home(key);
        while (cells_[hole].key != key || cells_[hole].slot == kNoSlot) {
            hole = next(hole);
        }
        for (std::size_t at = next(hole); cells_[at].slot != kNoSlot; at = next(at)) {
            // A cell may move into the hole if its home does not lie between the two.
            const std::size_t from_home = (at - home(cells_[at].key)) & mask();
            if (from_home >= ((at - hole) & mask())) {
                cells_[hole] = cells_[at];
                hole = at;
            }
        }
        cells_[hole].slot = kNoSlot;
        --size_;
    }

    // Cells for that many keys, so that inserting them cannot fail; never shrinks.
    void reserve(std::size_t keys) {
        std::size_t wanted = cells_.empty() ? kFewestCells : cells_.size();
        while (wanted < 2 * keys) {
            wanted *= 2;
        }
        if (wanted == cells_.size()) {
            return;
        }
        std::vector<Cell> old(wanted, Cell{0, kNoSlot});
        old.swap(cells_);
        for (const Cell& cell : old) {
            if (cell.slot != kNoSlot) {
                place(cell);
            }
        }
    }

  private:
    // Empty exactly where slot is kNoSlot; the key of an empty cell means nothing.
    struct Cell {
        RowId key;
        Slot slot;
    };
    static constexpr std::size_t kFewestCells = 16;

    [[nodiscard]] std::size_t mask() const noexcept { return cells_.size() - 1; }
    // The cell a key would take in an empty map.
    [[nodiscard]] std::size_t home(RowId key) const noexcept {
        return static_cast<std::size_t>(mix64(static_cast<std::uint64_t>(key))) & mask();
    }
    [[nodiscard]] std::size_t next(std::size_t at) const noexcept { return (at + 1) & mask(); }

    // Into the first empty cell from home on; there always is one, by the first invariant.
    void place(Cell cell) noexcept {
        std::size_t at = home(cell.key);
        while (cells_[at].slot != kNoSlot) {
            at = next(at);
        }
        cells_[at] = cell;
    }

    std::vector<Cell> cells_;
    std::size_t size_ = 0;
};

}  // namespace scrubjay::index
