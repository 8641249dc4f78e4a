// Validation and dispatch of the family eviction.
#include "scrubjay/kernels/eviction.h"

#include <cmath>

#include "kernels/checks.h"
#include "kernels/eviction/variants.h"
#include "kernels/retention/parameters.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<EvictionTable> kEviction{&kEvictionScalar, SCRUBJAY_IF_AVX2(kEvictionAvx2),
                                            SCRUBJAY_IF_AVX512(kEvictionAvx512),
                                            SCRUBJAY_IF_NEON(kEvictionNeon)};

}  // namespace

void eviction_delay(std::span<const double> lambda_per_s, std::span<const float> salience,
                    std::span<const float> frequency, const PriorWeights& weights,
                    std::optional<double> frequency_ceiling, double threshold,
                    std::span<double> out, Isa isa) {
    constexpr const char* fn = "eviction_delay";
    require_length(fn, "salience", salience.size(), lambda_per_s.size());
    require_length(fn, "frequency", frequency.size(), lambda_per_s.size());
    require_length(fn, "out", out.size(), lambda_per_s.size());
    require_weights(fn, weights);
    require_scalar(threshold > 0.0 && threshold <= 1.0, fn, "threshold", threshold,
                   "a number above 0, at most 1");
    const UseForm form = use_form(fn, frequency_ceiling);
    require_each(
        fn, "lambda_per_s", lambda_per_s, [](double x) { return x >= 0.0 && std::isfinite(x); },
        "a finite number >= 0");
    require_each(
        fn, "salience", salience, [](float x) { return x >= 0.0F && x <= 1.0F; },
        "a number from 0 to 1");
    require_each(
        fn, "frequency", frequency, [](float x) { return x >= 0.0F && std::isfinite(x); },
        "a finite number >= 0");

    const EvictionConstants constants{weights.recency, weights.salience, weights.frequency,
                                      form.scale,      form.bound,       threshold};
    kEviction.of(isa).delay(lambda_per_s.data(), salience.data(), frequency.data(), constants,
                            out.data(), out.size());
}

}  // namespace scrubjay::kernels
