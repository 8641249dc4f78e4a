// Slots, columns and the range of every column.
#include "scrubjay/index/table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"

namespace scrubjay::index {
namespace {

constexpr double kMicrosPerSecond = 1e6;

// Keys put into a map between two questions to a Poll.
constexpr std::size_t kRowsPerPoll = 4096;

void refuse(const char* fn, const char* column, std::size_t i, const std::string& got,
            const char* expected) {
    throw Error(Errc::unit_out_of_range, std::string(fn) + ": " + column + "[" + std::to_string(i) +
                                             "] is out of range, got " + got + ", expected " +
                                             expected);
}

template <class T, class Good>
void refuse_unless(const char* fn, const char* column, std::span<const T> values,
                   const char* expected, Good good) {
    const auto bad = std::find_if_not(values.begin(), values.end(), good);
    if (bad != values.end()) {
        refuse(fn, column, static_cast<std::size_t>(bad - values.begin()), std::to_string(*bad),
               expected);
    }
}

// NaN fails both comparisons and is refused with the rest.
void refuse_outside_unit(const char* fn, const char* column, std::span<const float> values) {
    refuse_unless(fn, column, values, "a number in [0, 1]",
                  [](float v) { return v >= 0.0F && v <= 1.0F; });
}

void refuse_big_code(const char* fn, const char* column, std::span<const std::uint8_t> values) {
    refuse_unless(fn, column, values, "a code below 64", [](std::uint8_t v) { return v < kCodes; });
}

std::size_t tiles_for(std::size_t rows) {
    constexpr std::size_t kMostSlots = std::numeric_limits<Slot>::max() - kTileRows + 1;
    if (rows > kMostSlots) {
        throw Error(Errc::capacity_exceeded, "Index: too many rows for one table, got " +
                                                 std::to_string(rows) + ", expected at most " +
                                                 std::to_string(kMostSlots) +
                                                 "; split them over several tenants");
    }
    return (rows + kTileRows - 1) / kTileRows;
}

bool representable(Micros instant) { return instant >= -kLatestUs && instant <= kLatestUs; }

void refuse_bad_instants(const char* fn, const char* column, std::span<const Micros> values) {
    refuse_unless(fn, column, values, "microseconds within 2^61 of the epoch", representable);
}

}  // namespace

void refuse_bad_instant(const char* fn, const char* name, Micros instant) {
    if (!representable(instant)) {
        throw Error(Errc::unit_out_of_range,
                    std::string(fn) + ": " + name + " is out of range, got " +
                        std::to_string(instant) +
                        ", expected microseconds within 2^61 of the epoch");
    }
}

void refuse_bad_columns(const char* fn, const RowBatch& batch) {
    visit_columns([&](const char* name, auto given, auto /*column*/) {
        const std::size_t length = (batch.*given).size();
        if (length != 0 && length != batch.keys.size()) {
            throw Error(Errc::shape_mismatch, std::string(fn) + ": " + name +
                                                  " differs in length from keys, got " +
                                                  std::to_string(length) + ", expected " +
                                                  std::to_string(batch.keys.size()));
        }
    });
    refuse_big_code(fn, "kind", batch.kind);
    refuse_big_code(fn, "category", batch.category);
    refuse_big_code(fn, "state", batch.state);
    refuse_big_code(fn, "plane", batch.plane);
    refuse_outside_unit(fn, "quality", batch.quality);
    refuse_outside_unit(fn, "salience", batch.salience);
    refuse_unless(fn, "half_life_us", batch.half_life_us, "a positive number of microseconds",
                  [](Micros v) { return v > 0; });
    refuse_bad_instants(fn, "last_us", batch.last_us);
    refuse_bad_instants(fn, "event_us", batch.event_us);
    refuse_unless(fn, "gain", batch.gain, "a number in (0, 1]",
                  [](float v) { return v > 0.0F && v <= 1.0F; });
}

std::size_t Table::bytes() const noexcept {
    std::size_t total = columns_.key.bytes() + columns_.lambda_per_s.bytes() +
                        columns_.log_frequency.bytes() + keys_.bytes() + occupied_.bytes() +
                        free_.bytes();
    visit_columns([&](const char* /*name*/, auto /*given*/, auto column) {
        total += (columns_.*column).bytes();
    });
    return total;
}

// One counter for all tables: a version then names the table too.
TableVersion Table::next_version() noexcept {
    static std::atomic<TableVersion> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

template <class Each>
void Table::each_column(Each each) {
    each(columns_.key);
    each(columns_.lambda_per_s);
    each(columns_.log_frequency);
    visit_columns(
        [&](const char* /*name*/, auto /*given*/, auto column) { each(columns_.*column); });
}

// The key map anew, with room for that many keys.
SlotMap Table::mapped(std::size_t rows) const {
    SlotMap map = SlotMap::with_room(rows);
    const RowId* const key = columns_.key.data();
    for (std::size_t tile = 0; tile < tiles(); ++tile) {
        for (std::uint64_t word = occupied_[tile]; word != 0; word &= word - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(word));
            map.insert(static_cast<Slot>(tile * kTileRows + i), key);
        }
    }
    return map;
}

void Table::stage_release(std::size_t rows, Growth& growth) {
    growth.room(free_, free_.size() + parked() + rows);
}

void Table::stage_shrink(Growth& growth) {
    each_column([&growth](auto& column) { growth.tighten(column); });
    growth.tighten(occupied_);
    if (free_.capacity() > free_.size() + parked()) {
        growth.replace(free_, free_.copied(free_.size() + parked()));
    }
    if (keys_.loose_for(live())) {
        growth.replace(keys_, mapped(live()));
    }
}

std::vector<Slot> Table::live_slots() const {
    std::vector<Slot> slots;
    slots.reserve(live());
    for (std::size_t tile = 0; tile < tiles(); ++tile) {
        for (std::uint64_t word = occupied_[tile]; word != 0; word &= word - 1) {
            slots.push_back(static_cast<Slot>(tile * kTileRows) +
                            static_cast<Slot>(std::countr_zero(word)));
        }
    }
    return slots;
}

Table Table::packed(const Poll& poll) const {
    Table dense;
    dense.reserve_for(live());
    const std::vector<Slot> slots = live_slots();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (i % kRowsPerPoll == 0) {
            poll();
        }
        dense.claim(columns_.key[slots[i]]);
    }
    const auto copy = [&](auto& to, const auto& from) {
        poll();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            to[i] = from[slots[i]];
        }
    };
    copy(dense.columns_.lambda_per_s, columns_.lambda_per_s);
    copy(dense.columns_.log_frequency, columns_.log_frequency);
    visit_columns([&](const char* /*name*/, auto /*given*/, auto column) {
        copy(dense.columns_.*column, columns_.*column);
    });
    return dense;
}

