// What retention and eviction check alike, and the two numbers that both forms of use reduce to.
#pragma once

#include <optional>
#include <string_view>

#include "scrubjay/kernels/retention.h"

namespace scrubjay::kernels {

// use = min(bound, ln(1 + f) * scale): scale 1 and no bound when raw, 1 / ln(1 + F) and 1 otherwise.
struct UseForm {
    double scale;
    double bound;
};

// Throws Error(unit_out_of_range) unless the ceiling is absent or a finite number above 0.
UseForm use_form(std::string_view fn, std::optional<double> ceiling);

[[nodiscard]] inline bool is_weight(double w) noexcept { return w >= 0.0 && w <= 1.0; }

// Throws Error(unit_out_of_range) unless every weight lies in [0, 1] and their sum is at most 1.
void require_weights(std::string_view fn, const PriorWeights& weights);

}  // namespace scrubjay::kernels
