// Sixteen lanes as four NEON registers; names and meaning as in scalar.h.
#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

struct NeonLanes {
    template <class R, class Op>
    SCRUBJAY_LANE static R each(Op op) {
        return {{op(0), op(1), op(2), op(3)}};
    }

    struct F {
        float32x4_t v[4];

        SCRUBJAY_LANE F operator+(const F& b) const {
            return each<F>([&](int k) { return vaddq_f32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE F operator-(const F& b) const {
            return each<F>([&](int k) { return vsubq_f32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE F operator*(const F& b) const {
            return each<F>([&](int k) { return vmulq_f32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE F operator/(const F& b) const {
            return each<F>([&](int k) { return vdivq_f32(v[k], b.v[k]); });
        }
    };
    struct I {
        int32x4_t v[4];

        SCRUBJAY_LANE I operator+(const I& b) const {
            return each<I>([&](int k) { return vaddq_s32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE I operator-(const I& b) const {
            return each<I>([&](int k) { return vsubq_s32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE I operator&(const I& b) const {
            return each<I>([&](int k) { return vandq_s32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE I operator|(const I& b) const {
            return each<I>([&](int k) { return vorrq_s32(v[k], b.v[k]); });
        }
    };
    struct M {
        uint32x4_t v[4];

        SCRUBJAY_LANE M operator&(const M& b) const {
            return each<M>([&](int k) { return vandq_u32(v[k], b.v[k]); });
        }
        SCRUBJAY_LANE M operator|(const M& b) const {
            return each<M>([&](int k) { return vorrq_u32(v[k], b.v[k]); });
        }
    };

    SCRUBJAY_LANE static F load(const float* p) {
        return each<F>([&](int k) { return vld1q_f32(p + 4 * k); });
    }
    SCRUBJAY_LANE static void store(float* p, const F& a) {
        for (int k = 0; k < 4; ++k) {
            vst1q_f32(p + 4 * k, a.v[k]);
        }
    }
    SCRUBJAY_LANE static void stream(float* p, const F& a) { store(p, a); }
    SCRUBJAY_LANE static void fence() {}
    SCRUBJAY_LANE static F splat(float x) {
        return each<F>([&](int) { return vdupq_n_f32(x); });
    }
    SCRUBJAY_LANE static I splat_int(std::int32_t x) {
        return each<I>([&](int) { return vdupq_n_s32(x); });
    }
    SCRUBJAY_LANE static F lookup(const float* table, const std::uint8_t* index) {
        float found[16];
        for (int k = 0; k < 16; ++k) {
            found[k] = table[index[k]];
        }
        return load(found);
    }
    SCRUBJAY_LANE static F widen(const std::uint16_t* halves) {
        return each<F>(
            [&](int k) { return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(halves + 4 * k))); });
    }

    SCRUBJAY_LANE static M lt(const F& a, const F& b) {
        return each<M>([&](int k) { return vcltq_f32(a.v[k], b.v[k]); });
    }
    SCRUBJAY_LANE static M le(const F& a, const F& b) {
        return each<M>([&](int k) { return vcleq_f32(a.v[k], b.v[k]); });
    }
    SCRUBJAY_LANE static M eq(const F& a, const F& b) {
        return each<M>([&](int k) { return vceqq_f32(a.v[k], b.v[k]); });
    }
    SCRUBJAY_LANE static bool all(const M& m) {
        const uint32x4_t together = vandq_u32(vandq_u32(m.v[0], m.v[1]), vandq_u32(m.v[2], m.v[3]));
        return vminvq_u32(together) != 0U;
    }
    SCRUBJAY_LANE static F choose(const M& m, const F& yes, const F& no) {
        return each<F>([&](int k) { return vbslq_f32(m.v[k], yes.v[k], no.v[k]); });
    }

    SCRUBJAY_LANE static F at_least(const F& a, const F& floor) {
        return each<F>([&](int k) { return vmaxq_f32(floor.v[k], a.v[k]); });
    }
    SCRUBJAY_LANE static F zero_where(const M& m, const F& a) {
        return each<F>([&](int k) {
            return vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a.v[k]), m.v[k]));
        });
    }

    SCRUBJAY_LANE static I as_int(const F& a) {
        return each<I>([&](int k) { return vreinterpretq_s32_f32(a.v[k]); });
    }
    SCRUBJAY_LANE static F as_float(const I& a) {
        return each<F>([&](int k) { return vreinterpretq_f32_s32(a.v[k]); });
    }
    SCRUBJAY_LANE static F to_float(const I& a) {
        return each<F>([&](int k) { return vcvtq_f32_s32(a.v[k]); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_left(const I& a) {
        return each<I>([&](int k) { return vshlq_n_s32(a.v[k], Bits); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_right(const I& a) {
        return each<I>([&](int k) { return vshrq_n_s32(a.v[k], Bits); });
    }

    SCRUBJAY_LANE static float sum(const F& a) {
        const float32x4_t low = vaddq_f32(a.v[0], a.v[2]);
        const float32x4_t high = vaddq_f32(a.v[1], a.v[3]);
        const float32x4_t four = vaddq_f32(low, high);
        const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
        return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
    }
};

}  // namespace scrubjay::kernels
