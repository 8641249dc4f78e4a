// Filters: which rows of a column pass a condition, one bit a row.
//
//     words[t] keeps bit i only if row 64 t + i passes; a bit that is 0 stays 0
//
//     codes      bit c of `allowed` is set                    u8 codes below 64
//     at_least   c >= least                                   u8, f32
//     bits       (c & mask) == value                          u8
//     window     from <= c < to                               i64
//     among      c is one of `members`                        u32, for few of them
//     folded     c <= most and bit (c mod n) of an n-bit map  u32, for many of them
//
// A map of n bits, n a power of two, in which every member sets the bit of its number mod n, lets all
// members up to `most` pass; with most = n - 1 it lets nothing else pass.
//
// Shapes   column (64 t,), words (t,); one tile of 64 rows is one word.
// Types    as above; words u64.  Units  none, window in us.
// REQUIRES codes below 64; no NaN; map of n / 32 words of 32 bits, n a power of two >= 32.
// ENSURES  exact; the same words on every ISA. The numbers of a tile whose word is already 0 are not
//          read, so conditions applied one after the other pay only for what is left.
// Throws   Error(shape_mismatch | unit_out_of_range), the latter naming the first bad code or NaN.
// Cost     O(n), one pass, no allocation. Thread-safety: pure functions.
// Source   DESIGN section 5; codes by two byte shuffles, in the manner of Mula, "SIMDized check
//          which bytes are in a set" (2018).
// Spec     tests/reference/filter.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

void filter_codes(std::span<const std::uint8_t> column, std::uint64_t allowed,
                  std::span<std::uint64_t> words, Isa isa = active_isa());
void filter_at_least(std::span<const std::uint8_t> column, std::uint8_t least,
                     std::span<std::uint64_t> words, Isa isa = active_isa());
void filter_at_least(std::span<const float> column, float least, std::span<std::uint64_t> words,
                     Isa isa = active_isa());
void filter_bits(std::span<const std::uint8_t> column, std::uint8_t mask, std::uint8_t value,
                 std::span<std::uint64_t> words, Isa isa = active_isa());
void filter_window(std::span<const Micros> column, Micros from, Micros to,
                   std::span<std::uint64_t> words, Isa isa = active_isa());
void filter_among(std::span<const std::uint32_t> column, std::span<const std::uint32_t> members,
                  std::span<std::uint64_t> words, Isa isa = active_isa());
void filter_folded(std::span<const std::uint32_t> column, std::span<const std::uint32_t> map,
                   std::uint32_t most, std::span<std::uint64_t> words, Isa isa = active_isa());

// The loops themselves, for callers whose columns are known to be good (the index). `fold` is the
// number of bits of the map less one.
struct FilterTable {
    void (*codes)(const std::uint8_t* column, std::size_t tiles, std::uint64_t allowed,
                  std::uint64_t* words) noexcept;
    void (*at_least_u8)(const std::uint8_t* column, std::size_t tiles, std::uint8_t least,
                        std::uint64_t* words) noexcept;
    void (*at_least_f32)(const float* column, std::size_t tiles, float least,
                         std::uint64_t* words) noexcept;
    void (*bits)(const std::uint8_t* column, std::size_t tiles, std::uint8_t mask,
                 std::uint8_t value, std::uint64_t* words) noexcept;
    void (*window)(const Micros* column, std::size_t tiles, Micros from, Micros to,
                   std::uint64_t* words) noexcept;
    void (*among)(const std::uint32_t* column, std::size_t tiles, const std::uint32_t* members,
                  std::size_t count, std::uint64_t* words) noexcept;
    void (*folded)(const std::uint32_t* column, std::size_t tiles, const std::uint32_t* map,
                   std::uint32_t fold, std::uint32_t most, std::uint64_t* words) noexcept;
};

[[nodiscard]] const FilterTable& filter_table(Isa isa = active_isa());

}  // namespace scrubjay::kernels
