// Sums over sketches: a bit for each coordinate of a row, looked up four at a time.
//
//     out[r] = sum over g < groups of table[16 g + nibble(g, r)]
//     nibble(g, r) = tile[32 g + r % 32] >> (r < 32 ? 0 : 4) & 15
//
// A tile holds the sketches of 64 rows, group by group, so that one shuffle looks a group up for 16 or
// more rows. What a bit and a table mean is the caller's business; see index/sketches.h.
//
// Shapes   table (16 groups,), tile (32 groups,), out (64,).
// Types    u8 tables and tiles, u16 sums.  Units    none.
// REQUIRES groups even, at most 256: no sum exceeds 255 * 256.
// ENSURES  exact integers, the same on every instruction set.
// Throws   nothing.
// Cost     13 instructions for 32 lookups on AVX2; 64 rows of 256 bits take about 0.1 us.
// Thread-safety: pure functions.
// Source   Andre, Kermarrec and Le Scouarnec, Cache locality is not enough: high-performance nearest
//          neighbor search with product quantization fast scan, VLDB 2015, for the shuffle.
// Spec     tests/reference/sketch.py, cpp/tests/kernels/sketch_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>

#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

inline constexpr std::size_t kSketchRows = 64;
inline constexpr std::size_t kMostSketchGroups = 256;

struct SketchTable {
    void (*sums)(const std::uint8_t* table, const std::uint8_t* tile, std::size_t groups,
                 std::uint16_t* out) noexcept;
};

[[nodiscard]] const SketchTable& sketch_table(Isa isa = active_isa());

}  // namespace scrubjay::kernels
