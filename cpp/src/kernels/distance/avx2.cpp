// The distance loops on AVX2: two registers are the sixteen lanes.
#include <immintrin.h>

#include "kernels/distance/rows.h"
#include "kernels/distance/tables.h"

namespace scrubjay::kernels::distance {
namespace {

struct Lanes {
    struct Float {
        __m256 low;
        __m256 high;
    };
    using Int = __m256i;
    static constexpr std::size_t kIntStep = 16;

    static Float zero() noexcept { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
    static Int izero() noexcept { return _mm256_setzero_si256(); }

    static void fetch(const void* address) noexcept {
        _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
    }

    static __m256 add_product(__m256 acc, __m256 row, __m256 query) noexcept {
        return _mm256_add_ps(acc, _mm256_mul_ps(row, query));
    }

    static __m256 load8(const float* row) noexcept { return _mm256_loadu_ps(row); }
    static __m256 load8(const Half* row) noexcept {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
    }

    template <class T>
    static Float step(Float acc, const T* row, const float* query) noexcept {
        return {add_product(acc.low, load8(row), _mm256_loadu_ps(query)),
                add_product(acc.high, load8(row + 8), _mm256_loadu_ps(query + 8))};
    }

    template <class T>
    static Float tail(Float acc, const T* row, const float* query, std::size_t n) noexcept {
        alignas(32) T row_part[16] = {};
        alignas(32) float query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return step(acc, row_part, query_part);
    }

    // Sixteen lanes to eight, then the four-lane halves of two accumulators side by side.
    static __m256 fours(Float a, Float b) noexcept {
        const __m256 x = _mm256_add_ps(a.low, a.high);
        const __m256 y = _mm256_add_ps(b.low, b.high);
        return _mm256_add_ps(_mm256_permute2f128_ps(x, y, 0x20),
                             _mm256_permute2f128_ps(x, y, 0x31));
    }

    static __m256 ones(__m256 fours) noexcept {
        const __m256 twos = _mm256_add_ps(fours, _mm256_permute_ps(fours, 0x4E));
        return _mm256_add_ps(twos, _mm256_permute_ps(twos, 0xB1));
    }

    static void sum4(Float a, Float b, Float c, Float d, float* out) noexcept {
        const __m256 ab = ones(fours(a, b));
        const __m256 cd = ones(fours(c, d));
        const __m128 a_b =
            _mm_unpacklo_ps(_mm256_castps256_ps128(ab), _mm256_extractf128_ps(ab, 1));
        const __m128 c_d =
            _mm_unpacklo_ps(_mm256_castps256_ps128(cd), _mm256_extractf128_ps(cd, 1));
        _mm_storeu_ps(out, _mm_movelh_ps(a_b, c_d));
    }

    static float sum(Float acc) noexcept { return _mm256_cvtss_f32(ones(fours(acc, acc))); }

    static Int istep(Int acc, const std::int8_t* row, const std::int16_t* query) noexcept {
        const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
        const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query));
        return _mm256_add_epi32(acc, _mm256_madd_epi16(_mm256_cvtepi8_epi16(codes), words));
    }

    static Int itail(Int acc, const std::int8_t* row, const std::int16_t* query,
                     std::size_t n) noexcept {
        alignas(32) std::int8_t row_part[16] = {};
        alignas(32) std::int16_t query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return istep(acc, row_part, query_part);
    }

    static void isum4(Int a, Int b, Int c, Int d, std::int32_t* out) noexcept {
        const __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        const __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), four);
    }

    static std::int32_t isum(Int acc) noexcept {
        std::int32_t four[4];
        isum4(acc, izero(), izero(), izero(), four);
        return four[0];
    }

    static std::int64_t isum_wide(Int acc) noexcept {
        const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(acc));
        const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(acc, 1));
        return sum_words(_mm256_add_epi64(low, high));
    }

    static std::int64_t sum_words(__m256i words) noexcept {
        const __m128i two =
            _mm_add_epi64(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
    }
};

// Squared differences in place of products.
struct Squares : Lanes {
    static __m256 add_square(__m256 acc, const float* row, const float* query) noexcept {
        const __m256 apart = _mm256_sub_ps(_mm256_loadu_ps(row), _mm256_loadu_ps(query));
        return _mm256_add_ps(acc, _mm256_mul_ps(apart, apart));
    }

    static Float step(Float acc, const float* row, const float* query) noexcept {
        return {add_square(acc.low, row, query), add_square(acc.high, row + 8, query + 8)};
    }

    static Float tail(Float acc, const float* row, const float* query, std::size_t n) noexcept {
        alignas(32) float row_part[16] = {};
        alignas(32) float query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return step(acc, row_part, query_part);
    }
};

__m256i load_words(const char* at) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

std::uint64_t read_sum(const void* data, std::size_t bytes) noexcept {
    const char* const at = static_cast<const char*>(data);
    __m256i a = _mm256_setzero_si256();
    __m256i b = a;
    __m256i c = a;
    __m256i d = a;
    std::size_t i = 0;
    for (; i + 2 * kLine <= bytes; i += 2 * kLine) {
        Lanes::fetch(at + i + kFetchAhead);
        Lanes::fetch(at + i + kFetchAhead + kLine);
        a = _mm256_add_epi64(a, load_words(at + i));
        b = _mm256_add_epi64(b, load_words(at + i + 32));
        c = _mm256_add_epi64(c, load_words(at + i + 64));
        d = _mm256_add_epi64(d, load_words(at + i + 96));
    }
    for (; i < bytes; i += kLine) {
        a = _mm256_add_epi64(a, load_words(at + i));
        b = _mm256_add_epi64(b, load_words(at + i + 32));
    }
    const __m256i all = _mm256_add_epi64(_mm256_add_epi64(a, b), _mm256_add_epi64(c, d));
    return static_cast<std::uint64_t>(Lanes::sum_words(all));
}

}  // namespace

const DistanceTable kAvx2 = {
    &dot_one<Lanes, float>,
    &dot_one<Lanes, Half>,
    &idot_one<Lanes>,
    &scan_rows<Lanes, float, float, float>,
    &scan_rows<Lanes, float, Half, float>,
    &scan_rows<Lanes, std::int16_t, std::int8_t, std::int32_t>,
    &at_rows<Lanes, float, float, float>,
    &at_rows<Lanes, float, Half, float>,
    &at_rows<Lanes, std::int16_t, std::int8_t, std::int32_t>,
    &dot_one<Squares, float>,
    &scan_rows<Squares, float, float, float>,
    &at_rows<Squares, float, float, float>,
    &read_sum,
};

}  // namespace scrubjay::kernels::distance
