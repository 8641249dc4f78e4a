// Storing a vector in fewer bits, with a proof of how far off its dots can be.
//
// A row x of f32 is kept as y, either f16 numbers or codes c with one scale: y = scale * c,
// c in [-127, 127], scale = max|x| / 127. Beside it stands the residual r >= |x - y|, computed in
// double and rounded up. The i8 scan also takes the query in fewer bits, q = step * u + f with 16-bit
// u and rho >= |f|, so that its dot is exact integer arithmetic. Then, by Cauchy-Schwarz,
//
//     |q.x - q.y|          <= |q| r
//     |q.y - step scale (u.c)| <= rho |y| <= rho (|x| + r)
//
// and with u = 2^-24 the float arithmetic of estimate and of the exact dot adds at most
// (2 (dim / 16 + 6) + 8) u |q| (|x| + r). For unit rows (|x| <= 1 + 2^-20) this is one line,
//
//     |exact - estimate| <= per_residual * r + fixed,
//
// whose two numbers `bound_*` returns per query. Any row whose estimate plus that cannot reach the
// k-th best is out, provably; the others are few and are scored exactly.
//
// Overflow: |u| <= amplitude = min(32767, floor((2^31 - 1) / (127 dim))), hence
// |u.c| <= 127 * amplitude * dim < 2^31 for every dim up to kMaxDim.
//
// Shapes   x, query, codes and halves (dim,).
// Types    f32 in; i8, f16 or i16 out; lengths in double.
// Units    none.
// REQUIRES finite values; equal lengths; dim <= kMaxDim; halves: |x[i]| <= 65504.
// ENSURES  residuals are never below the true ones; zero rows have scale 0 and residual 0; same bits
//          everywhere, since all of it is plain scalar code.
// Throws   nothing: callers validate (require_finite in distance.h).
// Cost     O(dim), no allocation. Thread-safe.
// Source   Gray and Neuhoff, Quantization, IEEE Trans. Information Theory 44, 1998; Cauchy-Schwarz.
// Spec     tests/reference/distance.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scrubjay/base/types.h"

namespace scrubjay::kernels {

// 127 * dim stays far from 2^31 and the amplitude far from 0: at 65,536 it is 258.
inline constexpr std::size_t kMaxDim = 65536;

// Exact value of a binary16 number; nearest binary16 of a float, ties to even, overflow to infinity.
[[nodiscard]] float to_float(Half half) noexcept;
[[nodiscard]] Half to_half(float value) noexcept;

// Writes the codes of x and returns scale and residual. REQUIRES equal lengths, finite values.
struct Coded {
    float scale;
    float residual;
};
Coded encode_i8(std::span<const float> x, std::span<std::int8_t> codes) noexcept;

// Writes the halves of x and returns the residual. REQUIRES equal lengths, |x[i]| <= 65504.
float encode_f16(std::span<const float> x, std::span<Half> halves) noexcept;

// The largest |u| for which the integer dot of dim elements fits 31 bits.
[[nodiscard]] std::int32_t query_amplitude(std::size_t dim) noexcept;

// Writes u and returns step, |q| and rho. REQUIRES equal lengths, finite values, dim <= kMaxDim.
struct CodedQuery {
    float step;
    double length;
    double residual;
};
CodedQuery encode_query(std::span<const float> query, std::span<std::int16_t> codes) noexcept;

// |exact - estimate| <= per_residual * r + fixed for every unit row with residual r.
struct EstimateBound {
    float per_residual;
    float fixed;
};
[[nodiscard]] EstimateBound bound_i8(const CodedQuery& query, std::size_t dim) noexcept;
[[nodiscard]] EstimateBound bound_f16(double query_length, std::size_t dim) noexcept;

// The length of v in double: no overflow for finite f32, within 2^-50 of the real one per 1,000
// elements.
[[nodiscard]] double length_of(std::span<const float> v) noexcept;

}  // namespace scrubjay::kernels
