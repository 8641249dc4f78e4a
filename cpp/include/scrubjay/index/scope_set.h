// A set of scope numbers, arranged for asking whole tiles.
//
// Up to kFew members are compared one by one. More are folded into a map of bits (see
// kernels/filter.h) with some dozens of bits a member; where the largest member fits into the map the
// answer is exact, else the few rows that pass by a shared bit are looked up.
//
// REQUIRES nothing: any 32-bit numbers, in any order, also repeated. No members contain nothing.
// Cost: building O(n log n); narrow O(64) a tile whose word is not 0; contains O(1), or O(log n) for
// numbers that share a bit. Thread-safety: const calls may run together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scrubjay/kernels/filter.h"

namespace scrubjay::index {

class ScopeSet {
  public:
    ScopeSet() = default;
    explicit ScopeSet(std::span<const std::uint32_t> members);

    [[nodiscard]] bool contains(std::uint32_t scope) const noexcept;

    // Keeps of words[t] the rows whose number in column[64 t ...] is a member.
    void narrow(const kernels::FilterTable& kernels, const std::uint32_t* column, std::size_t tiles,
                std::uint64_t* words) const noexcept;

  private:
    static constexpr std::size_t kFew = 8;

    [[nodiscard]] bool listed(std::uint32_t scope) const noexcept;

    std::vector<std::uint32_t> members_;  // Ascending, distinct.
    std::vector<std::uint32_t> map_;      // Empty for few members.
    std::uint32_t fold_ = 0;
    std::uint32_t most_ = 0;  // Larger numbers are no members.
    bool exact_ = true;
};

}  // namespace scrubjay::index
