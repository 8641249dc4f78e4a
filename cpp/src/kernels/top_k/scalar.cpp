// Selection in plain C++.
#include "kernels/top_k/tables.h"

namespace scrubjay::kernels::best {
namespace {

// Writes every position and lets only the chosen ones stay, so nothing depends on a branch.
std::size_t at_least(const float* scores, std::size_t count, float threshold,
                     std::uint32_t* out) noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        out[found] = static_cast<std::uint32_t>(i);
        found += scores[i] >= threshold ? 1U : 0U;
    }
    return found;
}

}  // namespace

const TopKTable kScalar = {&at_least};

}  // namespace scrubjay::kernels::best
