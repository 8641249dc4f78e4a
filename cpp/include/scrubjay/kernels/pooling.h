// Pooling: sums of table rows chosen by token ids; the inner loop of the static embedder.
//
//     sums[m, :] = table[ids[offsets[m]], :] + ... + table[ids[offsets[m + 1] - 1], :]
//     norms[m]   = sqrt(sum over d of sums[m, d]^2)
//
// Shapes   table (v, d) row-major; ids (t,); offsets (m + 1,); sums (m, d); norms (m,).
// Types    float16 table; int32 ids; int64 offsets; float32 results.
// Units    none.
// REQUIRES 0 <= ids < v; offsets[0] = 0, non-decreasing, offsets[m] = t; table finite.
// ENSURES  rows are added in the order of ids, starting from 0; squares are added in sixteen lanes,
//          then as the fixed tree of lanes/scalar.h, the last ragged block padded with zeros; a text
//          without tokens gives a zero row and norm 0; same bits on every ISA.
// Throws   Error(shape_mismatch | unit_out_of_range), naming the first bad index, before anything
//          is written; a non-finite table entry shows as a non-finite norm and is refused afterwards.
// Cost     O(t d) table reads; no allocation; 20 tokens of 256 dimensions take about a microsecond
//          once their rows are in the cache. Thread-safe.
// Source   DESIGN section 13: the damped sum keeps what a mean throws away, the length of the text.
// Spec     tests/reference/pooling.py
#pragma once

#include <cstdint>
#include <span>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

// `dim` is d, the length of one table row; the table's size is v d.
void pool_rows(std::span<const Half> table, std::size_t dim, std::span<const std::int32_t> ids,
               std::span<const std::int64_t> offsets, std::span<float> sums, std::span<float> norms,
               Isa isa = active_isa());

}  // namespace scrubjay::kernels
