// Dot product, cosine and squared distance of vectors kept as f32, f16 or i8 codes.
//
//     dot(a, b)    = sum over i of a[i] * b[i]
//     cosine(a, b) = dot(a, b) / (|a| |b|),  0 where either vector is zero,  clamped to [-1, 1]
//     squared_distance(a, b) = sum over i of (a[i] - b[i])^2,  f32 alone
//
// The order of the float reduction is part of the contract, so that every instruction set gives the
// same bits. Element i belongs to lane i mod 16. A lane starts at +0 and adds its rounded products
// in ascending i (one rounding for the product, one for the sum, before them one for a difference;
// never fused). The vector counts as
// padded with zeros to a multiple of 16, which changes no bit. The sixteen lanes l then fold as
//
//     l[i] += l[i + 8] (i < 8);   l[i] += l[i + 4] (i < 4);   l[i] += l[i + 2] (i < 2);   l[0] + l[1]
//
// Fused multiply-add is left out on purpose: it gains 25-35 % where both vectors sit in the first
// cache and nothing where rows come from memory (111 ns a row of 256 either way, fetched at random),
// and without it the scalar form is thirty times faster (22 ns a row instead of 764).
//
// Error bound of the computed dot against the real one, u = 2^-24:
//     |computed - real| <= (dim / 16 + 6) u (1 + tiny) * sum |a[i] b[i]|
// and of a squared distance (dim / 16 + 8) u (1 + tiny) times itself: nothing cancels, unlike in
// |a|^2 - 2 a.b + |b|^2.
//
// Integer dots (i8 codes against an i16 query) are exact, so their order does not matter.
//
// Shapes   a (dim,), b (dim,); rows (count, dim), query (dim,), result (count,).
// Types    rows f32, f16 (Half) or i8; the query f32, or i16 for i8 rows; result f32 or i64.
// Units    none.
// REQUIRES equal lengths; finite values. A NaN or infinity in either argument, and a sum that leaves
//          the range of float, is refused.
// ENSURES  the same bits on every instruction set; dot(a, b) == dot(b, a).
// Throws   Error(shape_mismatch | unit_out_of_range), naming the first bad index.
// Cost     O(count * dim), one pass over rows, no allocation besides the caller's result.
// Thread-safety: pure functions.
// Source   Higham, Accuracy and Stability of Numerical Algorithms, chapter 3, for the error bound.
// Spec     tests/reference/distance.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

[[nodiscard]] float dot(std::span<const float> a, std::span<const float> b, Isa isa = active_isa());
[[nodiscard]] float dot(std::span<const Half> a, std::span<const float> b, Isa isa = active_isa());
[[nodiscard]] std::int64_t dot(std::span<const std::int8_t> a, std::span<const std::int16_t> b,
                               Isa isa = active_isa());

[[nodiscard]] float cosine(std::span<const float> a, std::span<const float> b,
                           Isa isa = active_isa());

// One query against a row-major matrix: out[r] = dot(rows[r], query), or their cosine.
void dot_rows(std::span<const float> rows, std::span<const float> query, std::span<float> out,
              Isa isa = active_isa());
void dot_rows(std::span<const Half> rows, std::span<const float> query, std::span<float> out,
              Isa isa = active_isa());
void dot_rows(std::span<const std::int8_t> rows, std::span<const std::int16_t> query,
              std::span<std::int64_t> out, Isa isa = active_isa());
void cosine_rows(std::span<const float> rows, std::span<const float> query, std::span<float> out,
                 Isa isa = active_isa());
void squared_distance_rows(std::span<const float> rows, std::span<const float> query,
                           std::span<float> out, Isa isa = active_isa());

// Throws Error(unit_out_of_range) naming the first NaN or infinity of `arg`.
void require_finite(const char* fn, const char* arg, std::span<const float> values);
void require_finite(const char* fn, const char* arg, std::span<const Half> values);

// The loops themselves, for callers that own their memory and have validated it (the index).
//
// A row is `stride` elements after the one before it; `dim` elements of each are used. The scans
// fetch ahead of themselves, also past the last row, which touches no memory that matters. The
// `at` forms visit rows[slots[i] * stride] and fetch the following ones while they compute.
//
// REQUIRES for the i8 scans: sum |row[i] query[i]| < 2^31, see query_amplitude in quantise.h.
struct DistanceTable {
    float (*dot_f32)(const float* a, const float* b, std::size_t dim) noexcept;
    float (*dot_f16)(const Half* a, const float* b, std::size_t dim) noexcept;
    std::int64_t (*dot_i8)(const std::int8_t* a, const std::int16_t* b, std::size_t dim) noexcept;

    void (*scan_f32)(const float* query, const float* rows, std::size_t stride, std::size_t dim,
                     std::size_t count, float* out) noexcept;
    void (*scan_f16)(const float* query, const Half* rows, std::size_t stride, std::size_t dim,
                     std::size_t count, float* out) noexcept;
    void (*scan_i8)(const std::int16_t* query, const std::int8_t* rows, std::size_t stride,
                    std::size_t dim, std::size_t count, std::int32_t* out) noexcept;

    void (*at_f32)(const float* query, const float* rows, std::size_t stride, std::size_t dim,
                   const std::uint32_t* slots, std::size_t count, float* out) noexcept;
    void (*at_f16)(const float* query, const Half* rows, std::size_t stride, std::size_t dim,
                   const std::uint32_t* slots, std::size_t count, float* out) noexcept;
    void (*at_i8)(const std::int16_t* query, const std::int8_t* rows, std::size_t stride,
                  std::size_t dim, const std::uint32_t* slots, std::size_t count,
                  std::int32_t* out) noexcept;

    // Squared distances, in the three forms of the dots.
    float (*square_f32)(const float* a, const float* b, std::size_t dim) noexcept;
    void (*scan_square_f32)(const float* query, const float* rows, std::size_t stride,
                            std::size_t dim, std::size_t count, float* out) noexcept;
    void (*at_square_f32)(const float* query, const float* rows, std::size_t stride,
                          std::size_t dim, const std::uint32_t* slots, std::size_t count,
                          float* out) noexcept;

    // Sum of all 64-bit words of `bytes` (a multiple of 64) at `data`: reads memory as the scans do
    // and computes next to nothing, the yardstick of their bandwidth.
    std::uint64_t (*read_sum)(const void* data, std::size_t bytes) noexcept;
};

[[nodiscard]] const DistanceTable& distance_table(Isa isa = active_isa());

}  // namespace scrubjay::kernels
