// The tile kernels on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/tile/body.h"

namespace scrubjay::kernels::tile {
namespace {

struct Lanes : NeonLanes {
    SCRUBJAY_LANE static float64x2_t two_ages(const Micros* last, int64x2_t now) {
        const int64x2_t then = vld1q_s64(last);
        const int64x2_t gap = vsubq_s64(now, then);
        const int64x2_t age = vandq_s64(gap, vreinterpretq_s64_u64(vcgtq_s64(now, then)));
        return vmulq_f64(vcvtq_f64_s64(age), vdupq_n_f64(1e-6));
    }
    SCRUBJAY_LANE static F ages(const Micros* last, Micros now) {
        const int64x2_t instant = vdupq_n_s64(now);
        return each<F>([&](int k) {
            return vcvt_high_f32_f64(vcvt_f32_f64(two_ages(last + 4 * k, instant)),
                                     two_ages(last + 4 * k + 2, instant));
        });
    }
    SCRUBJAY_LANE static I load_int(const std::int32_t* p) {
        return each<I>([&](int k) { return vld1q_s32(p + 4 * k); });
    }
};

}  // namespace

const TileTable kNeon = table_of<Lanes>();

}  // namespace scrubjay::kernels::tile
