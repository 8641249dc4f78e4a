// The tile kernels on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/tile/body.h"

namespace scrubjay::kernels::tile {
namespace {

struct Lanes : Avx512Lanes {
    SCRUBJAY_LANE static __m256 eight_ages(const Micros* last, __m512i now) {
        const __m512i age = _mm512_sub_epi64(now, _mm512_min_epi64(_mm512_loadu_si512(last), now));
        const __m512d seconds = _mm512_mul_pd(_mm512_cvtepi64_pd(age), _mm512_set1_pd(1e-6));
        return _mm512_cvtpd_ps(seconds);
    }
    SCRUBJAY_LANE static F ages(const Micros* last, Micros now) {
        const __m512i instant = _mm512_set1_epi64(now);
        const __m512 low = _mm512_castps256_ps512(eight_ages(last, instant));
        return {_mm512_insertf32x8(low, eight_ages(last + 8, instant), 1)};
    }
    SCRUBJAY_LANE static I load_int(const std::int32_t* p) { return {_mm512_loadu_si512(p)}; }
};

}  // namespace

const TileTable kAvx512 = table_of<Lanes>();

}  // namespace scrubjay::kernels::tile
