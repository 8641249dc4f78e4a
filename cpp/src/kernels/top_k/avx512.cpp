// Selection on AVX-512: compare sixteen, compress the positions that pass.
#include <immintrin.h>

#include "kernels/top_k/tables.h"

namespace scrubjay::kernels::best {
namespace {

// Stores only what passed: out has room for count positions and not for a whole register more.
std::size_t at_least(const float* scores, std::size_t count, float threshold,
                     std::uint32_t* out) noexcept {
    const __m512 bar = _mm512_set1_ps(threshold);
    __m512i position = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += 16) {
        const std::size_t left = count - i;
        const auto there = static_cast<__mmask16>(left < 16 ? (1U << left) - 1U : 0xFFFFU);
        const __m512 score = _mm512_maskz_loadu_ps(there, scores + i);
        const __mmask16 pass = _mm512_mask_cmp_ps_mask(there, score, bar, _CMP_GE_OQ);
        if (pass != 0) {
            _mm512_mask_compressstoreu_epi32(out + found, pass, position);
            found += static_cast<std::size_t>(__builtin_popcount(pass));
        }
        position = _mm512_add_epi32(position, _mm512_set1_epi32(16));
    }
    return found;
}

}  // namespace

const TopKTable kAvx512 = {&at_least};

}  // namespace scrubjay::kernels::best
