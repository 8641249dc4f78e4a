// What each instruction set supplies for the family bandwidth.
#pragma once

#include <cstddef>

namespace scrubjay::kernels {

struct BandwidthTable {
    void (*triad)(const float* b, const float* c, float s, float* out, std::size_t n,
                  bool stream) noexcept;
    float (*read_sum)(const float* x, std::size_t n) noexcept;
};

extern const BandwidthTable kBandwidthScalar;
extern const BandwidthTable kBandwidthAvx2;
extern const BandwidthTable kBandwidthAvx512;
extern const BandwidthTable kBandwidthNeon;

}  // namespace scrubjay::kernels
