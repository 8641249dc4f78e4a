// Sketch sums on AVX2: a shuffle looks one group up for 32 rows; even and odd rows add up apart.
#include <immintrin.h>

#include "kernels/sketch/tables.h"

namespace scrubjay::kernels::sketch {
namespace {

void add_bytes(__m256i values, __m256i& even, __m256i& odd) {
    even = _mm256_add_epi16(even, _mm256_and_si256(values, _mm256_set1_epi16(0xFF)));
    odd = _mm256_add_epi16(odd, _mm256_srli_epi16(values, 8));
}

// Writes 32 sums in the order of their rows.
void store(__m256i even, __m256i odd, std::uint16_t* out) {
    const __m256i low = _mm256_unpacklo_epi16(even, odd);
    const __m256i high = _mm256_unpackhi_epi16(even, odd);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 16),
                        _mm256_permute2x128_si256(low, high, 0x31));
}

void sums(const std::uint8_t* table, const std::uint8_t* tile, std::size_t groups,
          std::uint16_t* out) noexcept {
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i even = _mm256_setzero_si256();
    __m256i odd = even;
    __m256i even_high = even;
    __m256i odd_high = even;
    for (std::size_t g = 0; g < groups; ++g) {
        const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tile + 32 * g));
        const __m256i values = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * g)));
        const __m256i low = _mm256_and_si256(pairs, mask);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(pairs, 4), mask);
        add_bytes(_mm256_shuffle_epi8(values, low), even, odd);
        add_bytes(_mm256_shuffle_epi8(values, high), even_high, odd_high);
    }
    store(even, odd, out);
    store(even_high, odd_high, out + 32);
}

}  // namespace

const SketchTable kAvx2 = {&sums};

}  // namespace scrubjay::kernels::sketch
