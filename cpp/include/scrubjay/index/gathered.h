// The columns of a few rows that lie anywhere in a table, copied side by side for the tile kernels.
//
// Invariant: all places, also those never put, hold finite numbers.
// Thread-safety: a value. Cost: put() reads one element of each of five columns.
#pragma once

#include <array>
#include <cstddef>

#include "scrubjay/index/table.h"
#include "scrubjay/kernels/tile.h"

namespace scrubjay::index {

struct Gathered {
    // Places from 0 on are filled by the caller; the kernels read whole steps of sixteen, so what lies
    // behind the last one filled is read as well, and its result is not looked at.
    std::array<float, kTileRows> lambda{};
    std::array<Micros, kTileRows> last{};
    std::array<float, kTileRows> salience{};
    std::array<float, kTileRows> log_frequency{};
    std::array<float, kTileRows> gain{};

    // Copies the row in `slot` to place i. REQUIRES i < kTileRows, slot below the table's slots.
    void put(std::size_t i, const Columns& rows, Slot slot) noexcept {
        lambda[i] = rows.lambda_per_s[slot];
        last[i] = rows.last_us[slot];
        salience[i] = rows.salience[slot];
        log_frequency[i] = rows.log_frequency[slot];
        gain[i] = rows.gain[slot];
    }

    // As the prior kernel takes them; the gain is for fuse.
    [[nodiscard]] kernels::PriorColumns columns() const noexcept {
        return {lambda.data(), last.data(), salience.data(), log_frequency.data()};
    }
};

}  // namespace scrubjay::index
