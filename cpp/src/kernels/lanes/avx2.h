// Sixteen lanes as two AVX2 registers; names and meaning as in scalar.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

struct Avx2Lanes {
    struct F {
        __m256 lo, hi;

        SCRUBJAY_LANE F operator+(const F& b) const {
            return {_mm256_add_ps(lo, b.lo), _mm256_add_ps(hi, b.hi)};
        }
        SCRUBJAY_LANE F operator-(const F& b) const {
            return {_mm256_sub_ps(lo, b.lo), _mm256_sub_ps(hi, b.hi)};
        }
        SCRUBJAY_LANE F operator*(const F& b) const {
            return {_mm256_mul_ps(lo, b.lo), _mm256_mul_ps(hi, b.hi)};
        }
        SCRUBJAY_LANE F operator/(const F& b) const {
            return {_mm256_div_ps(lo, b.lo), _mm256_div_ps(hi, b.hi)};
        }
    };
    struct I {
        __m256i lo, hi;

        SCRUBJAY_LANE I operator+(const I& b) const {
            return {_mm256_add_epi32(lo, b.lo), _mm256_add_epi32(hi, b.hi)};
        }
        SCRUBJAY_LANE I operator-(const I& b) const {
            return {_mm256_sub_epi32(lo, b.lo), _mm256_sub_epi32(hi, b.hi)};
        }
        SCRUBJAY_LANE I operator&(const I& b) const {
            return {_mm256_and_si256(lo, b.lo), _mm256_and_si256(hi, b.hi)};
        }
        SCRUBJAY_LANE I operator|(const I& b) const {
            return {_mm256_or_si256(lo, b.lo), _mm256_or_si256(hi, b.hi)};
        }
    };
    struct M {
        __m256 lo, hi;

        SCRUBJAY_LANE M operator&(const M& b) const {
            return {_mm256_and_ps(lo, b.lo), _mm256_and_ps(hi, b.hi)};
        }
        SCRUBJAY_LANE M operator|(const M& b) const {
            return {_mm256_or_ps(lo, b.lo), _mm256_or_ps(hi, b.hi)};
        }
    };

    SCRUBJAY_LANE static F load(const float* p) {
        return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
    }
    SCRUBJAY_LANE static void store(float* p, const F& a) {
        _mm256_storeu_ps(p, a.lo);
        _mm256_storeu_ps(p + 8, a.hi);
    }
    SCRUBJAY_LANE static void stream(float* p, const F& a) {
        _mm256_stream_ps(p, a.lo);
        _mm256_stream_ps(p + 8, a.hi);
    }
    SCRUBJAY_LANE static void fence() { _mm_sfence(); }
    SCRUBJAY_LANE static F splat(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
    SCRUBJAY_LANE static I splat_int(std::int32_t x) {
        return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)};
    }
    SCRUBJAY_LANE static F lookup(const float* table, const std::uint8_t* index) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(index));
        const __m256i lo = _mm256_cvtepu8_epi32(bytes);
        const __m256i hi = _mm256_cvtepu8_epi32(_mm_unpackhi_epi64(bytes, bytes));
        return {_mm256_i32gather_ps(table, lo, 4), _mm256_i32gather_ps(table, hi, 4)};
    }
    SCRUBJAY_LANE static F widen(const std::uint16_t* halves) {
        const auto* const p = reinterpret_cast<const __m128i*>(halves);
        return {_mm256_cvtph_ps(_mm_loadu_si128(p)), _mm256_cvtph_ps(_mm_loadu_si128(p + 1))};
    }

    SCRUBJAY_LANE static M lt(const F& a, const F& b) {
        return {_mm256_cmp_ps(a.lo, b.lo, _CMP_LT_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_LT_OQ)};
    }
    SCRUBJAY_LANE static M le(const F& a, const F& b) {
        return {_mm256_cmp_ps(a.lo, b.lo, _CMP_LE_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_LE_OQ)};
    }
    SCRUBJAY_LANE static M eq(const F& a, const F& b) {
        return {_mm256_cmp_ps(a.lo, b.lo, _CMP_EQ_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_EQ_OQ)};
    }
    SCRUBJAY_LANE static bool all(const M& m) {
        return _mm256_movemask_ps(_mm256_and_ps(m.lo, m.hi)) == 0xFF;
    }
    SCRUBJAY_LANE static F choose(const M& m, const F& yes, const F& no) {
        return {_mm256_blendv_ps(no.lo, yes.lo, m.lo), _mm256_blendv_ps(no.hi, yes.hi, m.hi)};
    }

    SCRUBJAY_LANE static F at_least(const F& a, const F& floor) {
        return {_mm256_max_ps(floor.lo, a.lo), _mm256_max_ps(floor.hi, a.hi)};
    }
    SCRUBJAY_LANE static F zero_where(const M& m, const F& a) {
        return {_mm256_andnot_ps(m.lo, a.lo), _mm256_andnot_ps(m.hi, a.hi)};
    }

    SCRUBJAY_LANE static I as_int(const F& a) {
        return {_mm256_castps_si256(a.lo), _mm256_castps_si256(a.hi)};
    }
    SCRUBJAY_LANE static F as_float(const I& a) {
        return {_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)};
    }
    SCRUBJAY_LANE static F to_float(const I& a) {
        return {_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)};
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_left(const I& a) {
        return {_mm256_slli_epi32(a.lo, Bits), _mm256_slli_epi32(a.hi, Bits)};
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_right(const I& a) {
        return {_mm256_srai_epi32(a.lo, Bits), _mm256_srai_epi32(a.hi, Bits)};
    }

    SCRUBJAY_LANE static float sum(const F& a) {
        const __m256 eight = _mm256_add_ps(a.lo, a.hi);
        const __m128 four =
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

}  // namespace scrubjay::kernels
