// The decay factor of sixteen items; shared by every family that lets something fade.
#pragma once

#include "kernels/lanes/inline.h"
#include "kernels/numerics/lanes_math.h"

namespace scrubjay::kernels {

// e^(-lambda dt); lambda = 0 gives exactly 1 even where dt is infinite. REQUIRES lambda, dt >= 0;
// NaN does not show in the result.
template <class L>
SCRUBJAY_LANE typename L::F decay_factor(const typename L::F& lambda, const typename L::F& dt) {
    const typename L::F zero = L::splat(0.0F);
    return exp_nonpositive_lanes<L>(L::zero_where(L::eq(lambda, zero), zero - lambda * dt));
}

// An infinite or NaN lane minus itself is NaN.
template <class L>
SCRUBJAY_LANE typename L::M finite(const typename L::F& a) {
    return L::eq(a - a, L::splat(0.0F));
}

}  // namespace scrubjay::kernels
