// The displacement kernels over any lane struct.
#pragma once

#include "kernels/decay/lanes_decay.h"
#include "kernels/displacement/variants.h"

namespace scrubjay::kernels {

// All ones unless the bits are those of a number in [0, 1]: as unsigned integers, those of negative
// numbers, of NaN and of anything larger lie above the bits of 1.
SCRUBJAY_LANE std::int32_t outside_unit(std::int32_t bits) {
    constexpr std::uint32_t kOne = 0x3F800000U;
    return -static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) > kOne);
}

// A buffer has about five slots. Salience is compared by its bits, which order non-negative floats
// as integers, and every choice is a mask: data-dependent branches would be mispredicted once a row.
template <class L>
SCRUBJAY_LANE std::int32_t choose_slot(const float* salience, const std::int64_t* sequence,
                                       std::size_t slots, float incoming, bool& good) {
    std::int32_t least = 0x7FFFFFFF;
    std::int64_t oldest = 0x7FFFFFFFFFFFFFFF;
    std::int32_t displaced = -1;
    std::int32_t first_free = -1;
    std::int32_t outside = 0;
    for (std::size_t c = 0; c < slots; ++c) {
        const auto position = static_cast<std::int32_t>(c);
        const auto vacant = static_cast<std::int32_t>(sequence[c] >> 63);
        // Adding zero turns -0 into +0.
        const std::int32_t s = __builtin_bit_cast(std::int32_t, salience[c] + 0.0F);
        const std::int32_t below = -static_cast<std::int32_t>(s < least);
        const std::int32_t equal = -static_cast<std::int32_t>(s == least);
        const std::int32_t older = -static_cast<std::int32_t>(sequence[c] < oldest);
        const std::int32_t take = ~vacant & (below | (equal & older));
        const std::int64_t take_wide = take;
        least ^= (least ^ s) & take;
        oldest ^= (oldest ^ sequence[c]) & take_wide;
        displaced ^= (displaced ^ position) & take;
        first_free ^= (first_free ^ position) & (vacant & (first_free >> 31));
        outside |= ~vacant & outside_unit(s);
    }
    const std::int32_t arriving = __builtin_bit_cast(std::int32_t, incoming + 0.0F);
    outside |= outside_unit(arriving);
    good &= outside == 0;
    const std::int32_t refused = -static_cast<std::int32_t>(arriving <= least);
    const std::int32_t full = first_free >> 31;
    return (first_free & ~full) | ((displaced | refused) & full);
}

template <class L>
bool displace_banks(const float* salience, const std::int64_t* sequence, std::size_t slots,
                    const float* incoming, std::int32_t* slot, std::size_t banks) noexcept {
    bool good = true;
    for (std::size_t b = 0; b < banks; ++b) {
        slot[b] =
            choose_slot<L>(salience + b * slots, sequence + b * slots, slots, incoming[b], good);
    }
    return good;
}

template <class L>
void activation_sweep(const std::int64_t* anchor_us, const std::int64_t* sequence,
                      std::int64_t now_us, float lambda_per_s, float threshold, float* activation,
                      bool* kept, std::size_t n) noexcept {
    using F = typename L::F;
    const F lambda = L::splat(lambda_per_s);
    const auto now = static_cast<std::uint64_t>(now_us);
    for (std::size_t i = 0; i < n; i += 16) {
        const std::size_t count = n - i < 16 ? n - i : 16;
        float age_s[16] = {};
        for (std::size_t k = 0; k < count; ++k) {
            const std::int64_t anchor = anchor_us[i + k];
            const std::uint64_t since = now - static_cast<std::uint64_t>(anchor);
            const std::uint64_t age = anchor < now_us ? since : 0;
            age_s[k] = static_cast<float>(static_cast<double>(age) * 1e-6);
        }
        float current[16];
        L::store(current, decay_factor<L>(lambda, L::load(age_s)));
        for (std::size_t k = 0; k < count; ++k) {
            const bool occupied = sequence[i + k] >= 0;
            activation[i + k] = occupied ? current[k] : 0.0F;
            kept[i + k] = occupied & (current[k] >= threshold);
        }
    }
}

template <class L>
constexpr DisplacementTable displacement_table() {
    return {&displace_banks<L>, &activation_sweep<L>};
}

}  // namespace scrubjay::kernels
