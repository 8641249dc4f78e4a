// exp and log of sixteen floats; the one place where they are defined.
//
// Both are products and sums only, never fused, so every instruction set gives the same bits. The
// coefficients are minimax fits (Lawson's reweighted least squares in double, then rounded to
// single); the arithmetic of their error bounds stands beside them.
#pragma once

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

// ln 2 split so that n * kLn2High is exact for |n| < 2^14: the high part has ten significant bits.
inline constexpr float kLn2High = 0.693359375F;
inline constexpr float kLn2Low = -2.12194440e-4F;

// Adding this to |x| < 2^22 leaves round-to-nearest-even(x) in the low bits of the sum.
inline constexpr float kRounder = 0x1.8p23F;
inline constexpr int kRounderBits = 0x4B400000;

// e^x. exp(0) is exactly 1, exp(-inf) 0, exp(inf) inf; NaN stays NaN. Subnormal results are
// rounded once.
//
// With n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.3466: e^r = 1 + (r + r^2 q(r)), where the
// degree-5 q is off by at most 2^-34 of the result. Rounding: half an ulp in the last sum, a quarter
// in r, a quarter in r + r^2 q; together below 1.1 ulp.
template <class L>
SCRUBJAY_LANE typename L::F exp_lanes(const typename L::F& argument) {
    using F = typename L::F;
    using I = typename L::I;
    // Outside these bounds the result is 0 or inf anyway, and n stays small enough to scale by.
    const F low = L::splat(-104.0F);
    const F high = L::splat(89.0F);
    F x = L::choose(L::lt(argument, low), low, argument);
    x = L::choose(L::lt(high, x), high, x);

    const F rounder = L::splat(kRounder);
    const F shifted = x * L::splat(0x1.715476p0F) + rounder;
    const F n = shifted - rounder;
    const I exponent = L::as_int(shifted) - L::splat_int(kRounderBits);
    const F r = (x - n * L::splat(kLn2High)) - n * L::splat(kLn2Low);

    F q = L::splat(0x1.9f077ap-13F);
    q = q * r + L::splat(0x1.6d8e6ep-10F);
    q = q * r + L::splat(0x1.111274p-7F);
    q = q * r + L::splat(0x1.55548cp-5F);
    q = q * r + L::splat(0x1.555554p-3F);
    q = q * r + L::splat(0x1.0p-1F);
    const F near_one = L::splat(1.0F) + (r + (r * r) * q);

    // 2^n in two factors: each is a normal number, and only the second product can round.
    const I half = L::template shift_right<1>(exponent);
    const I bias = L::splat_int(127);
    const F first = L::as_float(L::template shift_left<23>(half + bias));
    const F second = L::as_float(L::template shift_left<23>((exponent - half) + bias));
    return (near_one * first) * second;
}

// ln x for x >= 0. log(1) is exactly 0, log(0) -inf, log(inf) inf; the caller has refused the rest.
//
// x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt 2): ln x = e ln 2 + (f - f^2/2 + f^3 p(f)), where
// the degree-8 p is off by at most 2^-30 of the result. e is 0 on that whole interval around 1, so
// nothing cancels there.
template <class L>
SCRUBJAY_LANE typename L::F log_lanes(const typename L::F& argument) {
    using F = typename L::F;
    using I = typename L::I;
    using M = typename L::M;
    const F zero = L::splat(0.0F);
    const M tiny = L::lt(argument, L::splat(0x1.0p-126F));
    const F x = L::choose(tiny, argument * L::splat(0x1.0p23F), argument);

    // Moving the origin to sqrt(1/2) makes the exponent field split at sqrt 2 instead of 2.
    const I origin = L::splat_int(0x3F3504F3);
    const I moved = L::as_int(x) - origin;
    const F e_normal = L::to_float(L::template shift_right<23>(moved));
    const F e = L::choose(tiny, e_normal - L::splat(23.0F), e_normal);
    const I mantissa = (moved & L::splat_int(0x007FFFFF)) + origin;
    const F f = L::as_float(mantissa) - L::splat(1.0F);

    F p = L::splat(0x1.13e2f2p-4F);
    p = p * f + L::splat(-0x1.de6d1ep-4F);
    p = p * f + L::splat(0x1.e73c8ap-4F);
    p = p * f + L::splat(-0x1.fc2078p-4F);
    p = p * f + L::splat(0x1.233296p-3F);
    p = p * f + L::splat(-0x1.555c26p-3F);
    p = p * f + L::splat(0x1.99a4eap-3F);
    p = p * f + L::splat(-0x1.000008p-2F);
    p = p * f + L::splat(0x1.555548p-2F);
    const F square = f * f;
    F tail = (square * f) * p;
    tail = tail + e * L::splat(kLn2Low);
    tail = tail - L::splat(0.5F) * square;
    const F result = (f + tail) + e * L::splat(kLn2High);

    const F infinity = L::splat(__builtin_inff());
    const F bounded = L::choose(L::eq(argument, infinity), infinity, result);
    return L::choose(L::eq(argument, zero), L::splat(-__builtin_inff()), bounded);
}

}  // namespace scrubjay::kernels
