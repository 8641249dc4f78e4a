// The filters on AVX-512: comparisons give masks, which are the bits wanted.
#include <immintrin.h>

#include "kernels/filter/body.h"

namespace scrubjay::kernels::filter {
namespace {

struct Tile {
    SCRUBJAY_LANE static __m512i load(const void* p) { return _mm512_loadu_si512(p); }
    SCRUBJAY_LANE static __m512i splat(std::uint8_t value) {
        return _mm512_set1_epi8(static_cast<char>(value));
    }
    // Byte c / 8 of the set, and in it bit c % 8. The upper half of every lane's table is not
    // reached by codes below 64.
    SCRUBJAY_LANE static std::uint64_t codes(const std::uint8_t* p, std::uint64_t allowed) {
        const __m512i code = load(p);
        const __m512i bytes = _mm512_set1_epi64(static_cast<long long>(allowed));
        const __m512i bit_of = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201ULL));
        const __m512i at = _mm512_and_si512(_mm512_srli_epi16(code, 3), splat(7));
        const __m512i byte = _mm512_shuffle_epi8(bytes, at);
        const __m512i bit = _mm512_shuffle_epi8(bit_of, _mm512_and_si512(code, splat(7)));
        return _mm512_test_epi8_mask(byte, bit);
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const std::uint8_t* p, std::uint8_t least) {
        return _mm512_cmpge_epu8_mask(load(p), splat(least));
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const float* p, float least) {
        const __m512 bar = _mm512_set1_ps(least);
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const __mmask16 pass = _mm512_cmp_ps_mask(_mm512_loadu_ps(p + 16 * k), bar, _CMP_GE_OQ);
            word |= static_cast<std::uint64_t>(pass) << (16 * k);
        }
        return word;
    }
    SCRUBJAY_LANE static std::uint64_t bits(const std::uint8_t* p, std::uint8_t mask,
                                            std::uint8_t value) {
        return _mm512_cmpeq_epi8_mask(_mm512_and_si512(load(p), splat(mask)), splat(value));
    }
    SCRUBJAY_LANE static std::uint64_t window(const Micros* p, Micros from, Micros to) {
        const __m512i first = _mm512_set1_epi64(from);
        const __m512i last = _mm512_set1_epi64(to);
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 8; ++k) {
            const __m512i instant = load(p + 8 * k);
            const __mmask8 begun = _mm512_cmpge_epi64_mask(instant, first);
            const __mmask8 pass = _mm512_mask_cmplt_epi64_mask(begun, instant, last);
            word |= static_cast<std::uint64_t>(pass) << (8 * k);
        }
        return word;
    }
    SCRUBJAY_LANE static std::uint64_t equal(const std::uint32_t* p, std::uint32_t member) {
        const __m512i wanted = _mm512_set1_epi32(static_cast<int>(member));
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const __mmask16 pass = _mm512_cmpeq_epi32_mask(load(p + 16 * k), wanted);
            word |= static_cast<std::uint64_t>(pass) << (16 * k);
        }
        return word;
    }
    SCRUBJAY_LANE static std::uint64_t folded(const std::uint32_t* p, const std::uint32_t* map,
                                              std::uint32_t fold, std::uint32_t most) {
        const __m512i within = _mm512_set1_epi32(static_cast<int>(fold));
        const __m512i largest = _mm512_set1_epi32(static_cast<int>(most));
        const __m512i one = _mm512_set1_epi32(1);
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const __m512i number = load(p + 16 * k);
            const __m512i at = _mm512_srli_epi32(_mm512_and_si512(number, within), 5);
            const __m512i part = _mm512_i32gather_epi32(at, map, 4);
            const __m512i low = _mm512_and_si512(number, _mm512_set1_epi32(31));
            const __m512i bit = _mm512_sllv_epi32(one, low);
            const __mmask16 pass =
                _mm512_mask_test_epi32_mask(_mm512_cmple_epu32_mask(number, largest), part, bit);
            word |= static_cast<std::uint64_t>(pass) << (16 * k);
        }
        return word;
    }
};

}  // namespace

const FilterTable kAvx512 = table_of<Tile>();

}  // namespace scrubjay::kernels::filter
