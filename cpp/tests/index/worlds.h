// What the index tests share: rows with drawn columns.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scrubjay/base/rng.h"
#include "scrubjay/index/retention_index.h"

namespace scrubjay::index::testing {

inline constexpr Micros kNow = 1'000'000'000'000;

// n rows of dim numbers each, with every column given; a function of the seed.
struct World {
    std::size_t dim;
    std::vector<RowId> keys;
    std::vector<float> vectors;
    std::vector<std::uint32_t> scope;
    std::vector<std::uint8_t> kind;
    std::vector<std::uint8_t> code;
    std::vector<float> unit;
    std::vector<std::uint32_t> frequency;
    std::vector<Micros> half_life_us;
    std::vector<Micros> last_us;
    std::vector<float> gain;

    World(std::size_t n, std::size_t dimension, std::uint64_t seed) : dim(dimension) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto unit_of = [&](std::uint64_t column) { return draw_unit(seed + column, i); };
            keys.push_back(static_cast<RowId>(7 * i + 1));
            scope.push_back(static_cast<std::uint32_t>(draw(seed + 1, i) % 5));
            kind.push_back(static_cast<std::uint8_t>(draw(seed + 2, i) % 4));
            code.push_back(static_cast<std::uint8_t>(draw(seed + 3, i) % 4));
            unit.push_back(static_cast<float>(unit_of(4)));
            frequency.push_back(static_cast<std::uint32_t>(draw(seed + 5, i) % 20));
            half_life_us.push_back(i % 7 == 0 ? kForeverUs
                                              : 1 + static_cast<Micros>(unit_of(6) * 1e12));
            last_us.push_back(static_cast<Micros>(unit_of(7) * 1e12));
            gain.push_back(static_cast<float>(0.25 + 0.75 * unit_of(8)));
            for (std::size_t c = 0; c < dim; ++c) {
                vectors.push_back(static_cast<float>(draw_unit(seed + 9, i * dim + c) - 0.5));
            }
        }
    }

    [[nodiscard]] RowBatch batch() const {
        RowBatch rows;
        rows.keys = keys;
        rows.vectors = vectors;
        rows.scope = scope;
        rows.kind = kind;
        rows.category = code;
        rows.state = code;
        rows.authority = code;
        rows.plane = code;
        rows.flags = code;
        rows.quality = unit;
        rows.salience = unit;
        rows.frequency = frequency;
        rows.half_life_us = half_life_us;
        rows.last_us = last_us;
        rows.event_us = last_us;
        rows.gain = gain;
        return rows;
    }

    [[nodiscard]] std::vector<float> query(std::uint64_t seed) const {
        std::vector<float> values;
        for (std::size_t c = 0; c < dim; ++c) {
            values.push_back(static_cast<float>(draw_unit(seed, c) - 0.5));
        }
        return values;
    }
};

}  // namespace scrubjay::index::testing
