// Sketches bound cosines, whatever the rows, and are the same on every set.
#include "scrubjay/index/sketches.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "scrubjay/base/rng.h"

using namespace scrubjay;
using namespace scrubjay::index;

namespace {

std::vector<float> unit(std::vector<float> v) {
    float sum = 0.0F;
    for (const float x : v) {
        sum += x * x;
    }
    for (float& x : v) {
        x /= std::sqrt(sum);
    }
    return v;
}

// A dense vector, or one of few coordinates, on which signs alone would say little without a rotation.
std::vector<float> drawn(std::size_t dim, std::uint64_t seed, bool sparse) {
    std::vector<float> v(dim);
    for (std::size_t c = 0; c < dim; ++c) {
        v[c] = sparse && draw(seed + 1, c) % dim > 2
                   ? 0.0F
                   : static_cast<float>(draw_unit(seed, c) + draw_unit(seed + 2, c) - 1.0);
    }
    v[seed % dim] += 0.5F;
    return unit(v);
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    }
    return sum;
}

}  // namespace

TEST_CASE("bounds lie above the cosines, and by little where there are many dimensions") {
    for (const bool sparse : {false, true}) {
        for (const std::size_t dim : {3UL, 64UL, 100UL, 256UL, 1024UL}) {
            Sketches sketches(dim);
            sketches.grow(2);
            std::vector<std::vector<float>> rows;
            for (std::size_t i = 0; i < kernels::kSketchRows; ++i) {
                rows.push_back(drawn(dim, 10 + 3 * i, sparse));
                sketches.put(1, i, rows.back());
            }
            double above = 0.0;
            for (std::uint64_t q = 0; q < 20; ++q) {
                const auto query = drawn(dim, 5000 + 3 * q, sparse && q % 2 == 0);
                std::vector<float> bounds(kernels::kSketchRows);
                sketches.bounds(sketches.prepare(query), 1, bounds.data());
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    const double over = static_cast<double>(bounds[i]) - dot(rows[i], query);
                    CHECK(over >= 0.0);
                    above += over / 1280.0;
                }
            }
            CHECK(above < 6.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(dim, 64))));
        }
    }
}

TEST_CASE("a row that equals the query has a bound of at least one, its opposite a low one") {
    const std::vector<float> row = drawn(256, 4, false);
    std::vector<float> other = row;
    for (float& x : other) {
        x = -x;
    }
    Sketches sketches(256);
    sketches.grow(1);
    sketches.put(0, 0, row);
    sketches.put(0, 40, other);
    sketches.put(0, 63, std::vector<float>(256));
    std::vector<float> bounds(kernels::kSketchRows);
    sketches.bounds(sketches.prepare(row), 0, bounds.data());
    CHECK(bounds[0] >= 1.0F);
    CHECK(bounds[40] < -0.7F);
    CHECK(0.0F == bounds[63]);
}

TEST_CASE("moving a row takes its sketch along and leaves the others, on every set alike") {
    const std::vector<float> query = drawn(100, 1, false);
    std::vector<float> expected;
    for (const kernels::Isa isa : kernels::supported_isas()) {
        Sketches sketches(100, isa);
        sketches.grow(1);
        for (std::size_t i = 0; i < kernels::kSketchRows; ++i) {
            sketches.put(0, i, drawn(100, 100 + 3 * i, false));
        }
        const SketchQuery ready = sketches.prepare(query);
        std::vector<float> before(kernels::kSketchRows);
        sketches.bounds(ready, 0, before.data());
        expected = expected.empty() ? before : expected;
        CHECK(expected == before);
        sketches.move(0, 63, 5);
        sketches.move(0, 7, 40);
        std::vector<float> after(kernels::kSketchRows);
        sketches.bounds(ready, 0, after.data());
        before[5] = before[63];
        before[40] = before[7];
        CHECK(before == after);
    }
}
