// Validation and dispatch of the family retention.
#include "scrubjay/kernels/retention.h"

#include <cmath>
#include <limits>

#include "kernels/checks.h"
#include "kernels/numerics/log_f64.h"
#include "kernels/retention/parameters.h"
#include "kernels/retention/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<RetentionTable> kRetention{&kRetentionScalar, SCRUBJAY_IF_AVX2(kRetentionAvx2),
                                              SCRUBJAY_IF_AVX512(kRetentionAvx512),
                                              SCRUBJAY_IF_NEON(kRetentionNeon)};

// Room for weights that were rounded to float32 on their way here.
constexpr double kSumTolerance = 1e-6;

}  // namespace

UseForm use_form(std::string_view fn, std::optional<double> ceiling) {
    if (!ceiling) {
        return {1.0, std::numeric_limits<double>::infinity()};
    }
    require_scalar(*ceiling > 0.0 && std::isfinite(*ceiling), fn, "frequency_ceiling", *ceiling,
                   "a finite number > 0, or None for the raw form");
    return {1.0 / log_f64(1.0 + *ceiling), 1.0};
}

void require_weights(std::string_view fn, const PriorWeights& weights) {
    constexpr std::string_view expected = "a number from 0 to 1";
    require_scalar(is_weight(weights.recency), fn, "w_recency", weights.recency, expected);
    require_scalar(is_weight(weights.salience), fn, "w_salience", weights.salience, expected);
    require_scalar(is_weight(weights.frequency), fn, "w_frequency", weights.frequency, expected);
    const double sum = weights.recency + weights.salience + weights.frequency;
    require_scalar(sum <= 1.0 + kSumTolerance, fn, "sum of the weights", sum, "at most 1");
}

void retention_prior(std::span<const float> age_s, std::span<const float> lambda_per_s,
                     std::span<const float> salience, std::span<const float> frequency,
                     const PriorWeights& weights, const PriorForm& form, std::span<float> out,
                     Isa isa) {
    constexpr const char* fn = "retention_prior";
    require_length(fn, "lambda_per_s", lambda_per_s.size(), age_s.size());
    require_length(fn, "salience", salience.size(), age_s.size());
    require_length(fn, "frequency", frequency.size(), age_s.size());
    require_length(fn, "out", out.size(), age_s.size());
    require_weights(fn, weights);
    const UseForm use = use_form(fn, form.frequency_ceiling);
    const PriorConstants constants{
        static_cast<float>(weights.recency),   static_cast<float>(weights.salience),
        static_cast<float>(weights.frequency), static_cast<float>(use.scale),
        static_cast<float>(use.bound),         form.fading};
    const auto check = [&] {
        require_each(fn, "age_s", age_s, [](float x) { return x == x; }, "a number, not NaN");
        require_each(
            fn, "lambda_per_s", lambda_per_s, [](float x) { return x >= 0.0F && std::isfinite(x); },
            "a finite number >= 0");
        require_each(
            fn, "salience", salience, [](float x) { return x >= 0.0F && x <= 1.0F; },
            "a number from 0 to 1");
        require_each(
            fn, "frequency", frequency, [](float x) { return x >= 0.0F && std::isfinite(x); },
            "a finite number >= 0");
    };
    const bool shared = overlap(age_s, out) || overlap(lambda_per_s, out) ||
                        overlap(salience, out) || overlap(frequency, out);
    if (shared) {
        check();
    }
    const PriorInputs in{age_s.data(), lambda_per_s.data(), salience.data(), frequency.data()};
    const bool stream = !shared && out.size_bytes() >= kStreamBytes;
    if (!kRetention.of(isa).prior(in, constants, out.data(), age_s.size(), stream)) {
        check();
    }
}

void retention_score(std::span<const float> similarity, std::span<const float> prior,
                     double w_relevance, std::span<float> out, Isa isa) {
    constexpr const char* fn = "retention_score";
    require_length(fn, "prior", prior.size(), similarity.size());
    require_length(fn, "out", out.size(), similarity.size());
    require_scalar(is_weight(w_relevance), fn, "w_relevance", w_relevance, "a number from 0 to 1");
    const auto check = [&] {
        const auto finite = [](float x) { return std::isfinite(x); };
        require_each(fn, "similarity", similarity, finite, "a finite number");
        require_each(fn, "prior", prior, finite, "a finite number");
    };
    const bool shared = overlap(similarity, out) || overlap(prior, out);
    if (shared) {
        check();
    }
    const bool stream = !shared && out.size_bytes() >= kStreamBytes;
    if (!kRetention.of(isa).score(similarity.data(), prior.data(), static_cast<float>(w_relevance),
                                  out.data(), similarity.size(), stream)) {
        check();
    }
}

}  // namespace scrubjay::kernels
