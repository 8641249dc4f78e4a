// Sketch sums on AVX-512: two groups at a time, one in each half of a register.
#include <immintrin.h>

#include "kernels/sketch/tables.h"

namespace scrubjay::kernels::sketch {
namespace {

void add_bytes(__m512i values, __m512i& even, __m512i& odd) {
    even = _mm512_add_epi16(even, _mm512_and_si512(values, _mm512_set1_epi16(0xFF)));
    odd = _mm512_add_epi16(odd, _mm512_srli_epi16(values, 8));
}

__m256i halves(__m512i sums) {
    return _mm256_add_epi16(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
}

// Writes 32 sums in the order of their rows.
void store(__m512i even, __m512i odd, std::uint16_t* out) {
    const __m256i low = _mm256_unpacklo_epi16(halves(even), halves(odd));
    const __m256i high = _mm256_unpackhi_epi16(halves(even), halves(odd));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 16),
                        _mm256_permute2x128_si256(low, high, 0x31));
}

void sums(const std::uint8_t* table, const std::uint8_t* tile, std::size_t groups,
          std::uint16_t* out) noexcept {
    const __m512i mask = _mm512_set1_epi8(15);
    const __m512i twice = _mm512_setr_epi64(0, 1, 0, 1, 2, 3, 2, 3);
    __m512i even = _mm512_setzero_si512();
    __m512i odd = even;
    __m512i even_high = even;
    __m512i odd_high = even;
    for (std::size_t g = 0; g < groups; g += 2) {
        const __m512i pairs = _mm512_loadu_si512(tile + 32 * g);
        const __m512i values = _mm512_permutexvar_epi64(
            twice, _mm512_zextsi256_si512(
                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table + 16 * g))));
        const __m512i low = _mm512_and_si512(pairs, mask);
        const __m512i high = _mm512_and_si512(_mm512_srli_epi16(pairs, 4), mask);
        add_bytes(_mm512_shuffle_epi8(values, low), even, odd);
        add_bytes(_mm512_shuffle_epi8(values, high), even_high, odd_high);
    }
    store(even, odd, out);
    store(even_high, odd_high, out + 32);
}

}  // namespace

const SketchTable kAvx512 = {&sums};

}  // namespace scrubjay::kernels::sketch
