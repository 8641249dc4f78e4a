// What each instruction set supplies for the family numerics.
//
// The functions return whether every element was acceptable; the results are meaningful only then.
// REQUIRES out not to overlap x, or to be x itself.
#pragma once

#include <cstddef>

namespace scrubjay::kernels {

struct NumericsTable {
    bool (*exp)(const float* x, float* out, std::size_t n, bool stream) noexcept;
    bool (*log)(const float* x, float* out, std::size_t n, bool stream) noexcept;
};

extern const NumericsTable kNumericsScalar;
extern const NumericsTable kNumericsAvx2;
extern const NumericsTable kNumericsAvx512;
extern const NumericsTable kNumericsNeon;

}  // namespace scrubjay::kernels
