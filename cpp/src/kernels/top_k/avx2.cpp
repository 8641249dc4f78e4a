// Selection on AVX2: compare eight, then visit the bits that are set, which are few.
#include <immintrin.h>

#include "kernels/top_k/tables.h"

namespace scrubjay::kernels::best {
namespace {

std::size_t at_least(const float* scores, std::size_t count, float threshold,
                     std::uint32_t* out) noexcept {
    const __m256 bar = _mm256_set1_ps(threshold);
    std::size_t found = 0;
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 pass = _mm256_cmp_ps(_mm256_loadu_ps(scores + i), bar, _CMP_GE_OQ);
        auto bits = static_cast<unsigned>(_mm256_movemask_ps(pass));
        while (bits != 0) {
            out[found++] =
                static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(__builtin_ctz(bits));
            bits &= bits - 1;
        }
    }
    for (; i < count; ++i) {
        out[found] = static_cast<std::uint32_t>(i);
        found += scores[i] >= threshold ? 1U : 0U;
    }
    return found;
}

}  // namespace

const TopKTable kAvx2 = {&at_least};

}  // namespace scrubjay::kernels::best
