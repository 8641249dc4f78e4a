// Pooling of half-precision rows, and the measuring sticks.
#include "scrubjay/kernels/pooling.h"

#include "kernels/variants.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/bandwidth.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

// Halves 1 + k / 1024, so that every sum here is exact and its order does not matter.
std::vector<Half> table_of(std::size_t rows, std::size_t dim) {
    std::vector<Half> table(rows * dim);
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i].bits = static_cast<std::uint16_t>(0x3C00U + draw(kSeed, i) % 1024U);
    }
    return table;
}

double value_of(Half half) { return 1.0 + (half.bits - 0x3C00) / 1024.0; }

}  // namespace

TEST_CASE("rows are summed at every width and set") {
    const std::vector<std::int32_t> ids{3, 1, 1, 0};
    const std::vector<std::int64_t> offsets{0, 0, 3, 4};
    for (const Isa isa : supported_isas()) {
        for (std::size_t dim = 1; dim <= kMost; ++dim) {
            const auto table = table_of(4, dim);
            std::vector<float> sums(3 * dim);
            std::vector<float> norms(3);
            pool_rows(table, dim, ids, offsets, sums, norms, isa);
            double squares = 0.0;
            bool equal = true;
            for (std::size_t d = 0; d < dim; ++d) {
                const double middle = value_of(table[3 * dim + d]) + 2.0 * value_of(table[dim + d]);
                squares += middle * middle;
                equal &= sums[d] == 0.0F;
                equal &= static_cast<double>(sums[dim + d]) == middle;
                equal &= static_cast<double>(sums[2 * dim + d]) == value_of(table[d]);
            }
            CHECK(equal);
            CHECK(norms[0] == 0.0F);
            CHECK(static_cast<double>(norms[1]) ==
                  doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
        }
    }
}

TEST_CASE("every set gives the scalar bits for norms and measuring sticks") {
    const auto b = drawn(4099, -1.0F, 1.0F, 1);
    const auto c = drawn(4099, -1.0F, 1.0F, 2);
    std::vector<float> expected(b.size());
    triad(b, c, 3.0F, expected, Isa::scalar);
    for (const Isa isa : supported_isas()) {
        std::vector<float> got(b.size());
        triad(b, c, 3.0F, got, isa);
        CHECK(same_bits(expected, got));
        CHECK(read_sum(b, isa) == read_sum(b, Isa::scalar));
    }
}

TEST_CASE("a token beyond the table is refused by index before anything is written") {
    const auto table = table_of(4, 8);
    std::vector<float> sums(8, -1.0F);
    std::vector<float> norms(1, -1.0F);
    const std::vector<std::int32_t> ids{0, 4};
    const std::vector<std::int64_t> offsets{0, 2};
    CHECK_THROWS_AS(pool_rows(table, 8, ids, offsets, sums, norms), Error);
    CHECK(sums[0] == -1.0F);
    CHECK(norms[0] == -1.0F);
}
