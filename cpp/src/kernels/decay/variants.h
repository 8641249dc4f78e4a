// What each instruction set supplies for the family decay.
//
// The functions return whether every element was acceptable; the results are meaningful only then.
// `factor` has 256 entries; those without a category hold NaN, so that a category without a factor
// shows in the result. REQUIRES out not to overlap an input unless it equals value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

struct DecayTable {
    bool (*by_item)(const float* value, const float* lambda_per_s, const float* dt_s, float* out,
                    std::size_t n, bool stream) noexcept;
    bool (*by_category)(const float* value, const std::uint8_t* category, const float* factor,
                        float* out, std::size_t n, bool stream) noexcept;
};

extern const DecayTable kDecayScalar;
extern const DecayTable kDecayAvx2;
extern const DecayTable kDecayAvx512;
extern const DecayTable kDecayNeon;

}  // namespace scrubjay::kernels
