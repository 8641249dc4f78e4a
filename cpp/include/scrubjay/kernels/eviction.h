// Eviction: after how long a memory falls below the threshold, in closed form.
//
//     S(D)   = (w_t + w_f use) e^(-lambda D) + w_s s          (the fading prior of retention.h)
//     delay  = ln((w_t + w_f use) / (theta - w_s s)) / lambda
//
// so that a sweep is a range query over stored instants and costs what it evicts, not what it holds.
//
// Shapes   lambda_per_s, salience, frequency, out (n,); out may be lambda_per_s.
// Types    float64 lambda_per_s and out; float32 salience and frequency; float64 weights.
// Units    1/s, salience in [0, 1], accesses, seconds since the last reinforcement.
// REQUIRES 0 <= lambda_per_s < inf; 0 <= salience <= 1; 0 <= frequency < inf; weights in [0, 1] with
//          sum at most 1; 0 < theta <= 1; F > 0, finite.
// ENSURES  inf ("never") where lambda = 0 or theta <= w_s s; 0 ("at once") where S(0) <= theta already;
//          else S(delay - eps) >= theta > S(delay + eps) for every eps above rounding; no NaN.
// Throws   Error(shape_mismatch | unit_out_of_range), naming the first bad index, before anything
//          is written.
// Cost     O(n), no allocation, two logarithms an item in double precision. They are our own: the
//          result is stored and must not depend on the machine. Same bits on every ISA. Thread-safe.
// Source   DESIGN section 4.
// Spec     tests/reference/eviction.py
#pragma once

#include <optional>
#include <span>

#include "scrubjay/kernels/retention.h"

namespace scrubjay::kernels {

void eviction_delay(std::span<const double> lambda_per_s, std::span<const float> salience,
                    std::span<const float> frequency, const PriorWeights& weights,
                    std::optional<double> frequency_ceiling, double threshold,
                    std::span<double> out, Isa isa = active_isa());

}  // namespace scrubjay::kernels
