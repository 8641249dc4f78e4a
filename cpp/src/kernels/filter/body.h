// The walk over tiles, written once. A set S supplies one condition on one tile of 64 rows as a
// 64-bit word; what it derives from the arguments alone the compiler lifts out of the loop.
#pragma once

#include "kernels/filter/tables.h"
#include "kernels/lanes/inline.h"

namespace scrubjay::kernels::filter {

inline constexpr std::size_t kRows = 64;

// Narrows every word that is not 0 yet.
template <class T, class Pass>
SCRUBJAY_LANE void each_tile(const T* column, std::size_t tiles, std::uint64_t* words, Pass pass) {
    for (std::size_t t = 0; t < tiles; ++t) {
        if (words[t] != 0) {
            words[t] &= pass(column + t * kRows);
        }
    }
}

template <class S>
void codes(const std::uint8_t* column, std::size_t tiles, std::uint64_t allowed,
           std::uint64_t* words) noexcept {
    each_tile(column, tiles, words,
              [&](const std::uint8_t* p) SCRUBJAY_LANE_LAMBDA { return S::codes(p, allowed); });
}

template <class S>
void at_least_u8(const std::uint8_t* column, std::size_t tiles, std::uint8_t least,
                 std::uint64_t* words) noexcept {
    each_tile(column, tiles, words,
              [&](const std::uint8_t* p) SCRUBJAY_LANE_LAMBDA { return S::at_least(p, least); });
}

template <class S>
void at_least_f32(const float* column, std::size_t tiles, float least,
                  std::uint64_t* words) noexcept {
    each_tile(column, tiles, words,
              [&](const float* p) SCRUBJAY_LANE_LAMBDA { return S::at_least(p, least); });
}

template <class S>
void bits(const std::uint8_t* column, std::size_t tiles, std::uint8_t mask, std::uint8_t value,
          std::uint64_t* words) noexcept {
    each_tile(column, tiles, words,
              [&](const std::uint8_t* p) SCRUBJAY_LANE_LAMBDA { return S::bits(p, mask, value); });
}

template <class S>
void window(const Micros* column, std::size_t tiles, Micros from, Micros to,
            std::uint64_t* words) noexcept {
    each_tile(column, tiles, words,
              [&](const Micros* p) SCRUBJAY_LANE_LAMBDA { return S::window(p, from, to); });
}

template <class S>
void among(const std::uint32_t* column, std::size_t tiles, const std::uint32_t* members,
           std::size_t count, std::uint64_t* words) noexcept {
    each_tile(column, tiles, words, [&](const std::uint32_t* p) SCRUBJAY_LANE_LAMBDA {
        std::uint64_t found = 0;
        for (std::size_t m = 0; m < count; ++m) {
            found |= S::equal(p, members[m]);
        }
        return found;
    });
}

template <class S>
void folded(const std::uint32_t* column, std::size_t tiles, const std::uint32_t* map,
            std::uint32_t fold, std::uint32_t most, std::uint64_t* words) noexcept {
    each_tile(column, tiles, words, [&](const std::uint32_t* p) SCRUBJAY_LANE_LAMBDA {
        return S::folded(p, map, fold, most);
    });
}

template <class S>
constexpr FilterTable table_of() {
    return {&codes<S>,  &at_least_u8<S>, &at_least_f32<S>, &bits<S>,
            &window<S>, &among<S>,       &folded<S>};
}

}  // namespace scrubjay::kernels::filter
