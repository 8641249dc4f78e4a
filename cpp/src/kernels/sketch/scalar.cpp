// Sketch sums in plain C++.
#include "kernels/sketch/tables.h"

namespace scrubjay::kernels::sketch {
namespace {

void sums(const std::uint8_t* table, const std::uint8_t* tile, std::size_t groups,
          std::uint16_t* out) noexcept {
    constexpr std::size_t kHalf = kSketchRows / 2;
    for (std::size_t r = 0; r < kSketchRows; ++r) {
        out[r] = 0;
    }
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t r = 0; r < kHalf; ++r) {
            const unsigned pair = tile[g * kHalf + r];
            out[r] = static_cast<std::uint16_t>(out[r] + table[16 * g + (pair & 15U)]);
            out[r + kHalf] =
                static_cast<std::uint16_t>(out[r + kHalf] + table[16 * g + (pair >> 4U)]);
        }
    }
}

}  // namespace

const SketchTable kScalar = {&sums};

}  // namespace scrubjay::kernels::sketch
