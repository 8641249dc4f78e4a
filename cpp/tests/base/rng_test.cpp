// Draws of SplitMix64.
#include "scrubjay/base/rng.h"

#include <doctest/doctest.h>

using scrubjay::draw;
using scrubjay::draw_unit;
using scrubjay::mix64;

TEST_CASE("mix64 gives the published SplitMix64 stream for seed 0") {
    // First three outputs of the reference generator started at 0.
    CHECK(mix64(0x9E3779B97F4A7C15ULL) == 0xE220A8397B1DCDAFULL);
    CHECK(mix64(2 * 0x9E3779B97F4A7C15ULL) == 0x6E789E6AA1B965F4ULL);
    CHECK(mix64(3 * 0x9E3779B97F4A7C15ULL) == 0x06C45D188009454FULL);
}

TEST_CASE("a draw depends on seed and key alone and lies in [0, 1)") {
    CHECK(draw(1, 2) == draw(1, 2));
    CHECK(draw(1, 2) != draw(2, 1));
    for (std::uint64_t key = 0; key < 1000; ++key) {
        const double unit = draw_unit(7, key);
        CHECK(unit >= 0.0);
        CHECK(unit < 1.0);
    }
}
