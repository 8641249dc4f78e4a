// What each instruction set supplies for the family displacement.
//
// displace returns whether every element was acceptable; its result is meaningful only then.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

struct DisplacementTable {
    bool (*displace)(const float* salience, const std::int64_t* sequence, std::size_t slots,
                     const float* incoming, std::int32_t* slot, std::size_t banks) noexcept;
    void (*activation)(const std::int64_t* anchor_us, const std::int64_t* sequence,
                       std::int64_t now_us, float lambda_per_s, float threshold, float* activation,
                       bool* kept, std::size_t n) noexcept;
};

extern const DisplacementTable kDisplacementScalar;
extern const DisplacementTable kDisplacementAvx2;
extern const DisplacementTable kDisplacementAvx512;
extern const DisplacementTable kDisplacementNeon;

}  // namespace scrubjay::kernels
