// A table from a state that was read: every invariant is checked, the rest is derived.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "scrubjay/index/archive.h"
#include "scrubjay/index/table.h"

namespace scrubjay::index {
namespace {

std::string at(const std::string& name, std::size_t i) {
    return name + "[" + std::to_string(i) + "]";
}

bool is_set(std::span<const std::uint64_t> words, std::size_t bit) {
    return ((words[bit / kTileRows] >> (bit % kTileRows)) & 1U) != 0;
}

// Live rows hold good values, free ones zeros.
template <class T, class Good>
void require_values(const std::string& where, const char* name, const AlignedArray<T>& column,
                    std::span<const std::uint64_t> occupied, const char* expected, Good good) {
    for (std::size_t slot = 0; slot < column.size(); ++slot) {
        const bool live = is_set(occupied, slot);
        const T value = column[slot];
        if (live ? !good(value) : value != T{}) {
            refuse_damage(where, at(name, slot), std::to_string(value),
                          live ? expected : "0 in a free slot");
        }
    }
}

// Every used slot is either free or occupied: nothing is parked in a file.
void require_partition(const std::string& where, const AlignedArray<Slot>& free,
                       std::span<const std::uint64_t> occupied, Slot used) {
    std::vector<std::uint64_t> seen(occupied.begin(), occupied.end());
    std::size_t live = 0;
    for (std::size_t tile = 0; tile < seen.size(); ++tile) {
        live += static_cast<std::size_t>(std::popcount(seen[tile]));
        const std::size_t first = tile * kTileRows;
        const std::size_t below = used > first ? std::min<std::size_t>(used - first, kTileRows) : 0;
        const std::uint64_t usable =
            below == kTileRows ? ~std::uint64_t{0} : (std::uint64_t{1} << below) - 1;
        if ((seen[tile] & ~usable) != 0) {
            refuse_damage(where, at("table.occupied", tile), "a row in a slot that was never used",
                          "rows below slot " + std::to_string(used));
        }
    }
    require_elements(where, "table.free", free.size(), used - live);
    for (std::size_t i = 0; i < free.size(); ++i) {
        const Slot slot = free[i];
        if (slot >= used || is_set(seen, slot)) {
            refuse_damage(where, at("table.free", i), std::to_string(slot),
                          "each free slot below " + std::to_string(used) + " once");
        }
        seen[slot / kTileRows] |= std::uint64_t{1} << (slot % kTileRows);
    }
}

}  // namespace

void Table::restore(const std::string& where) {
    const std::size_t slots = columns_.key.size();
    constexpr std::size_t kMostSlots = std::numeric_limits<Slot>::max() - kTileRows + 1;
    if (slots % kTileRows != 0 || slots > kMostSlots || used_ > slots) {
        refuse_damage(where, "table.key",
                      std::to_string(slots) + " slots, " + std::to_string(used_) + " of them used",
                      "a multiple of 64 below 2^32, not fewer than used");
    }
    require_elements(where, "table.occupied", occupied_.size(), slots / kTileRows);
    visit_columns([&](const char* name, auto /*given*/, auto column) {
        require_elements(where, std::string("table.") + name, (columns_.*column).size(), slots);
    });
    require_partition(where, free_, occupied(), used_);
    require_columns(where);
    derive_all(where);
    version_ = next_version();
}

void Table::require_columns(const std::string& where) const {
    const auto check = [&](const char* name, const auto& column, const char* expected, auto good) {
        require_values(where, name, column, occupied(), expected, good);
    };
    const auto any = [](auto /*value*/) { return true; };
    const auto code = [](std::uint8_t v) { return v < kCodes; };
    const auto unit = [](float v) { return v >= 0.0F && v <= 1.0F; };
    const auto instant = [](Micros v) { return v >= -kLatestUs && v <= kLatestUs; };
    check("table.key", columns_.key, "", any);
    check("table.scope", columns_.scope, "", any);
    check("table.kind", columns_.kind, "a code below 64", code);
    check("table.category", columns_.category, "a code below 64", code);
    check("table.state", columns_.state, "a code below 64", code);
    check("table.authority", columns_.authority, "", any);
    check("table.plane", columns_.plane, "a code below 64", code);
    check("table.flags", columns_.flags, "", any);
    check("table.quality", columns_.quality, "a number in [0, 1]", unit);
    check("table.salience", columns_.salience, "a number in [0, 1]", unit);
    check("table.frequency", columns_.frequency, "", any);
    check("table.half_life_us", columns_.half_life_us, "a positive number of microseconds",
          [](Micros v) { return v > 0; });
    check("table.last_us", columns_.last_us, "microseconds within 2^61 of the epoch", instant);
    check("table.event_us", columns_.event_us, "microseconds within 2^61 of the epoch", instant);
    check("table.gain", columns_.gain, "a number in (0, 1]",
          [](float v) { return v > 0.0F && v <= 1.0F; });
}

void Table::derive_all(const std::string& where) {
    const std::size_t slots = columns_.key.size();
    const AlignedArray<RowId>& key = columns_.key;
    columns_.lambda_per_s.grow(slots);
    columns_.log_frequency.grow(slots);
    keys_ = SlotMap::with_room(used_ - free_.size());
    for (Slot slot = 0; slot < used_; ++slot) {
        if (!is_set(occupied(), slot)) {
            continue;
        }
        if (find(key[slot]) != kNoSlot) {
            refuse_damage(where, at("table.key", slot), std::to_string(key[slot]),
                          "every key once");
        }
        keys_.insert(slot, key.data());
        derive(slot);
    }
}

}  // namespace scrubjay::index
