// The closed-form eviction instant, in double precision.
#include "scrubjay/kernels/eviction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/checks.h"
#include "kernels/numerics/log_f64.h"
#include "kernels/retention/parameters.h"

namespace scrubjay::kernels {
namespace {

// Where the threshold lies a rounding error above the lasting part the quotient may overflow; the
// bound keeps its logarithm finite.
double delay_of(double fading, double lasting, double lambda, double threshold) noexcept {
    if (lambda == 0.0 || threshold <= lasting) {
        return std::numeric_limits<double>::infinity();
    }
    const double quotient = fading / (threshold - lasting);
    return quotient <= 1.0 ? 0.0 : log_f64(std::min(quotient, 0x1.0p1000)) / lambda;
}

}  // namespace

void eviction_delay(std::span<const double> lambda_per_s, std::span<const float> salience,
                    std::span<const float> frequency, const PriorWeights& weights,
                    std::optional<double> frequency_ceiling, double threshold,
                    std::span<double> out) {
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

    for (std::size_t i = 0; i < out.size(); ++i) {
        const double use =
            std::min(form.bound, log_f64(1.0 + static_cast<double>(frequency[i])) * form.scale);
        const double lasting = weights.salience * static_cast<double>(salience[i]);
        out[i] = delay_of(weights.recency + weights.frequency * use, lasting, lambda_per_s[i],
                          threshold);
    }
}

}  // namespace scrubjay::kernels
