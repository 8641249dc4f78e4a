// Decay by item and by category.
#include "scrubjay/kernels/decay.h"

#include "kernels/variants.h"
#include "scrubjay/base/error.h"

using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

TEST_CASE("decay by item equals its definition at every length, place and set") {
    const auto value = drawn(kMost + 16, -2.0F, 2.0F, 1);
    auto rate = drawn(kMost + 16, 0.0F, 0.01F, 2);
    auto dt = drawn(kMost + 16, 0.0F, 1000.0F, 3);
    rate[5] = 0.0F;
    dt[5] = std::numeric_limits<float>::infinity();
    for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
        std::vector<float> out(length);
        decay_by_item(std::span(value).subspan(begin, length),
                      std::span(rate).subspan(begin, length), std::span(dt).subspan(begin, length),
                      out, isa);
        bool close = true;
        for (std::size_t i = 0; i < length; ++i) {
            const float r = rate[begin + i];
            const double exponent = r == 0.0F ? 0.0 : static_cast<double>(r * dt[begin + i]);
            const double truth = static_cast<double>(value[begin + i]) * std::exp(-exponent);
            close &= std::abs(static_cast<double>(out[i]) - truth) <= 3e-7 * std::abs(truth);
        }
        CHECK(close);
    });
}

TEST_CASE("both forms give the same bits on every set") {
    const std::size_t n = 4099;
    const auto value = drawn(n, 0.0F, 1.0F, 4);
    const auto rates = drawn(7, 0.0F, 0.01F, 5);
    const auto durations = drawn(7, 0.0F, 1000.0F, 6);
    std::vector<std::uint8_t> category(n);
    std::vector<float> rate(n);
    std::vector<float> dt(n);
    for (std::size_t i = 0; i < n; ++i) {
        category[i] = static_cast<std::uint8_t>(scrubjay::draw(kSeed, i) % 7);
        rate[i] = rates[category[i]];
        dt[i] = durations[category[i]];
    }
    std::vector<float> expected(n);
    decay_by_item(value, rate, dt, expected, Isa::scalar);
    for (const Isa isa : supported_isas()) {
        std::vector<float> got(n);
        decay_by_item(value, rate, dt, got, isa);
        CHECK(same_bits(expected, got));
        decay_by_category(value, category, rates, durations, got, isa);
        CHECK(same_bits(expected, got));
    }
}

TEST_CASE("a category beyond the tables is refused by index") {
    const std::vector<float> value(40, 1.0F);
    const std::vector<float> table(3, 0.0F);
    std::vector<std::uint8_t> category(40, 2);
    category[33] = 3;
    std::vector<float> out(40);
    for (const Isa isa : supported_isas()) {
        CHECK_THROWS_WITH_AS(
            decay_by_category(value, category, table, table, out, isa),
            "decay_by_category: category[33] is out of range, got 3, expected less "
            "than the number of categories, 3",
            scrubjay::Error);
    }
}

TEST_CASE("the constant of what never fades is exactly zero") {
    const std::vector<scrubjay::Micros> half_lives{1000000, kForeverUs};
    std::vector<double> out(2);
    decay_constants(half_lives, out);
    CHECK(out[0] == doctest::Approx(0.6931471805599453));
    CHECK(out[1] == 0.0);
}
