// Walks an elementwise kernel over arrays of any length and any float alignment.
//
// A kernel supplies `step(block)`, which computes sixteen results from a Block. A whole block reads
// its arrays in place; the ragged head and tail read through a small buffer whose spare lanes hold
// a fill value that the kernel names as harmless. Every element passes through the same sixteen-lane
// arithmetic, so its bits do not depend on where in the array it stands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

// Sixteen neighbours starting at `at`, of which the first `count` exist.
template <class L>
struct Block {
    std::size_t at;
    int count;

    SCRUBJAY_LANE typename L::F load(const float* array, float fill) const {
        if (count == 16) {
            return L::load(array + at);
        }
        float buffer[16];
        for (int k = 0; k < 16; ++k) {
            buffer[k] = k < count ? array[at + static_cast<std::size_t>(k)] : fill;
        }
        return L::load(buffer);
    }

    SCRUBJAY_LANE typename L::F lookup(const float* table, const std::uint8_t* index) const {
        if (count == 16) {
            return L::lookup(table, index + at);
        }
        std::uint8_t buffer[16];
        for (int k = 0; k < 16; ++k) {
            // Spare lanes repeat the first index, which the block's own check covers.
            buffer[k] = index[k < count ? at + static_cast<std::size_t>(k) : at];
        }
        return L::lookup(table, buffer);
    }

    SCRUBJAY_LANE void store(float* out, const typename L::F& result) const {
        if (count == 16) {
            L::store(out + at, result);
            return;
        }
        float buffer[16];
        L::store(buffer, result);
        for (int k = 0; k < count; ++k) {
            out[at + static_cast<std::size_t>(k)] = buffer[k];
        }
    }
};

// out[i] = step(i) for all i < n. With `stream` the aligned middle is written past the cache.
template <class L, class Step>
SCRUBJAY_LANE void sweep(float* out, std::size_t n, bool stream, Step step) {
    std::size_t i = 0;
    if (stream) {
        const std::size_t astray = reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(float);
        const std::size_t head = astray == 0 ? 0 : 16 - astray;
        if (head > 0 && head <= n) {
            const Block<L> block{0, static_cast<int>(head)};
            block.store(out, step(block));
            i = head;
        }
        for (; i + 16 <= n; i += 16) {
            L::stream(out + i, step(Block<L>{i, 16}));
        }
        L::fence();
    } else {
        for (; i + 16 <= n; i += 16) {
            L::store(out + i, step(Block<L>{i, 16}));
        }
    }
    if (i < n) {
        const Block<L> block{i, static_cast<int>(n - i)};
        block.store(out, step(block));
    }
}

}  // namespace scrubjay::kernels
