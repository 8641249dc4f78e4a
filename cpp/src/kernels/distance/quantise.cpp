// Encoders and their bounds. All of it is scalar: rows are encoded once and scanned many times.
#include "scrubjay/kernels/quantise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace scrubjay::kernels {
namespace {

constexpr float kLargestCode = 127.0F;
constexpr double kUnit = 0x1.0p-24;             // Half the distance from 1 to the next float.
constexpr double kRowLength = 1.0 + 0x1.0p-20;  // A row normalised in double, rounded to float.

// The smallest float not below x, so that a bound stays a bound.
float rounded_up(double x) {
    const auto nearest = static_cast<float>(x);
    return static_cast<double>(nearest) >= x
               ? nearest
               : std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

// The relative error of a double sum of n squares stays far below 2^-30 for n <= 65,536.
double inflated(double x) { return x * (1.0 + 0x1.0p-30); }

double float_slack(std::size_t dim) {
    const double rounds = 2.0 * (static_cast<double>(dim / 16) + 7.0) + 8.0;
    return rounds * kUnit;
}

}  // namespace

float to_float(Half half) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U) << 16U;
    const std::uint32_t magnitude = half.bits & 0x7FFFU;
    if (magnitude >= 0x7C00U) {
        return std::bit_cast<float>(sign | 0x7F800000U | ((magnitude & 0x3FFU) << 13U));
    }
    const float value = std::bit_cast<float>(magnitude << 13U) * 0x1.0p112F;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
}

Half to_half(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return {static_cast<std::uint16_t>(sign | 0x7E00U)};
    }
    if (magnitude >= 0x477FF000U) {  // From 65520 on the nearest is infinity.
        return {static_cast<std::uint16_t>(sign | 0x7C00U)};
    }
    if (magnitude < 0x38800000U) {
        // Below 2^-14 the spacing is 2^-24: adding 2^-1 lines the bits up and rounds to even.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        const std::uint32_t low = std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U;
        return {static_cast<std::uint16_t>(sign | low)};
    }
    const std::uint32_t odd = (magnitude >> 13U) & 1U;
    const std::uint32_t rounded = magnitude + 0x0FFFU + odd - (112U << 23U);
    return {static_cast<std::uint16_t>(sign | (rounded >> 13U))};
}

double length_of(std::span<const float> v) noexcept {
    double sum = 0.0;
    for (const float value : v) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::sqrt(sum);
}

Coded encode_i8(std::span<const float> x, std::span<std::int8_t> codes) noexcept {
    float largest = 0.0F;
    for (const float value : x) {
        largest = std::max(largest, std::fabs(value));
    }
    const float scale = largest / kLargestCode;
    double residual = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        // A subnormal scale may have rounded down by enough to pass 127, hence the clamp.
        const float code = scale > 0.0F ? std::nearbyint(x[i] / scale) : 0.0F;
        const float kept = std::clamp(code, -kLargestCode, kLargestCode);
        codes[i] = static_cast<std::int8_t>(kept);
        const double off =
            static_cast<double>(x[i]) - static_cast<double>(scale) * static_cast<double>(kept);
        residual += off * off;
    }
    return {scale, rounded_up(inflated(std::sqrt(residual)))};
}

float encode_f16(std::span<const float> x, std::span<Half> halves) noexcept {
    double residual = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        halves[i] = to_half(x[i]);
        const double off = static_cast<double>(x[i]) - static_cast<double>(to_float(halves[i]));
        residual += off * off;
    }
    return rounded_up(inflated(std::sqrt(residual)));
}

std::int32_t query_amplitude(std::size_t dim) noexcept {
    constexpr std::int64_t kLargestSum = std::numeric_limits<std::int32_t>::max();
    const auto elements = static_cast<std::int64_t>(std::max<std::size_t>(dim, 1));
    return static_cast<std::int32_t>(std::min<std::int64_t>(32767, kLargestSum / (127 * elements)));
}

CodedQuery encode_query(std::span<const float> query, std::span<std::int16_t> codes) noexcept {
    float largest = 0.0F;
    for (const float value : query) {
        largest = std::max(largest, std::fabs(value));
    }
    const auto amplitude = static_cast<float>(query_amplitude(query.size()));
    const float step = largest / amplitude;
    double residual = 0.0;
    for (std::size_t i = 0; i < query.size(); ++i) {
        const float code = step > 0.0F ? std::nearbyint(query[i] / step) : 0.0F;
        const float kept = std::clamp(code, -amplitude, amplitude);
        codes[i] = static_cast<std::int16_t>(kept);
        const double off =
            static_cast<double>(query[i]) - static_cast<double>(step) * static_cast<double>(kept);
        residual += off * off;
    }
    return {step, inflated(length_of(query)), inflated(std::sqrt(residual))};
}

EstimateBound bound_i8(const CodedQuery& query, std::size_t dim) noexcept {
    const double slack = float_slack(dim) * query.length;
    return {rounded_up(inflated(query.length + query.residual + slack)),
            rounded_up(inflated((query.residual + slack) * kRowLength))};
}

EstimateBound bound_f16(double query_length, std::size_t dim) noexcept {
    const double slack = float_slack(dim) * query_length;
    return {rounded_up(inflated(query_length + slack)), rounded_up(inflated(slack * kRowLength))};
}

}  // namespace scrubjay::kernels
