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

// e^x = near_one * 2^exponent, near_one in [0.7, 1.42]. REQUIRES |x| <= 104 or NaN.
//
// With n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.3466: e^r = 1 + (r + r^2 q(r)), where the
// degree-5 q is off by at most 2^-34 of the result. Rounding: half an ulp in the last sum, a quarter
// in r, a quarter in r + r^2 q; together below 1.1 ulp.
template <class L>
struct ScaledExp {
    typename L::F near_one;
    typename L::I exponent;
};

template <class L>
SCRUBJAY_LANE ScaledExp<L> scaled_exp(const typename L::F& x) {
    using F = typename L::F;
    const F rounder = L::splat(kRounder);
    const F shifted = x * L::splat(0x1.715476p0F) + rounder;
    const F n = shifted - rounder;
    const F r = (x - n * L::splat(kLn2High)) - n * L::splat(kLn2Low);

    F q = L::splat(0x1.9f077ap-13F);
    q = q * r + L::splat(0x1.6d8e6ep-10F);
    q = q * r + L::splat(0x1.111274p-7F);
    q = q * r + L::splat(0x1.55548cp-5F);
    q = q * r + L::splat(0x1.555554p-3F);
    q = q * r + L::splat(0x1.0p-1F);
    return {L::splat(1.0F) + (r + (r * r) * q), L::as_int(shifted) - L::splat_int(kRounderBits)};
}

// Below this e^x rounds to 0 in single precision.
inline constexpr float kExpLow = -104.0F;

// e^x. exp(0) is exactly 1, exp(-inf) 0, exp(inf) inf; NaN stays NaN. Subnormal results are
// rounded once: 2^n is split into two factors of which only the second can round.
template <class L>
SCRUBJAY_LANE typename L::F exp_lanes(const typename L::F& argument) {
    using F = typename L::F;
    using I = typename L::I;
    const F high = L::splat(89.0F);  // Above this e^x is inf.
    F x = L::at_least(argument, L::splat(kExpLow));
    x = L::choose(L::lt(high, x), high, x);
    const ScaledExp<L> e = scaled_exp<L>(x);
    const I half = L::template shift_right<1>(e.exponent);
    const I bias = L::splat_int(127);
    const F first = L::as_float(L::template shift_left<23>(half + bias));
    const F second = L::as_float(L::template shift_left<23>((e.exponent - half) + bias));
    return (e.near_one * first) * second;
}

// What has faded further than this, to 1.8e-35 of itself, has faded to nothing.
inline constexpr float kFadedExponent = -80.0F;

// e^x for x <= 0, the bits of exp_lanes, but exactly 0 below kFadedExponent: a subnormal result costs
// x86 a detour through microcode, and so does each product it enters. Above that bound one sum of
// integers scales near_one. NaN does not survive that sum: the caller has refused it.
template <class L>
SCRUBJAY_LANE typename L::F exp_nonpositive_lanes(const typename L::F& x) {
    const typename L::F bound = L::splat(kFadedExponent);
    const ScaledExp<L> e = scaled_exp<L>(L::at_least(x, bound));
    const auto bits = L::as_int(e.near_one) + L::template shift_left<23>(e.exponent);
    return L::zero_where(L::lt(x, bound), L::as_float(bits));
}

// ln x for normal, finite x > 0. log(1) is exactly 0.
//
// x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt 2): ln x = e ln 2 + (f - f^2/2 + f^3 p(f)), where
// the degree-8 p is off by at most 2^-30 of the result. e is 0 on that whole interval around 1, so
// nothing cancels there. `shift` is subtracted from e: the caller's way to undo a scaling of x.
template <class L>
SCRUBJAY_LANE typename L::F log_normal_lanes(const typename L::F& x, const typename L::F& shift) {
    using F = typename L::F;
    using I = typename L::I;
    // Moving the origin to sqrt(1/2) makes the exponent field split at sqrt 2 instead of 2.
    const I origin = L::splat_int(0x3F3504F3);
    const I moved = L::as_int(x) - origin;
    const F e = L::to_float(L::template shift_right<23>(moved)) - shift;
    const F f = L::as_float((moved & L::splat_int(0x007FFFFF)) + origin) - L::splat(1.0F);

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
    return (f + tail) + e * L::splat(kLn2High);
}

template <class L>
SCRUBJAY_LANE typename L::F log_normal_lanes(const typename L::F& x) {
    return log_normal_lanes<L>(x, L::splat(0.0F));
}

// ln x for x >= 0: log(0) is -inf, log(inf) inf; the caller has refused the rest.
template <class L>
SCRUBJAY_LANE typename L::F log_lanes(const typename L::F& x) {
    using F = typename L::F;
    const F zero = L::splat(0.0F);
    const F infinity = L::splat(__builtin_inff());
    const auto tiny = L::lt(x, L::splat(0x1.0p-126F));
    const F raised = L::choose(tiny, x * L::splat(0x1.0p23F), x);
    const F result = log_normal_lanes<L>(raised, L::choose(tiny, L::splat(23.0F), zero));
    const F bounded = L::choose(L::eq(x, infinity), infinity, result);
    return L::choose(L::eq(x, zero), zero - infinity, bounded);
}

}  // namespace scrubjay::kernels
