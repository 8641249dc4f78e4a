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
#pragma once

#include <cstddef>
#include <cstdint>

#include "scrubjay/base/types.h"

namespace scrubjay::kernels {

// Bytes between the line being computed and the line being fetched: about as much as one core keeps
// in flight (bandwidth x latency, 25 GB/s x 100 ns), measured best at 2-4 KiB.
inline constexpr std::size_t kFetchAhead = 4096;
inline constexpr std::size_t kLine = 64;

// Codes after which 32-bit lanes are emptied into 64 bits: 4096 / 16 lanes * 2^7 * 2^15 = 2^30.
inline constexpr std::size_t kIntChunk = 4096;

template <class L, class T>
float dot_one(const T* row, const float* query, std::size_t dim) noexcept {
    typename L::Float acc = L::zero();
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        acc = L::step(acc, row + i, query + i);
    }
    if (i < dim) {
        acc = L::tail(acc, row + i, query + i, dim - i);
    }
    return L::sum(acc);
}

template <class L>
std::int32_t idot_chunk(const std::int8_t* row, const std::int16_t* query,
                        std::size_t dim) noexcept {
    typename L::Int acc = L::izero();
    std::size_t i = 0;
    for (; i + L::kIntStep <= dim; i += L::kIntStep) {
        acc = L::istep(acc, row + i, query + i);
    }
    if (i < dim) {
        acc = L::itail(acc, row + i, query + i, dim - i);
    }
    return L::isum(acc);
}

// The folded sum of a chunk may pass 2^31 although no lane does, so it is folded in 64 bits.
template <class L>
std::int64_t idot_one(const std::int8_t* row, const std::int16_t* query, std::size_t dim) noexcept {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < dim; i += kIntChunk) {
        const std::size_t length = dim - i < kIntChunk ? dim - i : kIntChunk;
        typename L::Int acc = L::izero();
        std::size_t j = 0;
        for (; j + L::kIntStep <= length; j += L::kIntStep) {
            acc = L::istep(acc, row + i + j, query + i + j);
        }
        if (j < length) {
            acc = L::itail(acc, row + i + j, query + i + j, length - j);
        }
        total += L::isum_wide(acc);
    }
    return total;
}

// Four rows at once hide the latency of the additions; each row keeps its own accumulator, so the
// result of a row does not depend on its neighbours.
template <class L, class T>
void dot_four(const float* query, const T* const* row, std::size_t dim, bool fetch,
              float* out) noexcept {
    constexpr std::size_t kPerLine = kLine / sizeof(T);
    constexpr std::size_t kAhead = kFetchAhead / sizeof(T);
    typename L::Float a = L::zero();
    typename L::Float b = L::zero();
    typename L::Float c = L::zero();
    typename L::Float d = L::zero();
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        if (fetch && i % kPerLine == 0) {
            L::fetch(row[0] + i + kAhead);
            L::fetch(row[1] + i + kAhead);
            L::fetch(row[2] + i + kAhead);
            L::fetch(row[3] + i + kAhead);
        }
        a = L::step(a, row[0] + i, query + i);
        b = L::step(b, row[1] + i, query + i);
        c = L::step(c, row[2] + i, query + i);
        d = L::step(d, row[3] + i, query + i);
    }
    if (i < dim) {
        a = L::tail(a, row[0] + i, query + i, dim - i);
        b = L::tail(b, row[1] + i, query + i, dim - i);
        c = L::tail(c, row[2] + i, query + i, dim - i);
        d = L::tail(d, row[3] + i, query + i, dim - i);
    }
    L::sum4(a, b, c, d, out);
}

template <class L>
void dot_four(const std::int16_t* query, const std::int8_t* const* row, std::size_t dim, bool fetch,
              std::int32_t* out) noexcept {
    typename L::Int a = L::izero();
    typename L::Int b = L::izero();
    typename L::Int c = L::izero();
    typename L::Int d = L::izero();
    std::size_t i = 0;
    for (; i + L::kIntStep <= dim; i += L::kIntStep) {
        if (fetch && i % kLine == 0) {
            L::fetch(row[0] + i + kFetchAhead);
            L::fetch(row[1] + i + kFetchAhead);
            L::fetch(row[2] + i + kFetchAhead);
            L::fetch(row[3] + i + kFetchAhead);
        }
        a = L::istep(a, row[0] + i, query + i);
        b = L::istep(b, row[1] + i, query + i);
        c = L::istep(c, row[2] + i, query + i);
        d = L::istep(d, row[3] + i, query + i);
    }
    if (i < dim) {
        a = L::itail(a, row[0] + i, query + i, dim - i);
        b = L::itail(b, row[1] + i, query + i, dim - i);
        c = L::itail(c, row[2] + i, query + i, dim - i);
        d = L::itail(d, row[3] + i, query + i, dim - i);
    }
    L::isum4(a, b, c, d, out);
}

template <class L, class T>
float one_of(const float* query, const T* row, std::size_t dim) noexcept {
    return dot_one<L>(row, query, dim);
}

template <class L>
std::int32_t one_of(const std::int16_t* query, const std::int8_t* row, std::size_t dim) noexcept {
    return idot_chunk<L>(row, query, dim);
}

template <class L, class Q, class T, class R>
void scan_rows(const Q* query, const T* rows, std::size_t stride, std::size_t dim,
               std::size_t count, R* out) noexcept {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        const T* const four[4] = {rows + r * stride, rows + (r + 1) * stride,
                                  rows + (r + 2) * stride, rows + (r + 3) * stride};
        dot_four<L>(query, four, dim, true, out + r);
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
        dot_four<L>(query, four, dim, false, out + r);
    }
    for (; r < count; ++r) {
        out[r] = one_of<L>(query, rows + slots[r] * stride, dim);
    }
}

}  // namespace scrubjay::kernels
