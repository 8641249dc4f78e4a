// Sketch sums on NEON: a table lookup serves 16 rows.
#include <arm_neon.h>

#include "kernels/sketch/tables.h"

namespace scrubjay::kernels::sketch {
namespace {

// Sixteen sums in the order of their rows.
struct Sums {
    uint16x8_t low = vdupq_n_u16(0);
    uint16x8_t high = vdupq_n_u16(0);

    void add(uint8x16_t values) {
        low = vaddw_u8(low, vget_low_u8(values));
        high = vaddw_u8(high, vget_high_u8(values));
    }
    void store(std::uint16_t* out) const {
        vst1q_u16(out, low);
        vst1q_u16(out + 8, high);
    }
};

void sums(const std::uint8_t* table, const std::uint8_t* tile, std::size_t groups,
          std::uint16_t* out) noexcept {
    for (std::size_t part = 0; part < 32; part += 16) {
        Sums first;
        Sums second;
        for (std::size_t g = 0; g < groups; ++g) {
            const uint8x16_t pairs = vld1q_u8(tile + 32 * g + part);
            const uint8x16_t values = vld1q_u8(table + 16 * g);
            first.add(vqtbl1q_u8(values, vandq_u8(pairs, vdupq_n_u8(15))));
            second.add(vqtbl1q_u8(values, vshrq_n_u8(pairs, 4)));
        }
        first.store(out + part);
        second.store(out + 32 + part);
    }
}

}  // namespace

const SketchTable kNeon = {&sums};

}  // namespace scrubjay::kernels::sketch
