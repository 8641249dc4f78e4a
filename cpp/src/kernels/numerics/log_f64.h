// Natural logarithm of one double, the same bits on every machine.
//
// The C library's log may use fused products where the CPU has them, so a stored instant computed
// with it could differ between machines. It is free of branches, so a loop over it vectorises.
#pragma once

#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

// ln x for normal, finite x > 0, within 2 ulp.
//
// x = 2^e m with m in [sqrt(1/2), sqrt 2); s = (m - 1) / (m + 1), |s| <= 0.1716, and
// ln m = 2 (s + s^3/3 + s^5/5 + ...). Eleven terms after the first: the next is below 2^-60 of s.
SCRUBJAY_LANE double log_f64(double x) noexcept {
    constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;
    constexpr std::uint64_t kOne = 0x3FF0000000000000;
    constexpr std::uint64_t kMantissa = 0x000FFFFFFFFFFFFF;
    constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 43 bits: times an exponent it is exact.
    constexpr double kLn2Low = 0x1.ef35793c76730p-45;
    // e + 1023 stands in the exponent field; as the low bits of 2^52 it is a double at once, which
    // vectorises where no instruction converts 64-bit integers.
    constexpr std::uint64_t kTwo52 = 0x4330000000000000;
    const std::uint64_t moved = __builtin_bit_cast(std::uint64_t, x) - kSqrtHalf;
    const double e =
        __builtin_bit_cast(double, ((moved + kOne) >> 52U) | kTwo52) - (0x1.0p52 + 1023.0);
    const double m = __builtin_bit_cast(double, (moved & kMantissa) + kSqrtHalf);
    const double s = (m - 1.0) / (m + 1.0);
    const double square = s * s;
    double series = 1.0 / 23;
    series = series * square + 1.0 / 21;
    series = series * square + 1.0 / 19;
    series = series * square + 1.0 / 17;
    series = series * square + 1.0 / 15;
    series = series * square + 1.0 / 13;
    series = series * square + 1.0 / 11;
    series = series * square + 1.0 / 9;
    series = series * square + 1.0 / 7;
    series = series * square + 1.0 / 5;
    series = series * square + 1.0 / 3;
    const double twice = 2.0 * s;
    return e * kLn2High + (twice + (twice * (series * square) + e * kLn2Low));
}

}  // namespace scrubjay::kernels
