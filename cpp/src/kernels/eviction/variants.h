// What each instruction set supplies for the family eviction.
#pragma once

#include <cstddef>

namespace scrubjay::kernels {

struct EvictionConstants {
    double w_recency;
    double w_salience;
    double w_frequency;
    double use_scale;  // 1 / ln(1 + F), or 1.
    double use_bound;  // 1, or infinity.
    double threshold;
};

struct EvictionTable {
    void (*delay)(const double* lambda_per_s, const float* salience, const float* frequency,
                  const EvictionConstants& constants, double* out, std::size_t n) noexcept;
};

extern const EvictionTable kEvictionScalar;
extern const EvictionTable kEvictionAvx2;
extern const EvictionTable kEvictionAvx512;
extern const EvictionTable kEvictionNeon;

}  // namespace scrubjay::kernels