std::size_t Table::row_bytes() noexcept {
    std::size_t bytes = sizeof(RowId) + 2 * sizeof(float);
    visit_columns([&](const char* /*name*/, auto /*given*/, auto column) {
        bytes += sizeof((std::declval<Columns&>().*column)[0]);
    });
    return bytes;
}

std::size_t Table::slots_for(std::size_t more) const {
    const std::size_t unused = more > free_.size() ? more - free_.size() : 0;
    return std::max(slots(), tiles_for(used_ + unused) * kTileRows);
}

void Table::stage_room(std::size_t more, Growth& growth) {
    const std::size_t wanted = slots_for(more);
    each_column([&](auto& column) { growth.room(column, wanted); });
    growth.room(occupied_, wanted / kTileRows);
    if (!keys_.fits(keys_.size() + more)) {
        // By half, as arrays grow.
        growth.replace(keys_, mapped(std::max(keys_.size() + more, keys_.size() * 3 / 2)));
    }
}

void Table::stage_slots(std::size_t more, Growth& growth) {
    const std::size_t wanted = slots_for(more);
    each_column([&](auto& column) { growth.extend(column, wanted); });
    growth.extend(occupied_, wanted / kTileRows);
}

void Table::reserve_for(std::size_t more) {
    Growth growth;
    stage_room(more, growth);
    growth.publish();
    stage_slots(more, growth);
    growth.publish();
}

Slot Table::claim(RowId key) {
    if ((free_.size() == 0 && used_ == slots()) || !keys_.fits(keys_.size() + 1)) {
        reserve_for(1);
    }
    Slot slot = used_;
    if (free_.size() == 0) {
        ++used_;
    } else {
        slot = free_[free_.size() - 1];
        free_.cut(free_.size() - 1);
    }
    columns_.key[slot] = key;
    keys_.insert(slot, columns_.key.data());
    version_ = next_version();
    occupied_[slot / kTileRows] |= std::uint64_t{1} << (slot % kTileRows);
    return slot;
}

std::vector<Slot> Table::preview(std::size_t claims) const {
    std::vector<Slot> slots(claims);
    for (std::size_t i = 0; i < claims; ++i) {
        slots[i] = i < free_.size() ? free_[free_.size() - 1 - i]
                                    : used_ + static_cast<Slot>(i - free_.size());
    }
    return slots;
}

Slot Table::relocate(RowId key) {
    const Slot before = find(key);
    keys_.erase(before, columns_.key.data());
    const Slot after = claim(key);
    each_column([&](auto& column) {
        column[after] = column[before];
        column[before] = {};
    });
    occupied_[before / kTileRows] &= ~(std::uint64_t{1} << (before % kTileRows));
    return before;
}

Slot Table::release(RowId key) noexcept {
    const Slot slot = find(key);
    keys_.erase(slot, columns_.key.data());
    version_ = next_version();
    occupied_[slot / kTileRows] &= ~(std::uint64_t{1} << (slot % kTileRows));
    each_column([slot](auto& column) { column[slot] = {}; });
    return slot;
}

void Table::recycle(std::span<const Slot> slots) noexcept {
    for (const Slot slot : slots) {
        free_.push_back(slot);
    }
}

void Table::write(Slot slot, const RowBatch& batch, std::size_t i) noexcept {
    visit_columns([&](const char* /*name*/, auto given, auto column) {
        if (!(batch.*given).empty()) {
            (columns_.*column)[slot] = (batch.*given)[i];
        }
    });
    version_ = next_version();
    derive(slot);
}

void Table::reinforce(Slot slot, Micros now_us, std::uint32_t count) noexcept {
    columns_.last_us[slot] = std::max(columns_.last_us[slot], now_us);
    std::uint32_t& frequency = columns_.frequency[slot];
    const std::uint32_t room = std::numeric_limits<std::uint32_t>::max() - frequency;
    frequency += std::min(count, room);
    derive(slot);
}

void Table::derive(Slot slot) noexcept {
    const Micros half_life = columns_.half_life_us[slot];
    columns_.lambda_per_s[slot] =
        half_life == kForeverUs
            ? 0.0F
            : static_cast<float>(std::numbers::ln2 /
                                 (static_cast<double>(half_life) / kMicrosPerSecond));
    columns_.log_frequency[slot] =
        static_cast<float>(std::log1p(static_cast<double>(columns_.frequency[slot])));
}

}  // namespace scrubjay::index
