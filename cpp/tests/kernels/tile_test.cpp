// The tile kernels: one arithmetic on every set, and bounds that stay bounds.
#include "scrubjay/kernels/tile.h"

#include <algorithm>

#include "kernels/variants.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

constexpr Micros kNow = 1'700'000'000'000'000;

struct Rows {
    std::vector<float> lambda = drawn(kTileRows, 0.0F, 1e-3F, 1);
    std::vector<float> salience = drawn(kTileRows, 0.0F, 1.0F, 2);
    std::vector<float> uses = drawn(kTileRows, 0.0F, 9.0F, 3);
    std::vector<Micros> last = std::vector<Micros>(kTileRows);

    Rows() {
        for (std::size_t i = 0; i < kTileRows; ++i) {
            last[i] = kNow - static_cast<Micros>(draw(4, i) >> (i % 40 + 8U));
        }
        lambda[0] = 0.0F;
        last[1] = kNow + 5;            // The future.
        last[2] = -(Micros{1} << 61);  // As old as an instant can be.
    }

    [[nodiscard]] PriorColumns columns() const {
        return {lambda.data(), last.data(), salience.data(), uses.data()};
    }
};

}  // namespace

TEST_CASE("priors have the same bits on every set and are those of the formula") {
    const Rows rows;
    const TileWeights weights{kNow, 0.2F, 0.3F, 0.1F, 0.25F, 1.0F};
    std::vector<float> expected(kTileRows);
    tile_table(Isa::scalar).prior(rows.columns(), weights, kTileRows, expected.data());
    for (std::size_t i = 0; i < kTileRows; ++i) {
        const double age = static_cast<double>(std::max<Micros>(0, kNow - rows.last[i])) * 1e-6;
        const double exponent = static_cast<double>(rows.lambda[i]) * age;
        const double recency = exponent > 80.0 ? 0.0 : std::exp(-exponent);
        const double use = std::min(1.0, static_cast<double>(rows.uses[i]) * 0.25);
        const double truth =
            0.2 * recency + 0.3 * static_cast<double>(rows.salience[i]) + 0.1 * use;
        CHECK(std::abs(truth - static_cast<double>(expected[i])) < 1e-5);
    }
    for (const Isa isa : supported_isas()) {
        std::vector<float> out(kTileRows);
        tile_table(isa).prior(rows.columns(), weights, kTileRows, out.data());
        CHECK(same_bits(expected, out));
    }
}

TEST_CASE("recency is exactly 1 without decay and for the future, and 0 for the very old") {
    const Rows rows;
    const TileWeights recency_only{kNow, 1.0F, 0.0F, 0.0F, 1.0F, 1.0F};
    for (const Isa isa : supported_isas()) {
        std::vector<float> out(kTileRows);
        tile_table(isa).prior(rows.columns(), recency_only, kTileRows, out.data());
        CHECK(1.0F == out[0]);
        CHECK(1.0F == out[1]);
        CHECK(0.0F == out[2]);
    }
}

TEST_CASE("a larger cosine never scores less, and cosines are clamped") {
    const auto gain = drawn(kTileRows, 0.1F, 1.0F, 5);
    const auto prior = drawn(kTileRows, 0.0F, 0.6F, 6);
    const auto cosine = drawn(kTileRows, -2.0F, 2.0F, 7);
    for (const Isa isa : supported_isas()) {
        std::vector<float> low = cosine;
        std::vector<float> high = cosine;
        for (float& c : high) {
            c = std::nextafter(c, 2.0F);
        }
        tile_table(isa).fuse(gain.data(), prior.data(), 0.5F, kTileRows, low.data());
        tile_table(isa).fuse(gain.data(), prior.data(), 0.5F, kTileRows, high.data());
        for (std::size_t i = 0; i < kTileRows; ++i) {
            CHECK(low[i] <= high[i]);
            CHECK(low[i] == 0.5F * (gain[i] * std::clamp(cosine[i], -1.0F, 1.0F)) + prior[i]);
        }
    }
}

TEST_CASE("bounds have the same bits on every set") {
    const auto scale = drawn(kTileRows, 0.0F, 0.01F, 8);
    const auto residual = drawn(kTileRows, 0.0F, 0.01F, 9);
    std::vector<std::int32_t> dots(kTileRows);
    for (std::size_t i = 0; i < kTileRows; ++i) {
        dots[i] = static_cast<std::int32_t>(draw(10, i));
    }
    const BoundColumns rows{scale.data(), residual.data(), 1e-5F, 1.001F, 1e-6F};
    for (const Isa isa : supported_isas()) {
        std::vector<float> bound(kTileRows);
        std::vector<float> estimate(kTileRows);
        tile_table(isa).bound_i8(rows, dots.data(), kTileRows, bound.data());
        tile_table(isa).estimate_i8(rows, dots.data(), kTileRows, estimate.data());
        for (std::size_t i = 0; i < kTileRows; ++i) {
            CHECK(estimate[i] == static_cast<float>(dots[i]) * (scale[i] * 1e-5F));
            CHECK(bound[i] == estimate[i] + (1.001F * residual[i] + 1e-6F));
        }
        tile_table(isa).bound_f16(rows, kTileRows, estimate.data());
        CHECK(same_bits(bound, estimate));
    }
}
