// The decay kernels over any lane struct.
#pragma once

#include "kernels/decay/variants.h"
#include "kernels/lanes/sweep.h"
#include "kernels/numerics/lanes_math.h"

namespace scrubjay::kernels {

// e^(-lambda dt); lambda = 0 gives exactly 1 even where dt is infinite.
template <class L>
SCRUBJAY_LANE typename L::F decay_factor(const typename L::F& lambda, const typename L::F& dt) {
    const typename L::F zero = L::splat(0.0F);
    return exp_lanes<L>(L::choose(L::eq(lambda, zero), zero, zero - lambda * dt));
}

// An infinite or NaN lane minus itself is NaN.
template <class L>
SCRUBJAY_LANE typename L::M finite(const typename L::F& a) {
    return L::eq(a - a, L::splat(0.0F));
}

template <class L>
bool decay_by_item_sweep(const float* value, const float* lambda_per_s, const float* dt_s,
                         float* out, std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    const F zero = L::splat(0.0F);
    const F infinity = L::splat(__builtin_inff());
    typename L::M good = L::eq(zero, zero);
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F lambda = block.load(lambda_per_s, 0.0F);
        const F dt = block.load(dt_s, 0.0F);
        const F result = block.load(value, 0.0F) * decay_factor<L>(lambda, dt);
        // The factor lies in [0, 1], so the result is finite exactly where the value is.
        good = good & (L::le(zero, lambda) & L::lt(lambda, infinity)) &
               (L::le(zero, dt) & finite<L>(result));
        return result;
    });
    return L::all(good);
}

template <class L>
bool decay_by_category_sweep(const float* value, const std::uint8_t* category, const float* factor,
                             float* out, std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    const F zero = L::splat(0.0F);
    typename L::M good = L::eq(zero, zero);
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F result = block.load(value, 0.0F) * block.lookup(factor, category);
        good = good & finite<L>(result);
        return result;
    });
    return L::all(good);
}

template <class L>
constexpr DecayTable decay_table() {
    return {&decay_by_item_sweep<L>, &decay_by_category_sweep<L>};
}

}  // namespace scrubjay::kernels
