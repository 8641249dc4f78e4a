// Expiry: which traces have outlived their time to live.
//
//     expired[i] = max(0, now - created[i]) >= ttl[i]
//
// Shapes   created_us, ttl_us, expired (n,).
// Types    int64 instants and durations; bool result.
// Units    microseconds.
// REQUIRES ttl_us >= 0. Any created_us and now_us, also where their difference exceeds 63 bits.
// ENSURES  a trace lives on the half-open interval [created, created + ttl); one from the future has
//          age 0; ttl = 2^63 - 1 never expires in practice; same result on every ISA.
// Throws   Error(shape_mismatch | unit_out_of_range), naming the first bad index; expired then holds
//          unspecified values.
// Cost     O(n), one pass, no allocation. Thread-safe.
// Source   DESIGN section 7, sensory and short-term systems.
// Spec     tests/reference/expiry.py
#pragma once

#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

void expired(std::span<const Micros> created_us, std::span<const Micros> ttl_us, Micros now_us,
             std::span<bool> out, Isa isa = active_isa());

}  // namespace scrubjay::kernels
