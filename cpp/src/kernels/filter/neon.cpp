// The filters on NEON: comparisons give all-ones bytes; each keeps the bit of its place in a group of
// eight, and pairwise sums bring the groups together.
#include <arm_neon.h>

#include "kernels/filter/body.h"

namespace scrubjay::kernels::filter {
namespace {

struct Tile {
    // The word of 64 bytes that are all ones or all zeros.
    SCRUBJAY_LANE static std::uint64_t collect(uint8x16_t a, uint8x16_t b, uint8x16_t c,
                                               uint8x16_t d) {
        const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201ULL));
        const uint8x16_t low = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
        const uint8x16_t high = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
        const uint8x16_t pairs = vpaddq_u8(low, high);
        return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
    }
    template <class Pass>
    SCRUBJAY_LANE static std::uint64_t of_bytes(const std::uint8_t* p, Pass pass) {
        return collect(pass(vld1q_u8(p)), pass(vld1q_u8(p + 16)), pass(vld1q_u8(p + 32)),
                       pass(vld1q_u8(p + 48)));
    }
    // `pass` answers for four rows from i on.
    template <class Pass>
    SCRUBJAY_LANE static uint8x16_t sixteen(unsigned i, Pass pass) {
        const uint16x8_t low = vcombine_u16(vmovn_u32(pass(i)), vmovn_u32(pass(i + 4)));
        const uint16x8_t high = vcombine_u16(vmovn_u32(pass(i + 8)), vmovn_u32(pass(i + 12)));
        return vcombine_u8(vmovn_u16(low), vmovn_u16(high));
    }
    template <class Pass>
    SCRUBJAY_LANE static std::uint64_t of_words(Pass pass) {
        return collect(sixteen(0, pass), sixteen(16, pass), sixteen(32, pass), sixteen(48, pass));
    }
    SCRUBJAY_LANE static std::uint64_t codes(const std::uint8_t* p, std::uint64_t allowed) {
        const uint8x16_t bytes = vreinterpretq_u8_u64(vdupq_n_u64(allowed));
        const uint8x16_t bit_of = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201ULL));
        return of_bytes(p, [&](uint8x16_t code) SCRUBJAY_LANE_LAMBDA {
            const uint8x16_t byte = vqtbl1q_u8(bytes, vshrq_n_u8(code, 3));
            return vtstq_u8(byte, vqtbl1q_u8(bit_of, vandq_u8(code, vdupq_n_u8(7))));
        });
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const std::uint8_t* p, std::uint8_t least) {
        return of_bytes(
            p, [&](uint8x16_t c) SCRUBJAY_LANE_LAMBDA { return vcgeq_u8(c, vdupq_n_u8(least)); });
    }
    SCRUBJAY_LANE static std::uint64_t at_least(const float* p, float least) {
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            return vcgeq_f32(vld1q_f32(p + i), vdupq_n_f32(least));
        });
    }
    SCRUBJAY_LANE static std::uint64_t bits(const std::uint8_t* p, std::uint8_t mask,
                                            std::uint8_t value) {
        return of_bytes(p, [&](uint8x16_t c) SCRUBJAY_LANE_LAMBDA {
            return vceqq_u8(vandq_u8(c, vdupq_n_u8(mask)), vdupq_n_u8(value));
        });
    }
    SCRUBJAY_LANE static uint64x2_t two_within(const Micros* p, Micros from, Micros to) {
        const int64x2_t instant = vld1q_s64(p);
        return vandq_u64(vcgeq_s64(instant, vdupq_n_s64(from)),
                         vcltq_s64(instant, vdupq_n_s64(to)));
    }
    SCRUBJAY_LANE static std::uint64_t window(const Micros* p, Micros from, Micros to) {
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            return vcombine_u32(vmovn_u64(two_within(p + i, from, to)),
                                vmovn_u64(two_within(p + i + 2, from, to)));
        });
    }
    SCRUBJAY_LANE static std::uint64_t equal(const std::uint32_t* p, std::uint32_t member) {
        return of_words([&](unsigned i) SCRUBJAY_LANE_LAMBDA {
            return vceqq_u32(vld1q_u32(p + i), vdupq_n_u32(member));
        });
    }
    // NEON has no gather: one row after the other.
    SCRUBJAY_LANE static std::uint64_t folded(const std::uint32_t* p, const std::uint32_t* map,
                                              std::uint32_t fold, std::uint32_t most) {
        std::uint64_t word = 0;
        for (unsigned i = 0; i < kRows; ++i) {
            const std::uint32_t bit = (map[(p[i] & fold) >> 5U] >> (p[i] & 31U)) & 1U;
            word |= static_cast<std::uint64_t>(p[i] <= most ? bit : 0U) << i;
        }
        return word;
    }
};

}  // namespace

const FilterTable kNeon = table_of<Tile>();

}  // namespace scrubjay::kernels::filter
