// The displacement kernels over any lane struct.
#pragma once

#include "kernels/decay/lanes_decay.h"
#include "kernels/displacement/variants.h"

namespace scrubjay::kernels {

// A buffer has about five slots, so one is decided by selections in registers, without a branch
// that depends on the data: a full row and a row with room cost the same.
template <class L>
SCRUBJAY_LANE std::int32_t choose_slot(const float* salience, const std::int64_t* sequence,
                                       std::size_t slots, float incoming, bool& good) {
    std::int32_t first_free = -1;
    std::int32_t least = 0;
    float least_salience = __builtin_inff();
    std::int64_t least_sequence = 0;
    for (std::size_t c = 0; c < slots; ++c) {
        const bool vacant = sequence[c] < 0;
        const float s = salience[c];
        const bool lower = (!vacant) & ((s < least_salience) |
                                        ((s == least_salience) & (sequence[c] < least_sequence)));
        least = lower ? static_cast<std::int32_t>(c) : least;
        least_salience = lower ? s : least_salience;
        least_sequence = lower ? sequence[c] : least_sequence;
        first_free = (vacant & (first_free < 0)) ? static_cast<std::int32_t>(c) : first_free;
        good &= vacant | ((s >= 0.0F) & (s <= 1.0F));
    }
    good &= (incoming >= 0.0F) & (incoming <= 1.0F);
    const std::int32_t displaced = incoming > least_salience ? least : -1;
    return first_free >= 0 ? first_free : displaced;
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
