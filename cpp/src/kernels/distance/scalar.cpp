// The distance loops in plain C++: the definition the others are tested against, the fallback on a
// CPU without them, and the base line of every speed-up.
#include "kernels/distance/rows.h"
#include "kernels/distance/tables.h"

namespace scrubjay::kernels::distance {
namespace {

// The value of a binary16 number; exact, also for subnormals, infinities and NaN.
float value_of(Half half) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U) << 16U;
    const std::uint32_t magnitude = half.bits & 0x7FFFU;
    std::uint32_t bits = 0;
    if (magnitude >= 0x7C00U) {
        bits = sign | 0x7F800000U | ((magnitude & 0x3FFU) << 13U);
    } else if (magnitude >= 0x0400U) {
        bits = sign | ((magnitude << 13U) + (112U << 23U));  // Bias 15 becomes bias 127.
    } else {
        const float subnormal = static_cast<float>(magnitude) * 0x1.0p-24F;
        return sign != 0 ? -subnormal : subnormal;
    }
    return __builtin_bit_cast(float, bits);
}

float value_of(float value) noexcept { return value; }

struct Lanes {
    struct Float {
        float lane[16];
    };
    using Int = std::int64_t;
    static constexpr std::size_t kIntStep = 16;

    static Float zero() noexcept { return {}; }
    static Int izero() noexcept { return 0; }
    static void fetch(const void* address) noexcept { __builtin_prefetch(address); }

    template <class T>
    static Float step(Float acc, const T* row, const float* query) noexcept {
        for (int i = 0; i < 16; ++i) {
            acc.lane[i] += value_of(row[i]) * query[i];
        }
        return acc;
    }

    // The zeros that pad a lane would add +0, which leaves every sum that began at +0 as it is.
    template <class T>
    static Float tail(Float acc, const T* row, const float* query, std::size_t n) noexcept {
        for (std::size_t i = 0; i < n; ++i) {
            acc.lane[i] += value_of(row[i]) * query[i];
        }
        return acc;
    }

    static float sum(Float acc) noexcept {
        for (int width = 8; width > 0; width /= 2) {
            for (int i = 0; i < width; ++i) {
                acc.lane[i] += acc.lane[i + width];
            }
        }
        return acc.lane[0];
    }

    static void sum4(const Float& a, const Float& b, const Float& c, const Float& d,
                     float* out) noexcept {
        out[0] = sum(a);
        out[1] = sum(b);
        out[2] = sum(c);
        out[3] = sum(d);
    }

    static Int istep(Int acc, const std::int8_t* row, const std::int16_t* query) noexcept {
        return itail(acc, row, query, kIntStep);
    }

    static Int itail(Int acc, const std::int8_t* row, const std::int16_t* query,
                     std::size_t n) noexcept {
        std::int32_t part = 0;
        for (std::size_t i = 0; i < n; ++i) {
            part += static_cast<std::int32_t>(row[i]) * query[i];
        }
        return acc + part;
    }

    static std::int64_t isum_wide(Int acc) noexcept { return acc; }
    static std::int32_t isum(Int acc) noexcept { return static_cast<std::int32_t>(acc); }

    static void isum4(Int a, Int b, Int c, Int d, std::int32_t* out) noexcept {
        out[0] = isum(a);
        out[1] = isum(b);
        out[2] = isum(c);
        out[3] = isum(d);
    }
};

// Squared differences in place of products.
struct Squares : Lanes {
    static Float step(Float acc, const float* row, const float* query) noexcept {
        return tail(acc, row, query, 16);
    }

    static Float tail(Float acc, const float* row, const float* query, std::size_t n) noexcept {
        for (std::size_t i = 0; i < n; ++i) {
            const float apart = row[i] - query[i];
            acc.lane[i] += apart * apart;
        }
        return acc;
    }
};

std::uint64_t read_sum(const void* data, std::size_t bytes) noexcept {
    const auto* const words = static_cast<const std::uint64_t*>(data);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) {
        total += words[i];
    }
    return total;
}

}  // namespace

const DistanceTable kScalar = {
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
