// Decay: what is left of a value after some time without reinforcement.
//
//     out[i] = value[i] * e^(-lambda * dt)
//
// with lambda and dt either per item, or per category: then one exponential serves all items of a
// category and the items only look it up. The decay constant of a half-life is ln 2 / half-life.
//
// Shapes   by item: value, lambda_per_s, dt_s, out (n,).  By category: value, category, out (n,);
//          lambda_per_s and dt_s (c,), c <= 256.  out may be value itself, else nothing overlaps.
// Types    float32; category uint8; half-lives int64, their constants float64.
// Units    lambda 1/s, dt s, half-life us.
// REQUIRES value finite; 0 <= lambda_per_s < inf; dt_s >= 0, inf allowed ("never reinforced");
//          category < c; half-life > 0, kForeverUs standing for infinity.
// ENSURES  a factor below e^-80 (1.8e-35) is 0: subnormal numbers would cost far more than they tell;
//          lambda = 0 leaves every value as it is, exactly, even for dt = inf; |out| <= |value|; no
//          NaN comes out; the constant of kForeverUs is exactly 0; same bits on every ISA and in
//          both forms for equal lambda and dt.
// Throws   Error(shape_mismatch | unit_out_of_range), the latter naming the first bad index. out
//          then holds unspecified values, unless it overlaps an input: those are checked first.
// Cost     O(n), one pass over memory (two in place), no allocation. Thread-safe.
// Source   DESIGN section 4; Ebbinghaus 1885 for the phenomenon.
// Spec     tests/reference/decay.py
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

// The half-life of what never fades.
inline constexpr Micros kForeverUs = std::numeric_limits<Micros>::max();

void decay_by_item(std::span<const float> value, std::span<const float> lambda_per_s,
                   std::span<const float> dt_s, std::span<float> out, Isa isa = active_isa());

void decay_by_category(std::span<const float> value, std::span<const std::uint8_t> category,
                       std::span<const float> lambda_per_s, std::span<const float> dt_s,
                       std::span<float> out, Isa isa = active_isa());

void decay_constants(std::span<const Micros> half_life_us, std::span<double> out);

}  // namespace scrubjay::kernels
