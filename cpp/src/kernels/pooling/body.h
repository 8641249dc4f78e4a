// The pooling kernel over any lane struct.
#pragma once

#include "kernels/lanes/inline.h"
#include "kernels/pooling/variants.h"

namespace scrubjay::kernels {

// Sums `Width` blocks of sixteen columns in registers over all rows, so a partial sum never goes
// to memory. The first stretch of a row brings the rest of it into the cache.
template <class L, int Width>
SCRUBJAY_LANE void pool_columns(const std::uint16_t* table, std::size_t dim,
                                const std::int32_t* ids, std::size_t count, float* sum,
                                typename L::F& squares) {
    using F = typename L::F;
    F sums[Width];
    for (int w = 0; w < Width; ++w) {
        sums[w] = L::splat(0.0F);
    }
    for (std::size_t t = 0; t < count; ++t) {
        const std::uint16_t* const row = table + static_cast<std::size_t>(ids[t]) * dim;
        for (int w = 0; w < Width; ++w) {
            sums[w] = sums[w] + L::widen(row + 16 * w);
        }
    }
    for (int w = 0; w < Width; ++w) {
        L::store(sum + 16 * w, sums[w]);
        squares = squares + sums[w] * sums[w];
    }
}

// The last dim % 16 columns.
template <class L>
SCRUBJAY_LANE void pool_ragged(const std::uint16_t* table, std::size_t dim, const std::int32_t* ids,
                               std::size_t count, std::size_t columns, float* sum,
                               typename L::F& squares) {
    using F = typename L::F;
    F total = L::splat(0.0F);
    for (std::size_t t = 0; t < count; ++t) {
        const std::uint16_t* const row = table + static_cast<std::size_t>(ids[t]) * dim;
        std::uint16_t padded[16] = {};
        for (std::size_t k = 0; k < columns; ++k) {
            padded[k] = row[k];
        }
        total = total + L::widen(padded);
    }
    float buffer[16];
    L::store(buffer, total);
    for (std::size_t k = 0; k < columns; ++k) {
        sum[k] = buffer[k];
    }
    squares = squares + total * total;
}

template <class L>
float pool_text(const std::uint16_t* table, std::size_t dim, const std::int32_t* ids,
                std::size_t count, float* sum) noexcept {
    typename L::F squares = L::splat(0.0F);
    std::size_t d = 0;
    for (; d + 64 <= dim; d += 64) {
        pool_columns<L, 4>(table + d, dim, ids, count, sum + d, squares);
    }
    for (; d + 16 <= dim; d += 16) {
        pool_columns<L, 1>(table + d, dim, ids, count, sum + d, squares);
    }
    if (d < dim) {
        pool_ragged<L>(table + d, dim, ids, count, dim - d, sum + d, squares);
    }
    return L::sum(squares);
}

template <class L>
constexpr PoolingTable pooling_table() {
    return {&pool_text<L>};
}

}  // namespace scrubjay::kernels
