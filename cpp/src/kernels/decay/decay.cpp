// Validation and dispatch of the family decay.
#include "scrubjay/kernels/decay.h"

#include <array>
#include <cmath>
#include <limits>

#include "kernels/checks.h"
#include "kernels/decay/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<DecayTable> kDecay{&kDecayScalar, SCRUBJAY_IF_AVX2(kDecayAvx2),
                                      SCRUBJAY_IF_AVX512(kDecayAvx512),
                                      SCRUBJAY_IF_NEON(kDecayNeon)};

constexpr std::size_t kMostCategories = 256;
constexpr double kLn2 = 0.693147180559945309417232121458;

bool is_finite(float x) { return std::isfinite(x); }
bool is_rate(float x) { return x >= 0.0F && std::isfinite(x); }
bool is_duration(float x) { return x >= 0.0F; }

void require_rates(std::string_view fn, std::span<const float> lambda_per_s,
                   std::span<const float> dt_s) {
    require_each(fn, "lambda_per_s", lambda_per_s, is_rate, "a finite number >= 0");
    require_each(fn, "dt_s", dt_s, is_duration, "a number >= 0");
}

void require_values(std::string_view fn, std::span<const float> value) {
    require_each(fn, "value", value, is_finite, "a finite number");
}

}  // namespace

void decay_by_item(std::span<const float> value, std::span<const float> lambda_per_s,
                   std::span<const float> dt_s, std::span<float> out, Isa isa) {
    constexpr std::string_view fn = "decay_by_item";
    require_length(fn, "lambda_per_s", lambda_per_s.size(), value.size());
    require_length(fn, "dt_s", dt_s.size(), value.size());
    require_length(fn, "out", out.size(), value.size());
    const bool shared = overlap(value, out) || overlap(lambda_per_s, out) || overlap(dt_s, out);
    const auto check = [&] {
        require_values(fn, value);
        require_rates(fn, lambda_per_s, dt_s);
    };
    if (shared) {
        check();
    }
    const bool stream = !shared && out.size_bytes() >= kStreamBytes;
    if (!kDecay.of(isa).by_item(value.data(), lambda_per_s.data(), dt_s.data(), out.data(),
                                value.size(), stream)) {
        check();
    }
}

void decay_by_category(std::span<const float> value, std::span<const std::uint8_t> category,
                       std::span<const float> lambda_per_s, std::span<const float> dt_s,
                       std::span<float> out, Isa isa) {
    constexpr std::string_view fn = "decay_by_category";
    require_length(fn, "category", category.size(), value.size());
    require_length(fn, "dt_s", dt_s.size(), lambda_per_s.size());
    require_length(fn, "out", out.size(), value.size());
    require_scalar(lambda_per_s.size() <= kMostCategories, fn, "number of categories",
                   static_cast<double>(lambda_per_s.size()), "at most 256");
    require_rates(fn, lambda_per_s, dt_s);

    // One exponential per category, by the same kernel as the other form: the same bits.
    std::array<float, kMostCategories> factor{};
    factor.fill(std::numeric_limits<float>::quiet_NaN());
    std::array<float, kMostCategories> ones{};
    ones.fill(1.0F);
    const DecayTable& table = kDecay.of(isa);
    table.by_item(ones.data(), lambda_per_s.data(), dt_s.data(), factor.data(), lambda_per_s.size(),
                  false);

    const std::size_t known = lambda_per_s.size();
    const auto check = [&] {
        require_each(
            fn, "category", category, [known](std::uint8_t c) { return c < known; },
            "less than the number of categories, " + std::to_string(known));
        require_values(fn, value);
    };
    const bool shared = overlap(value, out) || overlap(category, out);
    if (shared) {
        check();
    }
    const bool stream = !shared && out.size_bytes() >= kStreamBytes;
    if (!table.by_category(value.data(), category.data(), factor.data(), out.data(), value.size(),
                           stream)) {
        check();
    }
}

void decay_constants(std::span<const Micros> half_life_us, std::span<double> out) {
    constexpr std::string_view fn = "decay_constants";
    require_length(fn, "out", out.size(), half_life_us.size());
    require_each(
        fn, "half_life_us", half_life_us, [](Micros us) { return us > 0; },
        "microseconds > 0, or 2**63 - 1 for what never fades");
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = half_life_us[i] == kForeverUs
                     ? 0.0
                     : kLn2 / (static_cast<double>(half_life_us[i]) * 1e-6);
    }
}

}  // namespace scrubjay::kernels
