// What the kernel tests share: drawn columns, bitwise comparison, and the walk over lengths, odd
// places and instruction sets.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/base/rng.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels::testing {

inline constexpr std::size_t kMost = 130;
inline constexpr std::uint64_t kSeed = 20000101;

// n numbers from [low, high), a function of the key alone.
inline std::vector<float> drawn(std::size_t n, float low, float high, std::uint64_t key) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double unit = draw_unit(kSeed + key, i);
        values[i] = static_cast<float>(low + (high - low) * unit);
    }
    return values;
}

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) {
            return false;
        }
    }
    return true;
}

// Calls check(isa, begin, length) for every supported set, every length up to kMost and beginnings
// that are odd in memory; arrays of kMost + 16 items serve them all.
inline void for_each_place(const std::function<void(Isa, std::size_t, std::size_t)>& check) {
    for (const Isa isa : supported_isas()) {
        for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
            for (std::size_t length = 0; length <= kMost; ++length) {
                INFO("isa " << std::string(isa_name(isa)) << ", begin " << begin << ", length "
                            << length);
                check(isa, begin, length);
            }
        }
    }
}

}  // namespace scrubjay::kernels::testing
