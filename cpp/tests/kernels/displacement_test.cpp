// Displacement, activation of banks, and expiry.
#include "scrubjay/kernels/displacement.h"

#include "kernels/variants.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/expiry.h"

using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

TEST_CASE("a free slot comes first, then the least salient, older of equals, if beaten") {
    const std::vector<float> salience{0.5F, 0.2F, 0.2F,  //
                                      0.5F, 0.2F, 0.2F,  //
                                      0.5F, 9.0F, 0.2F};
    const std::vector<std::int64_t> sequence{3, 2,  1,  //
                                             3, 2,  1,  //
                                             3, -1, 1};
    const std::vector<float> incoming{0.3F, 0.2F, 0.0F};
    for (const Isa isa : supported_isas()) {
        std::vector<std::int32_t> slot(3);
        displace(salience, sequence, 3, incoming, slot, isa);
        CHECK(slot == std::vector<std::int32_t>{2, kRefused, 1});
    }
}

TEST_CASE("activation is evaluated from the anchor on every set") {
    std::vector<scrubjay::Micros> anchor(kMost);
    std::vector<std::int64_t> sequence(kMost);
    for (std::size_t i = 0; i < kMost; ++i) {
        anchor[i] = static_cast<std::int64_t>(scrubjay::draw(kSeed, i) % 100000000);
        sequence[i] = static_cast<std::int64_t>(i % 5) - 1;
    }
    const auto kept = std::make_unique<bool[]>(kMost);
    for (const Isa isa : supported_isas()) {
        std::vector<float> activation(kMost);
        bank_activation(anchor, sequence, 60000000, 0.05, 0.1, activation, {kept.get(), kMost},
                        isa);
        for (std::size_t i = 0; i < kMost; ++i) {
            const double age = std::max(0.0, static_cast<double>(60000000 - anchor[i]) * 1e-6);
            const double truth = sequence[i] < 0 ? 0.0 : std::pow(0.95, age);
            CHECK(std::abs(static_cast<double>(activation[i]) - truth) <= 1e-6);
            CHECK(kept[i] == (sequence[i] >= 0 && activation[i] >= 0.1F));
        }
    }
}

TEST_CASE("expiry is exact at every length, also where differences overflow") {
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    const std::vector<scrubjay::Micros> created{kFirst, -1, 0, 5, 6, kLast};
    const std::vector<scrubjay::Micros> ttl{kLast, 6, 6, 0, 0, 0};
    const std::vector<bool> expected{true, true, false, true, true, true};
    const auto out = std::make_unique<bool[]>(kMost * created.size());
    for (const Isa isa : supported_isas()) {
        std::vector<scrubjay::Micros> many_created;
        std::vector<scrubjay::Micros> many_ttl;
        for (std::size_t repeat = 0; repeat < kMost; ++repeat) {
            many_created.insert(many_created.end(), created.begin(), created.end());
            many_ttl.insert(many_ttl.end(), ttl.begin(), ttl.end());
            expired(many_created, many_ttl, 5, {out.get(), many_created.size()}, isa);
            bool equal = true;
            for (std::size_t i = 0; i < many_created.size(); ++i) {
                equal &= out[i] == expected[i % expected.size()];
            }
            CHECK(equal);
        }
    }
}

TEST_CASE("a negative time to live is refused by index") {
    const std::vector<scrubjay::Micros> created(3, 0);
    const std::vector<scrubjay::Micros> ttl{1, -1, 1};
    const auto out = std::make_unique<bool[]>(3);
    CHECK_THROWS_AS(expired(created, ttl, 0, {out.get(), 3}), scrubjay::Error);
}
