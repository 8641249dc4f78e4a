// Sixteen lanes as one AVX-512 register; names and meaning as in scalar.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

struct Avx512Lanes {
    struct F {
        __m512 v;

        SCRUBJAY_LANE F operator+(const F& b) const { return {_mm512_add_ps(v, b.v)}; }
        SCRUBJAY_LANE F operator-(const F& b) const { return {_mm512_sub_ps(v, b.v)}; }
        SCRUBJAY_LANE F operator*(const F& b) const { return {_mm512_mul_ps(v, b.v)}; }
        SCRUBJAY_LANE F operator/(const F& b) const { return {_mm512_div_ps(v, b.v)}; }
    };
    struct I {
        __m512i v;

        SCRUBJAY_LANE I operator+(const I& b) const { return {_mm512_add_epi32(v, b.v)}; }
        SCRUBJAY_LANE I operator-(const I& b) const { return {_mm512_sub_epi32(v, b.v)}; }
        SCRUBJAY_LANE I operator&(const I& b) const { return {_mm512_and_si512(v, b.v)}; }
        SCRUBJAY_LANE I operator|(const I& b) const { return {_mm512_or_si512(v, b.v)}; }
    };
    struct M {
        __mmask16 v;

        SCRUBJAY_LANE M operator&(const M& b) const { return {_kand_mask16(v, b.v)}; }
        SCRUBJAY_LANE M operator|(const M& b) const { return {_kor_mask16(v, b.v)}; }
    };

    SCRUBJAY_LANE static F load(const float* p) { return {_mm512_loadu_ps(p)}; }
    SCRUBJAY_LANE static void store(float* p, const F& a) { _mm512_storeu_ps(p, a.v); }
    SCRUBJAY_LANE static void stream(float* p, const F& a) { _mm512_stream_ps(p, a.v); }
    SCRUBJAY_LANE static void fence() { _mm_sfence(); }
    SCRUBJAY_LANE static F splat(float x) { return {_mm512_set1_ps(x)}; }
    SCRUBJAY_LANE static I splat_int(std::int32_t x) { return {_mm512_set1_epi32(x)}; }
    SCRUBJAY_LANE static F lookup(const float* table, const std::uint8_t* index) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(index));
        return {_mm512_i32gather_ps(_mm512_cvtepu8_epi32(bytes), table, 4)};
    }
    SCRUBJAY_LANE static F widen(const std::uint16_t* halves) {
        return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves)))};
    }

    SCRUBJAY_LANE static M lt(const F& a, const F& b) {
        return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)};
    }
    SCRUBJAY_LANE static M le(const F& a, const F& b) {
        return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ)};
    }
    SCRUBJAY_LANE static M eq(const F& a, const F& b) {
        return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ)};
    }
    SCRUBJAY_LANE static bool all(const M& m) { return m.v == 0xFFFFU; }
    SCRUBJAY_LANE static F choose(const M& m, const F& yes, const F& no) {
        return {_mm512_mask_blend_ps(m.v, no.v, yes.v)};
    }

    SCRUBJAY_LANE static F at_least(const F& a, const F& floor) {
        return {_mm512_max_ps(floor.v, a.v)};
    }
    SCRUBJAY_LANE static F zero_where(const M& m, const F& a) {
        return {_mm512_maskz_mov_ps(_knot_mask16(m.v), a.v)};
    }

    SCRUBJAY_LANE static I as_int(const F& a) { return {_mm512_castps_si512(a.v)}; }
    SCRUBJAY_LANE static F as_float(const I& a) { return {_mm512_castsi512_ps(a.v)}; }
    SCRUBJAY_LANE static F to_float(const I& a) { return {_mm512_cvtepi32_ps(a.v)}; }
    template <int Bits>
    SCRUBJAY_LANE static I shift_left(const I& a) {
        return {_mm512_slli_epi32(a.v, Bits)};
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_right(const I& a) {
        return {_mm512_srai_epi32(a.v, Bits)};
    }

    SCRUBJAY_LANE static float sum(const F& a) {
        const __m256 eight =
            _mm256_add_ps(_mm512_castps512_ps256(a.v), _mm512_extractf32x8_ps(a.v, 1));
        const __m128 four =
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

}  // namespace scrubjay::kernels
