// Natural logarithm of one double, the same bits on every machine.
//
// The C library's log may use fused products where the CPU has them, so a stored instant computed
// with it could differ between machines. Not for per-ISA files: it belongs to the baseline.
#pragma once

#include <bit>
#include <cstdint>

namespace scrubjay::kernels {

// ln x for normal, finite x > 0, within 2 ulp.
//
// x = 2^e m with m in [sqrt(1/2), sqrt 2); s = (m - 1) / (m + 1), |s| <= 0.1716, and
// ln m = 2 (s + s^3/3 + s^5/5 + ...). Eleven terms after the first: the next is below 2^-60 of s.
[[nodiscard]] inline double log_f64(double x) noexcept {
    constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDULL;
    constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 43 bits: times an exponent it is exact.
    constexpr double kLn2Low = 0x1.ef35793c76730p-45;
    const std::uint64_t moved = std::bit_cast<std::uint64_t>(x) - kSqrtHalf;
    const double e = static_cast<double>(static_cast<std::int64_t>(moved) >> 52);
    const double m = std::bit_cast<double>((moved & 0x000FFFFFFFFFFFFFULL) + kSqrtHalf);
    const double s = (m - 1.0) / (m + 1.0);
    const double square = s * s;
    double series = 0.0;
    for (int k = 23; k >= 3; k -= 2) {
        series = (series + 1.0 / k) * square;
    }
    const double twice = 2.0 * s;
    return e * kLn2High + (twice + (twice * series + e * kLn2Low));
}

}  // namespace scrubjay::kernels
