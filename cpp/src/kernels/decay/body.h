// The decay kernels over any lane struct.
#pragma once

#include "kernels/decay/lanes_decay.h"
#include "kernels/decay/variants.h"
#include "kernels/lanes/sweep.h"

namespace scrubjay::kernels {

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
