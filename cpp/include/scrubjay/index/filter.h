// Which rows a search may return, evaluated inside the search.
//
// A Predicate is what the caller asks for; a Selection is that predicate bound to a table, answering
// one 64-bit word per tile: bit i says whether row 64 * tile + i exists and matches. All conditions
// must hold. A walk over a graph asks for single slots instead.
//
// Thread-safety: a Selection is immutable; it borrows the table and is valid while that is unchanged.
// Cost: word() O(64) per condition, stopping at the first that leaves nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "scrubjay/index/table.h"

namespace scrubjay::index {

struct Predicate {
    std::optional<std::vector<std::uint32_t>> scopes;  // Any of these; empty matches nothing.
    std::optional<std::vector<RowId>> keys;            // Any of these; unknown keys are absent.
    std::uint64_t kinds = ~std::uint64_t{0};           // Bit c set: code c is allowed.
    std::uint64_t categories = ~std::uint64_t{0};
    std::uint64_t states = ~std::uint64_t{0};
    std::uint64_t planes = ~std::uint64_t{0};
    std::uint8_t authority_min = 0;
    std::uint8_t flags_all = 0;   // These bits are all set ...
    std::uint8_t flags_none = 0;  // ... and none of these.
    float quality_min = 0.0F;
    Micros event_from_us = std::numeric_limits<Micros>::min();  // Inclusive.
    std::optional<Micros> event_to_us = std::nullopt;           // Exclusive.
};

class Selection {
  public:
    // REQUIRES finite quality_min.
    Selection(const Table& table, const Predicate& predicate);

    // Whether every live row matches because nothing was asked of it.
    [[nodiscard]] bool all() const noexcept { return all_; }

    // The matching rows of one tile.
    [[nodiscard]] std::uint64_t word(std::size_t tile) const noexcept;

    // Whether the row in one slot exists and matches.
    [[nodiscard]] bool matches(Slot slot) const noexcept;

  private:
    [[nodiscard]] bool has_scope(std::uint32_t scope) const noexcept;

    const Table* table_;
    Predicate predicate_;
    bool by_code_;
    bool by_flag_;
    bool all_;
    std::vector<std::uint64_t> scope_bits_;    // Small ids, one bit each.
    std::vector<std::uint32_t> large_scopes_;  // The others, ascending.
    std::vector<std::uint64_t> key_words_;     // One word per tile, if keys are given.
};

}  // namespace scrubjay::index
