// The numerics kernels over any lane struct.
#pragma once

#include "kernels/lanes/sweep.h"
#include "kernels/numerics/lanes_math.h"
#include "kernels/numerics/variants.h"

namespace scrubjay::kernels {

template <class L>
bool exp_sweep(const float* x, float* out, std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    typename L::M good = L::eq(L::splat(0.0F), L::splat(0.0F));
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F argument = block.load(x, 0.0F);
        good = good & L::eq(argument, argument);
        return exp_lanes<L>(argument);
    });
    return L::all(good);
}

template <class L>
bool log_sweep(const float* x, float* out, std::size_t n, bool stream) noexcept {
    using F = typename L::F;
    typename L::M good = L::eq(L::splat(0.0F), L::splat(0.0F));
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        const F argument = block.load(x, 1.0F);
        good = good & L::le(L::splat(0.0F), argument);
        return log_lanes<L>(argument);
    });
    return L::all(good);
}

template <class L>
constexpr NumericsTable numerics_table() {
    return {&exp_sweep<L>, &log_sweep<L>};
}

}  // namespace scrubjay::kernels
