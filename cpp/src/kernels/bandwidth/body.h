// The bandwidth kernels over any lane struct.
#pragma once

#include "kernels/bandwidth/variants.h"
#include "kernels/lanes/sweep.h"

namespace scrubjay::kernels {

template <class L>
void triad_sweep(const float* b, const float* c, float s, float* out, std::size_t n,
                 bool stream) noexcept {
    const typename L::F factor = L::splat(s);
    sweep<L>(out, n, stream, [&](const Block<L>& block) SCRUBJAY_LANE_LAMBDA {
        return block.load(b, 0.0F) + factor * block.load(c, 0.0F);
    });
}

template <class L>
float read_sum_sweep(const float* x, std::size_t n) noexcept {
    using F = typename L::F;
    // Four blocks at a time, or the latency of one addition would bound the rate of loads.
    F sums[4] = {L::splat(0.0F), L::splat(0.0F), L::splat(0.0F), L::splat(0.0F)};
    std::size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        for (std::size_t k = 0; k < 4; ++k) {
            sums[k] = sums[k] + L::load(x + i + 16 * k);
        }
    }
    for (; i < n; i += 16) {
        const int count = n - i < 16 ? static_cast<int>(n - i) : 16;
        sums[0] = sums[0] + Block<L>{i, count}.load(x, 0.0F);
    }
    return L::sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

template <class L>
constexpr BandwidthTable bandwidth_table() {
    return {&triad_sweep<L>, &read_sum_sweep<L>};
}

}  // namespace scrubjay::kernels
