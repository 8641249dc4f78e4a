// The ranking: every set, every k, ties that only the id decides.
#include "scrubjay/kernels/top_k.h"

#include <algorithm>
#include <numeric>

#include "kernels/variants.h"
#include "scrubjay/base/error.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

TEST_CASE("ranks as a full sort does") {
    for (const Isa isa : supported_isas()) {
        for (const std::size_t n : {0UL, 1UL, 16UL, 257UL, 1000UL}) {
            std::vector<float> scores(n);
            std::vector<RowId> ids(n);
            for (std::size_t i = 0; i < n; ++i) {
                scores[i] = static_cast<float>(draw(1, i) % 9);
                ids[i] = static_cast<RowId>(draw(2, i) % 100'000);
            }
            std::vector<std::uint32_t> expected(n);
            std::iota(expected.begin(), expected.end(), 0U);
            std::sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
                return ranks_before({scores[a], ids[a]}, {scores[b], ids[b]});
            });
            for (const std::size_t k : {1UL, 7UL, 300UL}) {
                const auto best = top_k(scores, ids, k, isa);
                CHECK(std::min(n, k) == best.size());
                CHECK(std::equal(best.begin(), best.end(), expected.begin()));
            }
        }
    }
}

TEST_CASE("selection keeps order, obeys its bound and needs no room beyond count") {
    const auto scores = drawn(131, 0.0F, 1.0F, 3);
    for (const Isa isa : supported_isas()) {
        for (std::size_t n = 0; n <= 131; ++n) {
            std::vector<std::uint32_t> out(n);
            const std::size_t found =
                top_k_table(isa).at_least(scores.data(), n, scores[50], out.data());
            std::size_t next = 0;
            for (std::uint32_t i = 0; i < n; ++i) {
                if (scores[i] >= scores[50]) {
                    CHECK(i == out[next]);
                    ++next;
                }
            }
            CHECK(next == found);
        }
    }
}

TEST_CASE("a bounded heap of one keeps the best, then the smallest id") {
    BestK best(1);
    best.offer(1.0F, 5, 0);
    best.offer(1.0F, 3, 1);
    best.offer(1.0F, 4, 2);
    CHECK(1.0F == best.threshold());
    const auto entries = best.take();
    CHECK(1 == entries.size());
    CHECK(3 == entries[0].rank.id);
}

TEST_CASE("k of zero and NaN are refused") {
    const std::vector<float> scores{1.0F, std::numeric_limits<float>::quiet_NaN()};
    CHECK_THROWS_AS((void)top_k(scores, {}, 1), Error);
    CHECK_THROWS_AS((void)top_k(std::span(scores).first(1), {}, 0), Error);
}
