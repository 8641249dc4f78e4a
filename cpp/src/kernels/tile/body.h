// The tile kernels over any lane struct L that also offers
//     ages(last, now)   sixteen ages in seconds, as tile.h defines them
//     load_int(p)       sixteen 32-bit integers
#pragma once

#include "kernels/lanes/inline.h"
#include "kernels/numerics/lanes_math.h"
#include "kernels/tile/tables.h"

namespace scrubjay::kernels::tile {

template <class L>
SCRUBJAY_LANE typename L::F smaller(const typename L::F& a, const typename L::F& b) {
    return L::choose(L::lt(a, b), a, b);
}

// Recency at x = -lambda dt; exactly 0 below kOldest. Without that bound old rows would make
// subnormal numbers, which cost this loop eight times its time on x86.
template <class L>
SCRUBJAY_LANE typename L::F recency_of(const typename L::F& x) {
    const typename L::F oldest = L::splat(kOldest);
    return L::zero_where(L::lt(x, oldest), exp_nonpositive_lanes<L>(L::at_least(x, oldest)));
}

template <class L>
void prior(const PriorColumns& rows, const TileWeights& weights, std::size_t count,
           float* out) noexcept {
    using F = typename L::F;
    const F zero = L::splat(0.0F);
    const F w_t = L::splat(weights.recency);
    const F w_s = L::splat(weights.salience);
    const F w_f = L::splat(weights.frequency);
    const F scale = L::splat(weights.use_scale);
    const F bound = L::splat(weights.use_bound);
    for (std::size_t i = 0; i < count; i += 16) {
        const F age = L::ages(rows.last_us + i, weights.now_us);
        const F recency = recency_of<L>(zero - L::load(rows.lambda_per_s + i) * age);
        const F fading = w_t * recency + w_s * L::load(rows.salience + i);
        const F uses = smaller<L>(L::load(rows.log_frequency + i) * scale, bound);
        L::store(out + i, fading + w_f * uses);
    }
}

template <class L>
void fuse(const float* gain, const float* prior, float w_r, std::size_t count,
          float* cosine) noexcept {
    using F = typename L::F;
    const F weight = L::splat(w_r);
    const F one = L::splat(1.0F);
    const F minus_one = L::splat(-1.0F);
    for (std::size_t i = 0; i < count; i += 16) {
        const F raw = L::load(cosine + i);
        const F below = smaller<L>(raw, one);
        const F inside = L::choose(L::lt(below, minus_one), minus_one, below);
        L::store(cosine + i, weight * (L::load(gain + i) * inside) + L::load(prior + i));
    }
}

template <class L>
SCRUBJAY_LANE typename L::F error_of(const BoundColumns& rows, std::size_t i) {
    return L::splat(rows.per_residual) * L::load(rows.residual + i) + L::splat(rows.fixed);
}

template <class L>
SCRUBJAY_LANE typename L::F estimate_of(const BoundColumns& rows, const std::int32_t* dots,
                                        std::size_t i) {
    return L::to_float(L::load_int(dots + i)) * (L::load(rows.scale + i) * L::splat(rows.step));
}

template <class L>
void bound_f16(const BoundColumns& rows, std::size_t count, float* estimate) noexcept {
    for (std::size_t i = 0; i < count; i += 16) {
        L::store(estimate + i, L::load(estimate + i) + error_of<L>(rows, i));
    }
}

template <class L>
void bound_i8(const BoundColumns& rows, const std::int32_t* dots, std::size_t count,
              float* out) noexcept {
    for (std::size_t i = 0; i < count; i += 16) {
        L::store(out + i, estimate_of<L>(rows, dots, i) + error_of<L>(rows, i));
    }
}

template <class L>
void estimate_i8(const BoundColumns& rows, const std::int32_t* dots, std::size_t count,
                 float* out) noexcept {
    for (std::size_t i = 0; i < count; i += 16) {
        L::store(out + i, estimate_of<L>(rows, dots, i));
    }
}

template <class L>
constexpr TileTable table_of() {
    return {&prior<L>, &fuse<L>, &bound_f16<L>, &bound_i8<L>, &estimate_i8<L>};
}

}  // namespace scrubjay::kernels::tile
