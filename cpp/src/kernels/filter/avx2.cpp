// The filters on AVX2: comparisons give all-ones lanes, whose sign bits are collected.
#include <immintrin.h>

#include "kernels/filter/body.h"

namespace scrubjay::kernels::filter {
namespace {

struct Tile {
    SCRUBJAY_LANE static __m256i load(const void* p) {
        return _mm256_loadu_si256(static_cast<const __m256i*>(p));
    }
    SCRUBJAY_LANE static __m256i splat(std::uint8_t value) {
        return _mm256_set1_epi8(static_cast<char>(value));
    }
    // The words of two halves of 32 byte lanes.
    template <class Pass>
    SCRUBJAY_LANE static std::uint64_t of_bytes(const std::uint8_t* p, Pass pass) {
        const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(pass(load(p))));
        const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(pass(load(p + 32))));
        return low | (static_cast<std::uint64_t>(high) << 32U);
    }
    // The word of eight groups of eight 32-bit lanes.
    template <class Pass>
    SCRUBJAY_LANE static std::uint64_t of_words(Pass pass) {
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 8; ++k) {
            const __m256 lanes = _mm256_castsi256_ps(pass(8 * k));
            word |= static_cast<std::uint64_t>(_mm256_movemask_ps(lanes)) << (8 * k);
        }
        return word;
    }
    // Byte c / 8 of the set, and in it bit c % 8. The upper half of every lane's table is not
    // reached by codes below 64.
    SCRUBJAY_LANE static std::uint64_t codes(const std::uint8_t* p, std::uint64_t allowed) {
        const __m256i bytes = _mm256_set1_epi64x(static_cast<long long>(allowed));
        const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
        return of_bytes(p, [&](__m256i code) SCRUBJAY_LANE_LAMBDA {
            const __m256i at = _mm256_and_si256(_mm256_srli_epi16(code, 3), splat(7));
            const __m256i bit = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(code, splat(7)));
            return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(bytes, at), bit), bit);
        });
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const std::uint8_t* p, std::uint8_t least) {
        return of_bytes(p, [&](__m256i c) SCRUBJAY_LANE_LAMBDA {
            return _mm256_cmpeq_epi8(_mm256_max_epu8(c, splat(least)), c);
        });
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const float* p, float least) {
        const __m256 bar = _mm256_set1_ps(least);
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            return _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(p + i), bar, _CMP_GE_OQ));
        });
    }
    SCRUBJAY_LANE static std::uint64_t bits(const std::uint8_t* p, std::uint8_t mask,
                                            std::uint8_t value) {
        return of_bytes(p, [&](__m256i c) SCRUBJAY_LANE_LAMBDA {
            return _mm256_cmpeq_epi8(_mm256_and_si256(c, splat(mask)), splat(value));
        });
    }
    SCRUBJAY_LANE static std::uint64_t window(const Micros* p, Micros from, Micros to) {
        const __m256i first = _mm256_set1_epi64x(from);
        const __m256i last = _mm256_set1_epi64x(to);
        std::uint64_t word = 0;
        for (unsigned k = 0; k < 16; ++k) {
            const __m256i instant = load(p + 4 * k);
            const __m256i early = _mm256_cmpgt_epi64(first, instant);
            const __m256i pass = _mm256_andnot_si256(early, _mm256_cmpgt_epi64(last, instant));
            const int four = _mm256_movemask_pd(_mm256_castsi256_pd(pass));
            word |= static_cast<std::uint64_t>(four) << (4 * k);
        }
        return word;
    }
    SCRUBJAY_LANE static std::uint64_t equal(const std::uint32_t* p, std::uint32_t member) {
        const __m256i wanted = _mm256_set1_epi32(static_cast<int>(member));
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            return _mm256_cmpeq_epi32(load(p + i), wanted);
        });
    }
    SCRUBJAY_LANE static std::uint64_t folded(const std::uint32_t* p, const std::uint32_t* map,
                                              std::uint32_t fold, std::uint32_t most) {
        const __m256i within = _mm256_set1_epi32(static_cast<int>(fold));
        const __m256i largest = _mm256_set1_epi32(static_cast<int>(most));
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            const __m256i number = load(p + i);
            const __m256i at = _mm256_srli_epi32(_mm256_and_si256(number, within), 5);
            const __m256i part = _mm256_i32gather_epi32(reinterpret_cast<const int*>(map), at, 4);
            // Moves the wanted bit to the sign.
            const __m256i low = _mm256_and_si256(number, _mm256_set1_epi32(31));
            const __m256i bit =
                _mm256_sllv_epi32(part, _mm256_sub_epi32(_mm256_set1_epi32(31), low));
            return _mm256_and_si256(bit,
                                    _mm256_cmpeq_epi32(_mm256_max_epu32(number, largest), largest));
        });
    }
};

}  // namespace

const FilterTable kAvx2 = table_of<Tile>();

}  // namespace scrubjay::kernels::filter
