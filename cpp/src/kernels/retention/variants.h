// What each instruction set supplies for the family retention.
//
// The functions return whether every element was acceptable; the results are meaningful only then.
#pragma once

#include <cstddef>

namespace scrubjay::kernels {

struct PriorInputs {
    const float* age_s;
    const float* lambda_per_s;
    const float* salience;
    const float* frequency;
};

struct PriorConstants {
    float w_recency;
    float w_salience;
    float w_frequency;
    float use_scale;  // 1 / ln(1 + F), or 1.
    float use_bound;  // 1, or infinity.
    bool fading;
};

struct RetentionTable {
    bool (*prior)(const PriorInputs& in, const PriorConstants& constants, float* out, std::size_t n,
                  bool stream) noexcept;
    bool (*score)(const float* similarity, const float* prior, float w_relevance, float* out,
                  std::size_t n, bool stream) noexcept;
};

extern const RetentionTable kRetentionScalar;
extern const RetentionTable kRetentionAvx2;
extern const RetentionTable kRetentionAvx512;
extern const RetentionTable kRetentionNeon;

}  // namespace scrubjay::kernels
