// Validation and dispatch of the family displacement.
#include "scrubjay/kernels/displacement.h"

#include "kernels/checks.h"
#include "kernels/displacement/variants.h"
#include "kernels/numerics/log_f64.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<DisplacementTable> kDisplacement{
    &kDisplacementScalar, SCRUBJAY_IF_AVX2(kDisplacementAvx2),
    SCRUBJAY_IF_AVX512(kDisplacementAvx512), SCRUBJAY_IF_NEON(kDisplacementNeon)};

constexpr std::size_t kMostSlots = 1U << 20U;

bool is_salience(float x) { return x >= 0.0F && x <= 1.0F; }

}  // namespace

void displace(std::span<const float> salience, std::span<const std::int64_t> sequence,
              std::size_t slots, std::span<const float> incoming, std::span<std::int32_t> slot,
              Isa isa) {
    constexpr std::string_view fn = "displace";
    require_scalar(slots >= 1 && slots <= kMostSlots, fn, "number of slots",
                   static_cast<double>(slots), "1 to 1048576");
    require_length(fn, "salience", salience.size(), incoming.size() * slots);
    require_length(fn, "sequence", sequence.size(), salience.size());
    require_length(fn, "slot", slot.size(), incoming.size());
    if (kDisplacement.of(isa).displace(salience.data(), sequence.data(), slots, incoming.data(),
                                       slot.data(), incoming.size())) {
        return;
    }
    require_each(fn, "incoming", incoming, is_salience, "a number from 0 to 1");
    for (std::size_t i = 0; i < salience.size(); ++i) {
        if (sequence[i] >= 0 && !is_salience(salience[i])) {
            refuse_element(fn, "salience", i, static_cast<double>(salience[i]),
                           "a number from 0 to 1 in an occupied slot");
        }
    }
}

void bank_activation(std::span<const Micros> anchor_us, std::span<const std::int64_t> sequence,
                     Micros now_us, double decay_rate_per_s, double threshold,
                     std::span<float> activation, std::span<bool> kept, Isa isa) {
    constexpr std::string_view fn = "bank_activation";
    require_length(fn, "sequence", sequence.size(), anchor_us.size());
    require_length(fn, "activation", activation.size(), anchor_us.size());
    require_length(fn, "kept", kept.size(), anchor_us.size());
    require_scalar(decay_rate_per_s >= 0.0 && decay_rate_per_s < 1.0, fn, "decay_rate_per_s",
                   decay_rate_per_s, "a number >= 0 and below 1");
    require_scalar(threshold >= 0.0 && threshold <= 1.0, fn, "threshold", threshold,
                   "a number from 0 to 1");
    // (1 - r)^age = e^(-lambda age). A rate too small for 1 - r to differ from 1 means no decay.
    const double lambda = -log_f64(1.0 - decay_rate_per_s);
    kDisplacement.of(isa).activation(anchor_us.data(), sequence.data(), now_us,
                                     static_cast<float>(lambda), static_cast<float>(threshold),
                                     activation.data(), kept.data(), anchor_us.size());
}

}  // namespace scrubjay::kernels
