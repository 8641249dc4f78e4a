// Retention: how much of a memory is still worth keeping, apart from any query, and the final score.
//
//     use[i]   = ln(1 + f)  (raw)   or   min(1, ln(1 + f) / ln(1 + F))  (saturating)
//     prior[i] = (w_t e^(-lambda age) + w_s s) + w_f use            (as printed)
//     prior[i] = (w_t + w_f use) e^(-lambda age) + w_s s            (fading: frequency fades too)
//     score[i] = w_r sim + prior
//
// The fading form is what eviction compares with its threshold; without it one access would make
// telemetry immortal.
//
// Shapes   age_s, lambda_per_s, salience, frequency, similarity, prior, out (n,); out may be one of
//          the inputs, else nothing overlaps.
// Types    float32.
// Units    seconds, 1/s, salience in [0, 1], accesses.
// REQUIRES age_s not NaN; 0 <= lambda_per_s < inf; 0 <= salience <= 1; 0 <= frequency < inf;
//          similarity and prior finite; weights in [0, 1] with sum at most 1; F > 0, finite.
// ENSURES  e^(-lambda age) is the factor of decay.h, 0 below e^-80; negative ages (a clock stepped back) count as 0; lambda = 0 gives e^0 = 1 exactly, even
//          for age = inf; non-increasing in age, non-decreasing in salience and frequency up to
//          2 ulp of exp and log; saturating: prior <= w_t + w_s + w_f; no NaN comes out; same bits on
//          every ISA; the sums are taken in the order written above.
// Throws   Error(shape_mismatch | unit_out_of_range), the latter naming the first bad index. out
//          then holds unspecified values, unless it overlaps an input: those are checked first.
// Cost     O(n), one pass over memory (two in place), no allocation. Thread-safe.
// Source   DESIGN section 4; the composite follows the retention score of the source document 002.
// Spec     tests/reference/retention.py
#pragma once

#include <optional>
#include <span>

#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

struct PriorWeights {
    double recency;
    double salience;
    double frequency;
};

struct PriorForm {
    std::optional<double> frequency_ceiling;  // F; without one the form is raw.
    bool fading = false;
};

void retention_prior(std::span<const float> age_s, std::span<const float> lambda_per_s,
                     std::span<const float> salience, std::span<const float> frequency,
                     const PriorWeights& weights, const PriorForm& form, std::span<float> out,
                     Isa isa = active_isa());

void retention_score(std::span<const float> similarity, std::span<const float> prior,
                     double w_relevance, std::span<float> out, Isa isa = active_isa());

}  // namespace scrubjay::kernels
