// The retention kernels over any lane struct.
#pragma once

#include "kernels/decay/lanes_decay.h"
#include "kernels/lanes/sweep.h"
#include "kernels/numerics/lanes_math.h"
#include "kernels/retention/variants.h"

namespace scrubjay::kernels {

template <class L, bool Fading>
bool prior_sweep_form(const PriorInputs& in, const PriorConstants& constants, float* out,
                      std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    const F zero = L::splat(0.0F);
    const F one = L::splat(1.0F);
    const F infinity = L::splat(__builtin_inff());
    const F w_recency = L::splat(constants.w_recency);
    const F w_salience = L::splat(constants.w_salience);
    const F w_frequency = L::splat(constants.w_frequency);
    const F use_scale = L::splat(constants.use_scale);
    const F use_bound = L::splat(constants.use_bound);
    typename L::M good = L::eq(zero, zero);
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F age = L::at_least(block.load(in.age_s, 0.0F), zero);
        const F lambda = block.load(in.lambda_per_s, 0.0F);
        const F salience = block.load(in.salience, 0.0F);
        const F frequency = block.load(in.frequency, 0.0F);
        const F scaled = log_normal_lanes<L>(one + frequency) * use_scale;
        const F use = w_frequency * L::choose(L::lt(use_bound, scaled), use_bound, scaled);
        const F kept = decay_factor<L>(lambda, age);
        const F lasting = w_salience * salience;
        const F result =
            Fading ? (w_recency + use) * kept + lasting : (w_recency * kept + lasting) + use;
        good = good & (L::le(zero, lambda) & L::lt(lambda, infinity)) &
               (L::le(zero, salience) & L::le(salience, one)) &
               (L::le(zero, frequency) & L::lt(frequency, infinity)) & L::eq(age, age);
        return result;
    });
    return L::all(good);
}

template <class L>
bool prior_sweep(const PriorInputs& in, const PriorConstants& constants, float* out, std::size_t n,
                 bool stream) noexcept {
    return constants.fading ? prior_sweep_form<L, true>(in, constants, out, n, stream)
                            : prior_sweep_form<L, false>(in, constants, out, n, stream);
}

template <class L>
bool score_sweep(const float* similarity, const float* prior, float w_relevance, float* out,
                 std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    const F weight = L::splat(w_relevance);
    typename L::M good = L::eq(weight, weight);
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F relevance = block.load(similarity, 0.0F);
        const F base = block.load(prior, 0.0F);
        good = good & (finite<L>(relevance) & finite<L>(base));
        return weight * relevance + base;
    });
    return L::all(good);
}

template <class L>
constexpr RetentionTable retention_table() {
    return {&prior_sweep<L>, &score_sweep<L>};
}

}  // namespace scrubjay::kernels
