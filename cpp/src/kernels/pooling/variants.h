// What each instruction set supplies for the family pooling: one text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

struct PoolingTable {
    // Adds the rows `ids[0..count)` into sum[0..dim) and returns the sum of its squares.
    float (*pool)(const std::uint16_t* table, std::size_t dim, const std::int32_t* ids,
                  std::size_t count, float* sum) noexcept;
};

extern const PoolingTable kPoolingScalar;
extern const PoolingTable kPoolingAvx2;
extern const PoolingTable kPoolingAvx512;
extern const PoolingTable kPoolingNeon;

}  // namespace scrubjay::kernels
