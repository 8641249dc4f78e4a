// Chance as a function of a seed, never of a global stream.
//
// SplitMix64 turns any 64-bit state into a well mixed 64-bit word. Being a pure function of
// (seed, key) it gives an item the same draw on every platform, in every insertion order and on
// every thread.
//
// Thread-safety: pure functions. Cost: a few cycles.
// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#pragma once

#include <cstdint>

namespace scrubjay {

// The finaliser of SplitMix64: a bijection of 64-bit words.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

// The draw that belongs to key under seed.
[[nodiscard]] constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t key) noexcept {
    constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15ULL;
    return mix64(mix64(seed + kGoldenGamma) + (key + 1) * kGoldenGamma);
}

// The same draw as a number in [0, 1) with 53 random bits.
[[nodiscard]] constexpr double draw_unit(std::uint64_t seed, std::uint64_t key) noexcept {
    return static_cast<double>(draw(seed, key) >> 11U) * 0x1.0p-53;
}

}  // namespace scrubjay
