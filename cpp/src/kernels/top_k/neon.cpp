// Selection on NEON: four at a time are skipped together unless one of them passes.
#include <arm_neon.h>

#include "kernels/top_k/tables.h"

namespace scrubjay::kernels::best {
namespace {

std::size_t at_least(const float* scores, std::size_t count, float threshold,
                     std::uint32_t* out) noexcept {
    const float32x4_t bar = vdupq_n_f32(threshold);
    std::size_t found = 0;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        if (vmaxvq_u32(vcgeq_f32(vld1q_f32(scores + i), bar)) == 0) {
            continue;
        }
        for (std::size_t k = i; k < i + 4; ++k) {
            out[found] = static_cast<std::uint32_t>(k);
            found += scores[k] >= threshold ? 1U : 0U;
        }
    }
    for (; i < count; ++i) {
        out[found] = static_cast<std::uint32_t>(i);
        found += scores[i] >= threshold ? 1U : 0U;
    }
    return found;
}

}  // namespace

const TopKTable kNeon = {&at_least};

}  // namespace scrubjay::kernels::best
