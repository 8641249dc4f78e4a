// The distance loops on AVX-512: one register is the sixteen lanes.
#include <immintrin.h>

#include "kernels/distance/rows.h"
#include "kernels/distance/tables.h"

namespace scrubjay::kernels::distance {
namespace {

struct Lanes {
    using Float = __m512;
    using Int = __m512i;
    static constexpr std::size_t kIntStep = 32;

    static Float zero() noexcept { return _mm512_setzero_ps(); }
    static Int izero() noexcept { return _mm512_setzero_si512(); }

    static void fetch(const void* address) noexcept {
        _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
    }

    static Float add_product(Float acc, Float row, Float query) noexcept {
        return _mm512_add_ps(acc, _mm512_mul_ps(row, query));
    }

    static Float step(Float acc, const float* row, const float* query) noexcept {
        return add_product(acc, _mm512_loadu_ps(row), _mm512_loadu_ps(query));
    }

    static Float step(Float acc, const Half* row, const float* query) noexcept {
        const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
        return add_product(acc, _mm512_cvtph_ps(bits), _mm512_loadu_ps(query));
    }

    static __mmask16 first(std::size_t n) noexcept {
        return static_cast<__mmask16>((1U << n) - 1U);
    }

    static Float tail(Float acc, const float* row, const float* query, std::size_t n) noexcept {
        return add_product(acc, _mm512_maskz_loadu_ps(first(n), row),
                           _mm512_maskz_loadu_ps(first(n), query));
    }

    static Float tail(Float acc, const Half* row, const float* query, std::size_t n) noexcept {
        return add_product(acc, _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first(n), row)),
                           _mm512_maskz_loadu_ps(first(n), query));
    }

    // Blocks of four lanes: (0, 1) of two accumulators against (2, 3) folds sixteen into eight.
    static Float halve(Float a, Float b) noexcept {
        return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
    }

    static void sum4(Float a, Float b, Float c, Float d, float* out) noexcept {
        const Float ab = halve(a, b);
        const Float cd = halve(c, d);
        const Float fours =
            _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xDD));
        const Float twos = _mm512_add_ps(fours, _mm512_permute_ps(fours, 0x4E));
        const Float ones = _mm512_add_ps(twos, _mm512_permute_ps(twos, 0xB1));
        _mm_storeu_ps(out, _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, ones)));
    }

    static float sum(Float acc) noexcept {
        float four[4];
        sum4(acc, zero(), zero(), zero(), four);
        return four[0];
    }

    static Int istep(Int acc, const std::int8_t* row, const std::int16_t* query) noexcept {
        const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
        return _mm512_dpwssd_epi32(acc, _mm512_cvtepi8_epi16(codes), _mm512_loadu_si512(query));
    }

    static Int itail(Int acc, const std::int8_t* row, const std::int16_t* query,
                     std::size_t n) noexcept {
        const auto mask = static_cast<__mmask32>((1ULL << n) - 1ULL);
        return _mm512_dpwssd_epi32(acc, _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(mask, row)),
                                   _mm512_maskz_loadu_epi16(mask, query));
    }

    static void isum4(Int a, Int b, Int c, Int d, std::int32_t* out) noexcept {
        const Int ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        const Int cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        const Int all =
            _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
        const __m256i eight =
            _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
        const __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), four);
    }

    static std::int32_t isum(Int acc) noexcept { return _mm512_reduce_add_epi32(acc); }

    static std::int64_t isum_wide(Int acc) noexcept {
        const Int low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(acc));
        const Int high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(acc, 1));
        return _mm512_reduce_add_epi64(_mm512_add_epi64(low, high));
    }
};

std::uint64_t read_sum(const void* data, std::size_t bytes) noexcept {
    const char* const at = static_cast<const char*>(data);
    __m512i a = _mm512_setzero_si512();
    __m512i b = a;
    __m512i c = a;
    __m512i d = a;
    std::size_t i = 0;
    for (; i + 4 * kLine <= bytes; i += 4 * kLine) {
        for (std::size_t line = 0; line < 4; ++line) {
            Lanes::fetch(at + i + line * kLine + kFetchAhead);
        }
        a = _mm512_add_epi64(a, _mm512_loadu_si512(at + i));
        b = _mm512_add_epi64(b, _mm512_loadu_si512(at + i + kLine));
        c = _mm512_add_epi64(c, _mm512_loadu_si512(at + i + 2 * kLine));
        d = _mm512_add_epi64(d, _mm512_loadu_si512(at + i + 3 * kLine));
    }
    for (; i < bytes; i += kLine) {
        a = _mm512_add_epi64(a, _mm512_loadu_si512(at + i));
    }
    const __m512i all = _mm512_add_epi64(_mm512_add_epi64(a, b), _mm512_add_epi64(c, d));
    return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(all));
}

}  // namespace

const DistanceTable kAvx512 = {
    &dot_one<Lanes, float>,
    &dot_one<Lanes, Half>,
    &idot_one<Lanes>,
    &scan_rows<Lanes, float, float, float>,
    &scan_rows<Lanes, float, Half, float>,
    &scan_rows<Lanes, std::int16_t, std::int8_t, std::int32_t>,
    &at_rows<Lanes, float, float, float>,
    &at_rows<Lanes, float, Half, float>,
    &at_rows<Lanes, std::int16_t, std::int8_t, std::int32_t>,
    &read_sum,
};

}  // namespace scrubjay::kernels::distance
