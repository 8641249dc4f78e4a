// exp and log: the definition is the C++ library in double precision, the scalar set gives the bits.
#include "scrubjay/kernels/numerics.h"

#include "kernels/variants.h"
#include "scrubjay/base/error.h"

using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

double ulps(float got, double truth) {
    const double exponent = std::max(std::floor(std::log2(std::abs(truth))), -126.0);
    return std::abs(static_cast<double>(got) - truth) / std::exp2(exponent - 23.0);
}

}  // namespace

TEST_CASE("exp is within two ulp at every length, place and set") {
    const auto x = drawn(kMost + 16, -104.0F, 88.7F, 1);
    for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
        std::vector<float> out(length);
        exp_f32(std::span(x).subspan(begin, length), out, isa);
        double worst = 0.0;
        for (std::size_t i = 0; i < length; ++i) {
            worst = std::max(worst, ulps(out[i], std::exp(static_cast<double>(x[begin + i]))));
        }
        CHECK(worst <= 2.0);
    });
}

TEST_CASE("log is within two ulp at every length, place and set") {
    auto x = drawn(kMost + 16, -103.0F, 88.0F, 2);
    for (float& value : x) {
        value = static_cast<float>(std::exp(static_cast<double>(value)));
    }
    for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
        std::vector<float> out(length);
        log_f32(std::span(x).subspan(begin, length), out, isa);
        double worst = 0.0;
        for (std::size_t i = 0; i < length; ++i) {
            worst = std::max(worst, ulps(out[i], std::log(static_cast<double>(x[begin + i]))));
        }
        CHECK(worst <= 2.0);
    });
}

TEST_CASE("every set gives the scalar bits for exp and log") {
    const auto x = drawn(4099, 1e-3F, 80.0F, 3);
    std::vector<float> expected(x.size());
    std::vector<float> got(x.size());
    for (const Isa isa : supported_isas()) {
        exp_f32(x, expected, Isa::scalar);
        exp_f32(x, got, isa);
        CHECK(same_bits(expected, got));
        log_f32(x, expected, Isa::scalar);
        log_f32(x, got, isa);
        CHECK(same_bits(expected, got));
    }
}

TEST_CASE("a negative argument of log and NaN are refused by index") {
    std::vector<float> x(20, 1.0F);
    std::vector<float> out(20);
    x[17] = -1.0F;
    CHECK_THROWS_WITH_AS(log_f32(x, out),
                         "log_f32: x[17] is out of range, got -1, expected a number >= 0",
                         scrubjay::Error);
    x[17] = std::nanf("");
    CHECK_THROWS_AS(log_f32(x, out), scrubjay::Error);
    CHECK_THROWS_AS(exp_f32(x, out), scrubjay::Error);
}
