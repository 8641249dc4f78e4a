// The eviction kernel: one plain loop without branches, compiled with each set's flags. Products and
// sums of doubles round the same however a compiler vectorises them, since contraction is off. The
// unused parameter gives each set its own symbol.
#pragma once

#include <cstdint>

#include "kernels/eviction/variants.h"
#include "kernels/numerics/log_f64.h"

namespace scrubjay::kernels {

SCRUBJAY_LANE std::int64_t bits_of(double x) { return __builtin_bit_cast(std::int64_t, x); }
SCRUBJAY_LANE double value_of(std::int64_t bits) { return __builtin_bit_cast(double, bits); }

// Choices are made on bits: those of non-negative doubles are ordered as integers, those of negative
// doubles are negative, and comparing integers, which cannot trap, leaves the loop free to vectorise.
template <class Set>
void eviction_sweep(const double* lambda_per_s, const float* salience, const float* frequency,
                    const EvictionConstants& constants, double* out, std::size_t n) noexcept {
    const EvictionConstants c = constants;
    const std::int64_t bound = bits_of(c.use_bound);
    const std::int64_t at_once = bits_of(1.0);
    const std::int64_t highest = bits_of(0x1.0p1000);
    const std::int64_t never = bits_of(__builtin_inf());
    for (std::size_t i = 0; i < n; ++i) {
        const double lambda = lambda_per_s[i];
        const std::int64_t scaled =
            bits_of(log_f64(1.0 + static_cast<double>(frequency[i])) * c.use_scale);
        const double use = value_of(scaled < bound ? scaled : bound);
        const double lasting = c.w_salience * static_cast<double>(salience[i]);
        const double room = c.threshold - lasting;
        // A threshold a rounding error above the lasting part may overflow the quotient; the bounds
        // keep its logarithm finite, and quotients up to 1 mean at once.
        const std::int64_t quotient = bits_of((c.w_recency + c.w_frequency * use) / room);
        const std::int64_t raised = quotient > at_once ? quotient : at_once;
        const double bounded = value_of(raised < highest ? raised : highest);
        const std::int64_t delay = bits_of(log_f64(bounded) / lambda);
        const std::int64_t possible = -static_cast<std::int64_t>(bits_of(lambda) > 0) &
                                      -static_cast<std::int64_t>(bits_of(room) > 0);
        out[i] = value_of((delay & possible) | (never & ~possible));
    }
}

template <class Set>
constexpr EvictionTable eviction_table() {
    return {&eviction_sweep<Set>};
}

}  // namespace scrubjay::kernels
