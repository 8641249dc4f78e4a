// Slots, keys and columns under change.
#include "scrubjay/index/table.h"

#include <limits>
#include <map>

#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/room.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

TEST_CASE("the key map agrees with an ordered map under any churn") {
    KeyMap map;
    std::map<RowId, Slot> expected;
    for (std::uint64_t step = 0; step < 20'000; ++step) {
        // Few keys in many forms, so that probes run into each other.
        const auto key = static_cast<RowId>(draw(1, step) % 700) * (step % 2 == 0 ? 1 : 1 << 20);
        if (expected.contains(key)) {
            map.erase(key);
            expected.erase(key);
        } else {
            map.insert(key, static_cast<Slot>(step));
            expected[key] = static_cast<Slot>(step);
        }
    }
    CHECK(expected.size() == map.size());
    for (const auto& [key, slot] : expected) {
        CHECK(slot == map.find(key));
    }
    CHECK(kNoSlot == map.find(-1));
}

TEST_CASE("keys at the ends of their range are keys like any other") {
    KeyMap map;
    const auto low = std::numeric_limits<RowId>::min();
    const auto high = std::numeric_limits<RowId>::max();
    map.insert(low, 1);
    map.insert(high, 2);
    map.insert(0, 3);
    CHECK(1 == map.find(low));
    CHECK(2 == map.find(high));
    map.erase(low);
    CHECK(kNoSlot == map.find(low));
    CHECK(3 == map.find(0));
}

TEST_CASE("the slot map agrees with an ordered map under any churn, full to its limit") {
    constexpr Slot kSlots = 700;
    std::vector<RowId> keys(kSlots);
    SlotMap map = SlotMap::with_room(kSlots);
    std::map<RowId, Slot> expected;
    std::uint64_t step = 0;
    for (Slot slot = 0; slot < kSlots; ++slot) {
        keys[slot] = static_cast<RowId>(draw(3, slot));
        map.insert(slot, keys.data());
        expected[keys[slot]] = slot;
    }
    CHECK(map.fits(kSlots));
    CHECK(!map.fits(kSlots + 1));
    for (; step < 20'000; ++step) {
        const auto slot = static_cast<Slot>(draw(1, step) % kSlots);
        map.erase(slot, keys.data());
        expected.erase(keys[slot]);
        CHECK(kNoSlot == map.find(keys[slot], keys.data()));
        keys[slot] = static_cast<RowId>(draw(2, step)) >> (step % 50);
        if (expected.contains(keys[slot])) {
            keys[slot] = static_cast<RowId>(draw(4, step));
        }
        map.insert(slot, keys.data());
        expected[keys[slot]] = slot;
    }
    CHECK(expected.size() == map.size());
    for (const auto& [key, slot] : expected) {
        CHECK(slot == map.find(key, keys.data()));
    }
}

TEST_CASE("a tight table takes less than seventy-five bytes a row beside its vectors") {
    constexpr std::size_t kRows = 100'000;
    Table grown;
    for (std::size_t i = 0; i < kRows; ++i) {
        grown.claim(static_cast<RowId>(i * 977));
    }
    Growth growth;
    grown.stage_shrink(growth);
    growth.publish();
    CHECK(grown.bytes() < 75 * kRows);
    for (std::size_t i = 0; i < kRows; i += 13) {
        CHECK(i == grown.find(static_cast<RowId>(i * 977)));
    }
    Table reserved;
    reserved.stage_room(kRows, growth);
    growth.publish();
    CHECK(reserved.bytes() < 75 * kRows);
    const std::size_t before = reserved.bytes();
    for (std::size_t i = 0; i < kRows; ++i) {
        reserved.claim(static_cast<RowId>(i));
    }
    CHECK(before == reserved.bytes());
}

TEST_CASE("more rows than the machine holds are refused before anything is allocated") {
    CHECK_NOTHROW(refuse_beyond_memory("Index", 1000, 1000));
    try {
        refuse_beyond_memory("Index", std::size_t{1} << 62U, 2);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(Errc::capacity_exceeded == error.code());
        CHECK(std::string(error.what()).starts_with("Index: rows need more memory"));
    }
}

TEST_CASE("the slot recycled last is the next one used, and occupancy follows") {
    Table table;
    for (RowId key = 0; key < 130; ++key) {
        table.claim(key);
    }
    CHECK(192 == table.slots());
    const Slot freed = table.release(77);
    CHECK(77 == freed);
    CHECK(((table.occupied()[1] >> 13U) & 1U) == 0);
    table.recycle(std::vector{freed});
    CHECK(freed == table.claim(1000));
    CHECK(1000 == table.columns().key[freed]);
    CHECK(130 == table.live());
}

TEST_CASE("a released slot belongs to nobody until it is recycled") {
    Table table;
    for (RowId key = 0; key < 10; ++key) {
        table.claim(key);
    }
    const Slot first = table.release(3);
    const Slot second = table.release(7);
    CHECK(kNoSlot == table.find(3));
    CHECK(2 == table.parked());
    CHECK(10 == table.claim(100));
    table.recycle(std::vector{second, first});
    CHECK(0 == table.parked());
    CHECK(first == table.claim(101));
    CHECK(second == table.claim(102));
    CHECK(11 == table.claim(103));
}

TEST_CASE("derived columns follow what they derive from") {
    const World world(3, 1, 5);
    Table table;
    table.claim(world.keys[0]);
    table.write(0, world.batch(), 0);
    CHECK(0.0F == table.columns().lambda_per_s[0]);  // Row 0 never fades.
    table.reinforce(0, kNow + 9, 2);
    CHECK(kNow + 9 == table.columns().last_us[0]);
    CHECK(static_cast<float>(std::log1p(static_cast<double>(world.frequency[0]) + 2.0)) ==
          table.columns().log_frequency[0]);
    const std::vector<RowId> keys{world.keys[0]};
    const std::vector<Micros> second{1'000'000};
    RowBatch change;
    change.keys = keys;
    change.half_life_us = second;
    table.write(0, change, 0);
    CHECK(std::abs(table.columns().lambda_per_s[0] - 0.69314718F) < 1e-7F);
}

TEST_CASE("bad columns are refused with their name and place") {
    World world(5, 2, 6);
    world.unit[3] = std::numeric_limits<float>::quiet_NaN();
    try {
        refuse_bad_columns("Index.add", world.batch());
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(Errc::unit_out_of_range == error.code());
        CHECK(std::string(error.what())
                  .starts_with("Index.add: quality[3] is out of range, got nan"));
    }
    world.unit.pop_back();
    CHECK_THROWS_AS(refuse_bad_columns("Index.add", world.batch()), Error);
    CHECK_THROWS_AS((void)Table().slots_for(std::size_t{1} << 32U), Error);
}
