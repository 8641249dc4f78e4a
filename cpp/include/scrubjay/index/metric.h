// What similarity means in one index: a number of at most 1 for a row and a query, larger for nearer.
//
//     cosine   q.x / (|q| |x|), 0 where either is zero
//     ip       q.x, of vectors whose length is 1 within kUnitTolerance, clamped to [-1, 1]
//     l2       1 / (1 + |q - x|), in (0, 1]
//
// A score is w_r (gain * similarity) + prior whatever the metric, so all that bounds scores, and every
// proof that skips rows, needs no more than similarity <= 1. For l2 that rules out -|q - x|^2, which
// has no least value to weigh a prior against, and 1 - |q - x|^2 / 2, which would have to be cut off;
// the distance itself stands in the denominator, not its square, because a float near 1 then still
// tells apart distances of 1e-7 rather than of 3e-4.
//
// Zero vectors: no direction for cosine (refused in a query, a row's own choice), no unit vector for ip
// (likewise), a point like any other for l2.
//
// Source: docs/decisions/0006-metrics.md.
#pragma once

#include <cmath>
#include <cstdint>

namespace scrubjay::index {

// The numbers stand in files and keep their meaning.
enum class Metric : std::uint8_t { cosine = 0, ip = 1, l2 = 2 };

[[nodiscard]] constexpr const char* name_of(Metric metric) noexcept {
    return metric == Metric::ip ? "ip" : metric == Metric::l2 ? "l2" : "cosine";
}

// How far from 1 the length of a vector may be for ip: twice what rounding each
// element to f16 can leave.
inline constexpr double kUnitTolerance = 1e-3;

// The longest vector for l2: no squared distance between two such leaves the range of float.
inline constexpr double kMostLength = 0x1.0p60;

// l2 of a squared distance. Every step is rounded correctly, hence monotone: a lower bound of the
// square gives an upper bound of the very float.
[[nodiscard]] inline float closeness(double square) noexcept {
    return static_cast<float>(1.0 / (1.0 + std::sqrt(square)));
}

}  // namespace scrubjay::index
