// Bandwidth: the measuring sticks beside which the benches put every memory-bound kernel.
//
//     triad: out[i] = b[i] + s * c[i]          read: the sum of all x[i]
//
// Both walk memory exactly as the kernels do: same lanes, same stores (past the cache from 4 MiB
// up), one thread. A kernel's bytes/s divided by the triad's says how much of the machine it uses,
// which no comparison with an interpreter's loop could. The triad counts 12 bytes per element, the
// read 4, whatever the caches do behind them.
//
// Shapes   b, c, out (n,), no overlap; x (n,).
// Types    float32.
// Units    none.
// REQUIRES nothing of the values; read promises a number only for finite sums.
// ENSURES  same bits on every ISA; read adds in sixteen lanes of four independent blocks.
// Throws   Error(shape_mismatch).
// Cost     O(n), no allocation. Thread-safe.
// Source   McCalpin, STREAM: Sustainable Memory Bandwidth in High Performance Computers, 1991.
// Spec     tests/reference/bandwidth.py
#pragma once

#include <span>

#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

void triad(std::span<const float> b, std::span<const float> c, float s, std::span<float> out,
           Isa isa = active_isa());

[[nodiscard]] float read_sum(std::span<const float> x, Isa isa = active_isa());

}  // namespace scrubjay::kernels
