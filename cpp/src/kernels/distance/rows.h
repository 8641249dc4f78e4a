// The loops of the distance family, written once over an instruction set's sixteen lanes.
//
// A per-ISA file defines, in an anonymous namespace, a struct Lanes and then includes nothing else
// that could leave an inline function behind: Lanes has internal linkage, so every template below
// that is instantiated with it has internal linkage too, and no copy compiled for one CPU can be
// linked into the path of another. For that reason nothing here comes from the standard library.
//
// Lanes provides
//     Float               sixteen float lanes;  zero()
//     step(acc, row, q)   acc + row[0..16) * q[0..16), two roundings; row is float* or Half*
//     tail(acc, row, q, n)  the same for 0 < n < 16 elements, the rest counting as zero
//     sum(acc)            the fold of distance.h
//     sum4(a, b, c, d, out)  the same fold of four accumulators
//     Int, izero(), istep(acc, row, q)   kIntStep codes against as many i16, exact 32-bit lanes
//     itail(acc, row, q, n), isum(acc), isum4(a, b, c, d, out)
//     fetch(address)      a hint to bring one cache line near
// and Squares, derived from it, has step and tail that add (row - query)^2 with three roundings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scrubjay/base/types.h"

namespace scrubjay::kernels {

// Bytes between the line being computed and the line being fetched: several times what one core has
// in flight (25 GB/s x 100 ns), so that memory stays busy while scores are computed between rows.
// Measured best from 4 to 16 KiB.
inline constexpr std::size_t kFetchAhead = 8192;
inline constexpr std::size_t kLine = 64;

// Codes after which 32-bit lanes are emptied into 64 bits. Eight lanes, the fewest of any set, then
// hold 2048 / 8 products of at most 2^7 * 2^15 each, 2^30 in all.
inline constexpr std::size_t kIntChunk = 2048;

// One row into one accumulator, front to back. The additions of a row wait for one another, but those
// of the next rows do not, and the CPU looks several rows ahead; reading memory strictly in order is
// worth more than interleaving rows (12 against 10 GB/s from DRAM, measured).
template <class L, bool Fetch, class T>
typename L::Float row_lanes(const float* query, const T* row, std::size_t dim) noexcept {
    constexpr std::size_t kPerLine = kLine / sizeof(T);
    constexpr std::size_t kAhead = kFetchAhead / sizeof(T);
    typename L::Float acc = L::zero();
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        if (Fetch && i % kPerLine == 0) {
            L::fetch(row + i + kAhead);
        }
        acc = L::step(acc, row + i, query + i);
    }
    return i < dim ? L::tail(acc, row + i, query + i, dim - i) : acc;
}

template <class L, bool Fetch>
typename L::Int row_lanes(const std::int16_t* query, const std::int8_t* row,
                          std::size_t dim) noexcept {
    typename L::Int acc = L::izero();
    std::size_t i = 0;
    for (; i + L::kIntStep <= dim; i += L::kIntStep) {
        if (Fetch && i % kLine == 0) {
            L::fetch(row + i + kFetchAhead);
        }
        acc = L::istep(acc, row + i, query + i);
    }
    return i < dim ? L::itail(acc, row + i, query + i, dim - i) : acc;
}

// Four rows, folded together: their folds share instructions, not values.
template <class L, bool Fetch, class T>
void dot_four(const float* query, const T* const* row, std::size_t dim, float* out) noexcept {
    const auto a = row_lanes<L, Fetch>(query, row[0], dim);
    const auto b = row_lanes<L, Fetch>(query, row[1], dim);
    const auto c = row_lanes<L, Fetch>(query, row[2], dim);
    const auto d = row_lanes<L, Fetch>(query, row[3], dim);
    L::sum4(a, b, c, d, out);
}

template <class L, bool Fetch>
void dot_four(const std::int16_t* query, const std::int8_t* const* row, std::size_t dim,
              std::int32_t* out) noexcept {
    const auto a = row_lanes<L, Fetch>(query, row[0], dim);
    const auto b = row_lanes<L, Fetch>(query, row[1], dim);
    const auto c = row_lanes<L, Fetch>(query, row[2], dim);
    const auto d = row_lanes<L, Fetch>(query, row[3], dim);
    L::isum4(a, b, c, d, out);
}

template <class L, class T>
float dot_one(const T* row, const float* query, std::size_t dim) noexcept {
    return L::sum(row_lanes<L, false>(query, row, dim));
}

// The folded sum of a chunk may pass 2^31 although no lane does, so it is folded in 64 bits.
template <class L>
std::int64_t idot_one(const std::int8_t* row, const std::int16_t* query, std::size_t dim) noexcept {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < dim; i += kIntChunk) {
        const std::size_t length = dim - i < kIntChunk ? dim - i : kIntChunk;
        total += L::isum_wide(row_lanes<L, false>(query + i, row + i, length));
    }
    return total;
}

template <class L, class T>
float one_of(const float* query, const T* row, std::size_t dim) noexcept {
    return dot_one<L>(row, query, dim);
}

template <class L>
std::int32_t one_of(const std::int16_t* query, const std::int8_t* row, std::size_t dim) noexcept {
    return L::isum(row_lanes<L, false>(query, row, dim));
}

template <class L, class Q, class T, class R>
void scan_rows(const Q* query, const T* rows, std::size_t stride, std::size_t dim,
               std::size_t count, R* out) noexcept {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        const T* const four[4] = {rows + r * stride, rows + (r + 1) * stride,
                                  rows + (r + 2) * stride, rows + (r + 3) * stride};
        dot_four<L, true>(query, four, dim, out + r);
    }
    for (; r < count; ++r) {
        out[r] = one_of<L>(query, rows + r * stride, dim);
    }
}

template <class L, class T>
void fetch_row(const T* row, std::size_t dim) noexcept {
    for (std::size_t i = 0; i < dim; i += kLine / sizeof(T)) {
        L::fetch(row + i);
    }
}

template <class L, class Q, class T, class R>
void at_rows(const Q* query, const T* rows, std::size_t stride, std::size_t dim,
             const std::uint32_t* slots, std::size_t count, R* out) noexcept {
    std::size_t r = 0;
    for (; r < count && r < 4; ++r) {
        fetch_row<L>(rows + slots[r] * stride, dim);
    }
    r = 0;
    for (; r + 4 <= count; r += 4) {
        for (std::size_t next = r + 4; next < count && next < r + 8; ++next) {
            fetch_row<L>(rows + slots[next] * stride, dim);
        }
        const T* const four[4] = {rows + slots[r] * stride, rows + slots[r + 1] * stride,
                                  rows + slots[r + 2] * stride, rows + slots[r + 3] * stride};
        dot_four<L, false>(query, four, dim, out + r);
    }
    for (; r < count; ++r) {
        out[r] = one_of<L>(query, rows + slots[r] * stride, dim);
    }
}

}  // namespace scrubjay::kernels
