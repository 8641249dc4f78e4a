// The distance loops on NEON: four registers are the sixteen lanes.
#include <arm_neon.h>

#include "kernels/distance/rows.h"
#include "kernels/distance/tables.h"

namespace scrubjay::kernels::distance {
namespace {

struct Lanes {
    struct Float {
        float32x4_t part[4];
    };
    struct Int {
        int32x4_t low;
        int32x4_t high;
    };
    static constexpr std::size_t kIntStep = 16;

    static Float zero() noexcept {
        const float32x4_t none = vdupq_n_f32(0.0F);
        return {{none, none, none, none}};
    }
    static Int izero() noexcept { return {vdupq_n_s32(0), vdupq_n_s32(0)}; }
    static void fetch(const void* address) noexcept { __builtin_prefetch(address); }

    static float32x4_t load4(const float* row) noexcept { return vld1q_f32(row); }
    static float32x4_t load4(const Half* row) noexcept {
        const uint16x4_t bits = vld1_u16(reinterpret_cast<const std::uint16_t*>(row));
        return vcvt_f32_f16(vreinterpret_f16_u16(bits));
    }

    template <class T>
    static Float step(Float acc, const T* row, const float* query) noexcept {
        for (int i = 0; i < 4; ++i) {
            acc.part[i] =
                vaddq_f32(acc.part[i], vmulq_f32(load4(row + 4 * i), vld1q_f32(query + 4 * i)));
        }
        return acc;
    }

    template <class T>
    static Float tail(Float acc, const T* row, const float* query, std::size_t n) noexcept {
        T row_part[16] = {};
        float query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return step(acc, row_part, query_part);
    }

    static float sum(const Float& acc) noexcept {
        const float32x4_t four =
            vaddq_f32(vaddq_f32(acc.part[0], acc.part[2]), vaddq_f32(acc.part[1], acc.part[3]));
        const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
        return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
    }

    static void sum4(const Float& a, const Float& b, const Float& c, const Float& d,
                     float* out) noexcept {
        out[0] = sum(a);
        out[1] = sum(b);
        out[2] = sum(c);
        out[3] = sum(d);
    }

    static Int istep(Int acc, const std::int8_t* row, const std::int16_t* query) noexcept {
        const int8x16_t codes = vld1q_s8(row);
        const int16x8_t first = vmovl_s8(vget_low_s8(codes));
        const int16x8_t second = vmovl_s8(vget_high_s8(codes));
        const int16x8_t q_first = vld1q_s16(query);
        const int16x8_t q_second = vld1q_s16(query + 8);
        acc.low = vmlal_s16(acc.low, vget_low_s16(first), vget_low_s16(q_first));
        acc.high = vmlal_s16(acc.high, vget_high_s16(first), vget_high_s16(q_first));
        acc.low = vmlal_s16(acc.low, vget_low_s16(second), vget_low_s16(q_second));
        acc.high = vmlal_s16(acc.high, vget_high_s16(second), vget_high_s16(q_second));
        return acc;
    }

    static Int itail(Int acc, const std::int8_t* row, const std::int16_t* query,
                     std::size_t n) noexcept {
        std::int8_t row_part[16] = {};
        std::int16_t query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return istep(acc, row_part, query_part);
    }

    static std::int64_t isum_wide(const Int& acc) noexcept {
        return vaddlvq_s32(acc.low) + vaddlvq_s32(acc.high);
    }

    static std::int32_t isum(const Int& acc) noexcept {
        return static_cast<std::int32_t>(isum_wide(acc));
    }

    static void isum4(const Int& a, const Int& b, const Int& c, const Int& d,
                      std::int32_t* out) noexcept {
        out[0] = isum(a);
        out[1] = isum(b);
        out[2] = isum(c);
        out[3] = isum(d);
    }
};

// Squared differences in place of products.
struct Squares : Lanes {
    static Float step(Float acc, const float* row, const float* query) noexcept {
        for (int i = 0; i < 4; ++i) {
            const float32x4_t apart = vsubq_f32(vld1q_f32(row + 4 * i), vld1q_f32(query + 4 * i));
            acc.part[i] = vaddq_f32(acc.part[i], vmulq_f32(apart, apart));
        }
        return acc;
    }

    static Float tail(Float acc, const float* row, const float* query, std::size_t n) noexcept {
        float row_part[16] = {};
        float query_part[16] = {};
        for (std::size_t i = 0; i < n; ++i) {
            row_part[i] = row[i];
            query_part[i] = query[i];
        }
        return step(acc, row_part, query_part);
    }
};

std::uint64_t read_sum(const void* data, std::size_t bytes) noexcept {
    const auto* const words = static_cast<const std::uint64_t*>(data);
    uint64x2_t a = vdupq_n_u64(0);
    uint64x2_t b = a;
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); i += 4) {
        __builtin_prefetch(words + i + kFetchAhead / sizeof(std::uint64_t));
        a = vaddq_u64(a, vld1q_u64(words + i));
        b = vaddq_u64(b, vld1q_u64(words + i + 2));
    }
    return vaddvq_u64(vaddq_u64(a, b));
}

}  // namespace

const DistanceTable kNeon = {
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
