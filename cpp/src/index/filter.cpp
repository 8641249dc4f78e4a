// Predicates, one tile at a time.
#include "scrubjay/index/filter.h"

#include <algorithm>

namespace scrubjay::index {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// Scope ids below this get a bit each (128 KiB at most); the store numbers scopes from 1 upwards.
constexpr std::uint32_t kSmallScope = 1U << 20U;

// Keeps the bits of `word` whose row passes. All 64 are looked at without a branch.
template <class Pass>
std::uint64_t narrow(std::uint64_t word, Pass pass) {
    std::uint64_t passed = 0;
    for (unsigned i = 0; i < kTileRows; ++i) {
        passed |= static_cast<std::uint64_t>(pass(i) ? 1U : 0U) << i;
    }
    return word & passed;
}

bool allowed(std::uint64_t mask, std::uint8_t code) {
    return ((mask >> (code % kCodes)) & 1U) != 0;
}

}  // namespace

Selection::Selection(const Table& table, const Predicate& predicate)
    : table_(&table),
      predicate_(predicate),
      by_code_((predicate.kinds & predicate.categories & predicate.states & predicate.planes) !=
               kAll),
      by_flag_(predicate.authority_min != 0 || predicate.flags_all != 0 ||
               predicate.flags_none != 0 || predicate.quality_min > 0.0F),
      all_(!by_code_ && !by_flag_ && !predicate.scopes && !predicate.keys &&
           predicate.event_from_us == std::numeric_limits<Micros>::min() &&
           !predicate.event_to_us) {
    if (predicate.scopes) {
        for (const std::uint32_t scope : *predicate.scopes) {
            if (scope >= kSmallScope) {
                large_scopes_.push_back(scope);
                continue;
            }
            scope_bits_.resize(std::max<std::size_t>(scope_bits_.size(), scope / 64 + 1));
            scope_bits_[scope / 64] |= std::uint64_t{1} << (scope % 64);
        }
        std::sort(large_scopes_.begin(), large_scopes_.end());
    }
    if (predicate.keys) {
        key_words_.resize(table.tiles());
        for (const RowId key : *predicate.keys) {
            const Slot slot = table.find(key);
            if (slot != kNoSlot) {
                key_words_[slot / kTileRows] |= std::uint64_t{1} << (slot % kTileRows);
            }
        }
    }
}

bool Selection::has_scope(std::uint32_t scope) const noexcept {
    if (scope < kSmallScope) {
        return scope / 64 < scope_bits_.size() &&
               ((scope_bits_[scope / 64] >> (scope % 64)) & 1U) != 0;
    }
    return std::binary_search(large_scopes_.begin(), large_scopes_.end(), scope);
}

std::uint64_t Selection::word(std::size_t tile) const noexcept {
    const Columns& rows = table_->columns();
    const std::size_t first = tile * kTileRows;
    std::uint64_t word = table_->occupied()[tile];
    if (predicate_.keys) {
        word &= key_words_[tile];
    }
    if (predicate_.scopes && word != 0) {
        const std::uint32_t* const scope = rows.scope.data() + first;
        word = narrow(word, [&](unsigned i) { return has_scope(scope[i]); });
    }
    const auto narrow_code = [&](std::uint64_t mask, const AlignedArray<std::uint8_t>& column) {
        if (mask != kAll && word != 0) {
            const std::uint8_t* const code = column.data() + first;
            word = narrow(word, [&](unsigned i) { return allowed(mask, code[i]); });
        }
    };
    if (by_code_) {
        narrow_code(predicate_.kinds, rows.kind);
        narrow_code(predicate_.categories, rows.category);
        narrow_code(predicate_.states, rows.state);
        narrow_code(predicate_.planes, rows.plane);
    }
    if (by_flag_ && word != 0) {
        word = narrow(word, [&](unsigned i) {
            const std::size_t s = first + i;
            return rows.authority[s] >= predicate_.authority_min &&
                   (rows.flags[s] & predicate_.flags_all) == predicate_.flags_all &&
                   (rows.flags[s] & predicate_.flags_none) == 0 &&
                   rows.quality[s] >= predicate_.quality_min;
        });
    }
    if (predicate_.event_from_us > std::numeric_limits<Micros>::min() && word != 0) {
        const Micros* const event = rows.event_us.data() + first;
        word = narrow(word, [&](unsigned i) { return event[i] >= predicate_.event_from_us; });
    }
    if (predicate_.event_to_us && word != 0) {
        const Micros* const event = rows.event_us.data() + first;
        word = narrow(word, [&](unsigned i) { return event[i] < *predicate_.event_to_us; });
    }
    return word;
}

bool Selection::matches(Slot slot) const noexcept {
    return ((word(slot / kTileRows) >> (slot % kTileRows)) & 1U) != 0;
}

}  // namespace scrubjay::index
