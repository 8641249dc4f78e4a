// The tile kernels on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/tile/body.h"

namespace scrubjay::kernels::tile {
namespace {

struct Lanes : Avx2Lanes {
    // A 64-bit integer in [0, 2^63) as double, rounded once: its halves are planted into the
    // mantissas of 2^84 and 2^52, and the one inexact step is the last addition.
    SCRUBJAY_LANE static __m256d to_double(__m256i x) {
        const __m256i high_bias = _mm256_set1_epi64x(0x4530000000000000LL);
        const __m256i low_bias = _mm256_set1_epi64x(0x4330000000000000LL);
        const __m256i high = _mm256_or_si256(_mm256_srli_epi64(x, 32), high_bias);
        const __m256i low = _mm256_blend_epi32(x, low_bias, 0xAA);
        const __m256d both_biases = _mm256_set1_pd(0x1.0p84 + 0x1.0p52);
        return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), both_biases),
                             _mm256_castsi256_pd(low));
    }
    SCRUBJAY_LANE static __m128 four_ages(const Micros* last, __m256i now) {
        const __m256i then = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(last));
        const __m256i age =
            _mm256_and_si256(_mm256_cmpgt_epi64(now, then), _mm256_sub_epi64(now, then));
        return _mm256_cvtpd_ps(_mm256_mul_pd(to_double(age), _mm256_set1_pd(1e-6)));
    }
    SCRUBJAY_LANE static F ages(const Micros* last, Micros now) {
        const __m256i instant = _mm256_set1_epi64x(now);
        return {_mm256_set_m128(four_ages(last + 4, instant), four_ages(last, instant)),
                _mm256_set_m128(four_ages(last + 12, instant), four_ages(last + 8, instant))};
    }
    SCRUBJAY_LANE static I load_int(const std::int32_t* p) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 8))};
    }
};

}  // namespace

const TileTable kAvx2 = table_of<Lanes>();

}  // namespace scrubjay::kernels::tile
