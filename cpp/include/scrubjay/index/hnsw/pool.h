// The best rows a walk has seen, best first, and which of them it has yet to look behind.
//
// A sorted array beats a pair of heaps for the few hundred entries a walk keeps: most rows offered
// are worse than the last one and cost a comparison, the others a binary search and a short move.
// Entries are (similarity descending, slot ascending) packed into one integer, so the order is total
// and a comparison is one instruction.
//
// Invariants
//   1. Ranks descend; done_ says for each whether take() has given it.
//   2. No entry before next_ is left to take.
//
// Thread-safety: a pool belongs to one walk.
// Cost: offer() is O(1) for what does not enter, else O(log capacity) comparisons and at worst
// capacity words moved; take() is O(1) on average.
// Source: the linear pools of NSG (Fu et al., Fast approximate nearest neighbor search with the
// navigating spreading-out graph, VLDB 12, 2019).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "scrubjay/index/key_map.h"

namespace scrubjay::index::hnsw {

class Pool {
  public:
    // Empties the pool and sets how many entries it keeps. REQUIRES capacity >= 1.
    void reset(std::size_t capacity) {
        capacity_ = capacity;
        if (rank_.size() < capacity + 1) {
            rank_.resize(capacity + 1);
            done_.resize(capacity + 1);
        }
        size_ = 0;
        next_ = 0;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }
    [[nodiscard]] Slot slot(std::size_t i) const noexcept { return slot_of(rank_[i]); }
    [[nodiscard]] float similarity(std::size_t i) const noexcept { return value_of(rank_[i]); }

    // Similarity of the last entry kept; REQUIRES size() > 0.
    [[nodiscard]] float worst() const noexcept { return value_of(rank_[size_ - 1]); }

    // REQUIRES a slot that is not in the pool; no NaN.
    void offer(float similarity, Slot slot) noexcept {
        const std::uint64_t rank = rank_of(similarity, slot);
        if (size_ == capacity_ && rank < rank_[size_ - 1]) {
            return;
        }
        std::size_t low = 0;
        for (std::size_t length = size_; length > 0;) {
            const std::size_t half = length / 2;
            if (rank_[low + half] > rank) {
                low += half + 1;
                length -= half + 1;
            } else {
                length = half;
            }
        }
        std::memmove(&rank_[low + 1], &rank_[low], (size_ - low) * sizeof(std::uint64_t));
        std::memmove(&done_[low + 1], &done_[low], size_ - low);
        rank_[low] = rank;
        done_[low] = 0;
        size_ += size_ < capacity_ ? 1U : 0U;
        next_ = low < next_ ? low : next_;
    }

    // The best entry nobody has looked behind, marked as looked behind; kNoSlot when none is left.
    [[nodiscard]] Slot take() noexcept {
        while (next_ < size_ && done_[next_] != 0) {
            ++next_;
        }
        if (next_ == size_) {
            return kNoSlot;
        }
        done_[next_] = 1;
        return slot_of(rank_[next_++]);
    }

    // The entry that take() would give, if nothing better comes; kNoSlot for none.
    [[nodiscard]] Slot upcoming() const noexcept {
        std::size_t i = next_;
        while (i < size_ && done_[i] != 0) {
            ++i;
        }
        return i < size_ ? slot_of(rank_[i]) : kNoSlot;
    }

  private:
    // Floats order as integers once the negative ones are turned round.
    static std::uint64_t rank_of(float similarity, Slot slot) noexcept {
        const auto bits = std::bit_cast<std::uint32_t>(similarity + 0.0F);  // -0 becomes +0.
        const std::uint32_t ordered = (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
        return (std::uint64_t{ordered} << 32U) | (0xFFFFFFFFU - slot);
    }
    static Slot slot_of(std::uint64_t rank) noexcept {
        return 0xFFFFFFFFU - static_cast<std::uint32_t>(rank);
    }
    static float value_of(std::uint64_t rank) noexcept {
        const auto ordered = static_cast<std::uint32_t>(rank >> 32U);
        return std::bit_cast<float>((ordered >> 31U) != 0 ? ordered & 0x7FFFFFFFU : ~ordered);
    }

    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
    std::size_t next_ = 0;
    std::vector<std::uint64_t> rank_;  // Descending.
    std::vector<std::uint8_t> done_;
};

}  // namespace scrubjay::index::hnsw
