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

// Squared differences in place of products.
struct Squares : Lanes {
    static Float add_square(Float acc, Float row, Float query) noexcept {
        const Float apart = _mm512_sub_ps(row, query);
        return _mm512_add_ps(acc, _mm512_mul_ps(apart, apart));
    }

    static Float step(Float acc, const float* row, const float* query) noexcept {
        return add_square(acc, _mm512_loadu_ps(row), _mm512_loadu_ps(query));
    }

    static Float tail(Float acc, const float* row, const float* query, std::size_t n) noexcept {
        return add_square(acc, _mm512_maskz_loadu_ps(first(n), row),
                          _mm512_maskz_loadu_ps(first(n), query));
    }
};

// i8 rows against a query split into bytes. A 16-bit word w is 256 high + low - 2^15 with unsigned
// bytes, and bytes multiply four times as many codes per instruction as words do:
//
//     sum c w = 256 sum c high + sum c low - 2^15 sum c
//
// The three sums wrap modulo 2^32 and so does their combination, which is right whenever the dot
// itself fits 31 bits.
struct SplitQuery {
    static constexpr std::size_t kMostDim = 2048;

    alignas(64) std::uint8_t high[kMostDim];
    alignas(64) std::uint8_t low[kMostDim];

    // REQUIRES dim <= kMostDim, a multiple of 64.
    SplitQuery(const std::int16_t* words, std::size_t dim) noexcept {
        for (std::size_t i = 0; i < dim; i += 32) {
            const __m512i w = _mm512_xor_si512(_mm512_loadu_si512(words + i),
                                               _mm512_set1_epi16(static_cast<short>(0x8000)));
            _mm256_store_si256(reinterpret_cast<__m256i*>(low + i), _mm512_cvtepi16_epi8(w));
            _mm256_store_si256(reinterpret_cast<__m256i*>(high + i),
                               _mm512_cvtepi16_epi8(_mm512_srli_epi16(w, 8)));
        }
    }
};

struct SplitSums {
    __m512i high = _mm512_setzero_si512();
    __m512i low = _mm512_setzero_si512();
    __m512i codes = _mm512_setzero_si512();

    void add(const std::int8_t* row, __m512i q_high, __m512i q_low, __m512i ones) noexcept {
        const __m512i c = _mm512_loadu_si512(row);
        high = _mm512_dpbusd_epi32(high, q_high, c);
        low = _mm512_dpbusd_epi32(low, q_low, c);
        codes = _mm512_dpbusd_epi32(codes, ones, c);
    }

    [[nodiscard]] __m512i total() const noexcept {
        const __m512i both = _mm512_add_epi32(_mm512_slli_epi32(high, 8), low);
        return _mm512_sub_epi32(both, _mm512_slli_epi32(codes, 15));
    }
};

template <bool Fetch>
void split_four(const SplitQuery& query, const std::int8_t* const* row, std::size_t dim,
                std::int32_t* out) noexcept {
    SplitSums a;
    SplitSums b;
    SplitSums c;
    SplitSums d;
    const __m512i ones = _mm512_set1_epi8(1);
    for (std::size_t i = 0; i < dim; i += kLine) {
        const __m512i high = _mm512_load_si512(query.high + i);
        const __m512i low = _mm512_load_si512(query.low + i);
        if (Fetch) {
            Lanes::fetch(row[0] + i + kFetchAhead);
            Lanes::fetch(row[1] + i + kFetchAhead);
            Lanes::fetch(row[2] + i + kFetchAhead);
            Lanes::fetch(row[3] + i + kFetchAhead);
        }
        a.add(row[0] + i, high, low, ones);
        b.add(row[1] + i, high, low, ones);
        c.add(row[2] + i, high, low, ones);
        d.add(row[3] + i, high, low, ones);
    }
    Lanes::isum4(a.total(), b.total(), c.total(), d.total(), out);
}

bool splits(std::size_t dim) noexcept { return dim <= SplitQuery::kMostDim && dim % kLine == 0; }

void scan_i8(const std::int16_t* query, const std::int8_t* rows, std::size_t stride,
             std::size_t dim, std::size_t count, std::int32_t* out) noexcept {
    if (!splits(dim) || count < 4) {
        scan_rows<Lanes>(query, rows, stride, dim, count, out);
        return;
    }
    const SplitQuery split(query, dim);
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        const std::int8_t* const four[4] = {rows + r * stride, rows + (r + 1) * stride,
                                            rows + (r + 2) * stride, rows + (r + 3) * stride};
        split_four<true>(split, four, dim, out + r);
    }
    scan_rows<Lanes>(query, rows + r * stride, stride, dim, count - r, out + r);
}

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
    &scan_i8,
    &at_rows<Lanes, float, float, float>,
    &at_rows<Lanes, float, Half, float>,
    &at_rows<Lanes, std::int16_t, std::int8_t, std::int32_t>,
    &dot_one<Squares, float>,
    &scan_rows<Squares, float, float, float>,
    &at_rows<Squares, float, float, float>,
    &read_sum,
};

}  // namespace scrubjay::kernels::distance
