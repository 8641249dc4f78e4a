// Displacement: working-memory buffers of many agents, one bank row per buffer, in one call.
//
//     displace:    slot[b] = the first free slot; if there is none, the slot of least salience, if
//                  incoming[b] is strictly greater; else -1, refused.
//     activation:  a[b, c] = (1 - rate)^age,  age = max(0, now - anchor) in seconds;
//                  kept[b, c] = occupied and a >= threshold
//
// A slot is free where its sequence is negative. Among slots of equal salience the older, smaller
// sequence goes first. The anchor is the last encoding or rehearsal; evaluating never moves it, so
// any sequence of evaluations equals the last one.
//
// Shapes   salience, sequence, anchor_us, activation, kept (b, c) row-major; incoming, slot (b,).
// Types    float32 salience, incoming and activation; int64 sequence and anchor_us; int32 slot;
//          bool kept.
// Units    salience and activation in [0, 1]; microseconds; rate 1/s.
// REQUIRES c >= 1; 0 <= incoming <= 1; 0 <= salience <= 1 in occupied slots (free ones may hold
//          anything); sequences of one row's occupied slots differ; 0 <= rate < 1;
//          0 <= threshold <= 1.
// ENSURES  displace: deterministic, and a refusal leaves the caller free to say so; activation: 1 at
//          age 0, 1 everywhere for rate 0, 0 below e^-80, 0 and not kept in free slots; ages are rounded to float32
//          seconds; same bits on every ISA.
// Throws   Error(shape_mismatch | unit_out_of_range), the latter naming the first bad index in the
//          flattened array; the outputs then hold unspecified values.
// Cost     O(b c), one pass, no allocation. Thread-safe.
// Source   DESIGN section 4 and 7; decay by elapsed time follows the source document 000, corrected.
// Spec     tests/reference/displacement.py
#pragma once

#include <cstdint>
#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

inline constexpr std::int32_t kRefused = -1;

// `slots` is c, the number of slots of one buffer.
void displace(std::span<const float> salience, std::span<const std::int64_t> sequence,
              std::size_t slots, std::span<const float> incoming, std::span<std::int32_t> slot,
              Isa isa = active_isa());

void bank_activation(std::span<const Micros> anchor_us, std::span<const std::int64_t> sequence,
                     Micros now_us, double decay_rate_per_s, double threshold,
                     std::span<float> activation, std::span<bool> kept, Isa isa = active_isa());

}  // namespace scrubjay::kernels
