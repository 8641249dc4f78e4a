// Validation and dispatch of the family bandwidth.
#include "scrubjay/kernels/bandwidth.h"

#include "kernels/bandwidth/variants.h"
#include "kernels/checks.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<BandwidthTable> kBandwidth{&kBandwidthScalar, SCRUBJAY_IF_AVX2(kBandwidthAvx2),
                                              SCRUBJAY_IF_AVX512(kBandwidthAvx512),
                                              SCRUBJAY_IF_NEON(kBandwidthNeon)};

}  // namespace

void triad(std::span<const float> b, std::span<const float> c, float s, std::span<float> out,
           Isa isa) {
    require_length("triad", "c", c.size(), b.size());
    require_length("triad", "out", out.size(), b.size());
    kBandwidth.of(isa).triad(b.data(), c.data(), s, out.data(), b.size(),
                             out.size_bytes() >= kStreamBytes);
}

float read_sum(std::span<const float> x, Isa isa) {
    return kBandwidth.of(isa).read_sum(x.data(), x.size());
}

}  // namespace scrubjay::kernels
