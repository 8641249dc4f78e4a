// Numerics: exponential and natural logarithm of float32 arrays.
//
//     exp: out[i] = e^x[i]          log: out[i] = ln x[i]
//
// Shapes   x (n,), out (n,); out may be x itself, else they may not overlap.
// Types    float32 throughout.
// Units    none.
// REQUIRES exp: x is not NaN.  log: x >= 0, not NaN.  Infinities are arguments like any other.
// ENSURES  at most 2 ulp from the true value over the whole range, subnormals included; exp(0) = 1,
//          log(1) = 0, exp(-inf) = 0, log(0) = -inf exactly; exp is inf only where the true value
//          exceeds the largest float32; same bits on every ISA and at every position.
// Throws   Error(shape_mismatch | unit_out_of_range), the latter naming the first bad index. out
//          then holds unspecified values, unless it is x, which is checked before the first store.
// Cost     O(n), no allocation, one pass (two where out is x). Thread-safe.
// Source   range reduction after Cody and Waite, Software Manual for the Elementary Functions, 1980;
//          coefficients fitted here.
// Spec     tests/reference/numerics.py
#pragma once

#include <span>

#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

void exp_f32(std::span<const float> x, std::span<float> out, Isa isa = active_isa());

void log_f32(std::span<const float> x, std::span<float> out, Isa isa = active_isa());

}  // namespace scrubjay::kernels
