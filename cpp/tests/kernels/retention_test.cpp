// Retention prior in its four forms, the score, and the eviction delay that inverts the prior.
#include "scrubjay/kernels/retention.h"

#include "kernels/variants.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/eviction.h"

using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

constexpr PriorWeights kWeights{0.2, 0.2, 0.1};

double defined(double age, double rate, double salience, double frequency, const PriorForm& form) {
    double use = std::log1p(frequency);
    if (form.frequency_ceiling) {
        use = std::min(1.0, use / std::log1p(*form.frequency_ceiling));
    }
    const double kept = std::exp(-rate * std::max(0.0, age));
    return form.fading ? (0.2 + 0.1 * use) * kept + 0.2 * salience
                       : 0.2 * kept + 0.2 * salience + 0.1 * use;
}

}  // namespace

TEST_CASE("the prior equals its definition in every form, length, place and set") {
    const auto age = drawn(kMost + 16, -1000.0F, 100000.0F, 1);
    const auto rate = drawn(kMost + 16, 0.0F, 1e-4F, 2);
    const auto salience = drawn(kMost + 16, 0.0F, 1.0F, 3);
    const auto frequency = drawn(kMost + 16, 0.0F, 60.0F, 4);
    for (const PriorForm& form : {PriorForm{{}, false}, PriorForm{{}, true}, PriorForm{20.0, false},
                                  PriorForm{20.0, true}}) {
        for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
            const auto part = [&](const std::vector<float>& column) {
                return std::span(column).subspan(begin, length);
            };
            std::vector<float> out(length);
            retention_prior(part(age), part(rate), part(salience), part(frequency), kWeights, form,
                            out, isa);
            double worst = 0.0;
            for (std::size_t i = 0; i < length; ++i) {
                const std::size_t k = begin + i;
                const double truth = defined(age[k], rate[k], salience[k], frequency[k], form);
                worst = std::max(worst, std::abs(static_cast<double>(out[i]) - truth));
            }
            CHECK(worst <= 4e-7);
        });
    }
}

TEST_CASE("every set gives the scalar bits for prior and score") {
    const std::size_t n = 4099;
    const auto age = drawn(n, -10.0F, 1e6F, 5);
    const auto rate = drawn(n, 0.0F, 1e-4F, 6);
    const auto salience = drawn(n, 0.0F, 1.0F, 7);
    const auto frequency = drawn(n, 0.0F, 1e6F, 8);
    std::vector<float> expected(n);
    std::vector<float> scored(n);
    retention_prior(age, rate, salience, frequency, kWeights, {}, expected, Isa::scalar);
    retention_score(salience, expected, 0.5, scored, Isa::scalar);
    for (const Isa isa : supported_isas()) {
        std::vector<float> got(n);
        retention_prior(age, rate, salience, frequency, kWeights, {}, got, isa);
        CHECK(same_bits(expected, got));
        retention_score(salience, expected, 0.5, got, isa);
        CHECK(same_bits(scored, got));
    }
}

TEST_CASE("the fading prior crosses the threshold at the eviction delay") {
    const auto salience = drawn(200, 0.0F, 0.45F, 9);
    const auto frequency = drawn(200, 0.0F, 30.0F, 10);
    const std::vector<double> rate(200, 1e-4);
    std::vector<double> delay(200);
    eviction_delay(rate, salience, frequency, kWeights, {}, 0.1, delay);
    for (std::size_t i = 0; i < delay.size(); ++i) {
        REQUIRE(std::isfinite(delay[i]));
        const auto at = [&](double t) {
            return defined(t, rate[i], salience[i], frequency[i], {{}, true});
        };
        CHECK(at(delay[i] * 0.999999) >= 0.1);
        CHECK(at(delay[i] * 1.000001) < 0.1);
    }
}

TEST_CASE("without decay or below the lasting part nothing is ever evicted") {
    const std::vector<double> rate{0.0, 1e-4};
    const std::vector<float> salience{0.0F, 1.0F};
    const std::vector<float> frequency{0.0F, 0.0F};
    std::vector<double> delay(2);
    eviction_delay(rate, salience, frequency, kWeights, {}, 0.1, delay);
    CHECK(std::isinf(delay[0]));
    CHECK(std::isinf(delay[1]));
}

TEST_CASE("weights that exceed one together are refused") {
    std::vector<float> one(1, 1.0F);
    CHECK_THROWS_AS(retention_prior(one, one, one, one, {0.5, 0.5, 0.5}, {}, one), scrubjay::Error);
}
