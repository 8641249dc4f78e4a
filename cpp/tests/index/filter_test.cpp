// Selections against a naive reading of the predicate, and what they remember.
#include "scrubjay/index/filter.h"

#include <bit>
#include <functional>
#include <string>

#include "index/worlds.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

// A table in which some rows came and went.
Table table_of(const World& world) {
    Table table;
    for (std::size_t i = 0; i < world.keys.size(); ++i) {
        table.claim(world.keys[i]);
        table.write(static_cast<Slot>(i), world.batch(), i);
    }
    for (std::size_t i = 0; i < world.keys.size(); i += 11) {
        table.release(world.keys[i]);
    }
    return table;
}

bool naive(const Table& table, const Predicate& where, Slot slot) {
    const Columns& rows = table.columns();
    const auto among = [](const auto& wanted, auto value) {
        return !wanted || std::find(wanted->begin(), wanted->end(), value) != wanted->end();
    };
    const auto coded = [slot](std::uint64_t set, const AlignedArray<std::uint8_t>& column) {
        return ((set >> column[slot]) & 1U) != 0;
    };
    return table.find(rows.key[slot]) == slot && among(where.scopes, rows.scope[slot]) &&
           among(where.keys, rows.key[slot]) && coded(where.kinds, rows.kind) &&
           coded(where.categories, rows.category) && coded(where.states, rows.state) &&
           coded(where.planes, rows.plane) && rows.authority[slot] >= where.authority_min &&
           (rows.flags[slot] & where.flags_all) == where.flags_all &&
           (rows.flags[slot] & where.flags_none) == 0 && rows.quality[slot] >= where.quality_min &&
           rows.event_us[slot] >= where.event_from_us &&
           (!where.event_to_us || rows.event_us[slot] < *where.event_to_us);
}

// Predicates that each use one condition, some that use several, and contradictions.
std::vector<Predicate> predicates(const World& world) {
    std::vector<Predicate> all;
    const auto with = [&](const std::function<void(Predicate&)>& change) {
        Predicate where;
        change(where);
        all.push_back(where);
    };
    with([](Predicate& /*where*/) {});
    with([](Predicate& p) { p.scopes = {{1, 3}}; });
    with([](Predicate& p) { p.scopes.emplace(); });
    with([](Predicate& p) { p.scopes = {{0, 1, 2, 90, 91, 92, 93, 94, 95, 96}}; });
    with([](Predicate& p) {
        p.scopes = {{0, 2, 1U << 31U, 5'000'000, 7'000'001, 9, 10, 11, 12, UINT32_MAX}};
    });
    with([](Predicate& p) { p.kinds = 0b1010; });
    with([](Predicate& p) { p.categories = p.states = p.planes = 0b0111; });
    with([](Predicate& p) { p.kinds = 0; });
    with([](Predicate& p) { p.authority_min = 2; });
    with([](Predicate& p) { p.flags_all = 1; });
    with([](Predicate& p) { p.flags_none = 2; });
    with([](Predicate& p) { p.flags_all = p.flags_none = 1; });
    with([](Predicate& p) { p.quality_min = 0.9F; });
    with([](Predicate& p) { p.event_from_us = 300'000'000'000; });
    with([](Predicate& p) { p.event_to_us = 300'000'000'000; });
    with([](Predicate& p) { p.event_from_us = p.event_to_us.emplace(5); });
    with([&](Predicate& p) { p.keys = {{world.keys[1], world.keys[70], world.keys[11], -5}}; });
    with([](Predicate& p) { p.keys.emplace(); });
    with([&](Predicate& p) {
        p.keys = world.keys;
        p.kinds = 0b0110;
        p.quality_min = 0.2F;
        p.event_from_us = 100'000'000'000;
        p.scopes = {{0, 1, 2}};
    });
    return all;
}

}  // namespace

TEST_CASE("a selection agrees with a naive reading of its predicate, row by row") {
    const World world(700, 1, 21);
    const Table table = table_of(world);
    for (const Predicate& where : predicates(world)) {
        for (const kernels::Isa isa : kernels::supported_isas()) {
            Selection lazy(table, where, isa);
            Selection settled(table, where, isa);
            settled.settle();
            std::size_t count = 0;
            for (Slot slot = 0; slot < table.slots(); ++slot) {
                const bool expected = naive(table, where, slot);
                count += expected ? 1U : 0U;
                CHECK(expected == lazy.matches(slot));
                CHECK(expected == settled.matches(slot));
                CHECK(expected ==
                      (((lazy.word(slot / kTileRows) >> (slot % kTileRows)) & 1U) != 0));
            }
            CHECK(count == settled.count());
            // So few tiles are counted, not sampled.
            CHECK(count == lazy.estimate());
        }
    }
}

TEST_CASE("an estimate from samples comes close and never exceeds the rows there are") {
    const World world(60'000, 1, 22);
    const Table table = table_of(world);
    Predicate where;
    where.quality_min = 0.97F;
    const Selection lazy(table, where);
    Selection settled(table, where);
    settled.settle();
    const auto exact = static_cast<double>(settled.count());
    CHECK(std::abs(static_cast<double>(lazy.estimate()) - exact) < 0.3 * exact);
    where.quality_min = 0.0F;
    where.kinds = 0xF;
    CHECK(table.live() == Selection(table, where).estimate());
}

TEST_CASE("of a table without rows every selection is settled and empty") {
    const Table table;
    const World world(80, 1, 24);
    for (const Predicate& where : predicates(world)) {
        Selection selection(table, where);
        CHECK(selection.settled());
        selection.settle();
        CHECK(0 == selection.count());
        CHECK(0 == selection.estimate());
    }
}

TEST_CASE("what was selected is remembered until the table changes, and no longer") {
    const World world(500, 1, 23);
    Table table = table_of(world);
    Predicate where;
    where.kinds = 0b0011;
    where.remembered = std::make_shared<Remembered>();
    Selection first(table, where);
    CHECK(!first.settled());
    first.settle();
    CHECK(Selection(table, where).settled());
    table.reinforce(1, kNow, 1);  // Uses are no condition.
    CHECK(Selection(table, where).settled());
    CHECK(!Selection(table_of(world), where).settled());

    const std::size_t before = first.count();
    const auto slot = static_cast<Slot>(std::countr_zero(first.word(0)));
    table.release(table.columns().key[slot]);
    Selection second(table, where);
    CHECK(!second.settled());
    CHECK(!second.matches(slot));
    second.settle();
    CHECK(before - 1 == second.count());
    table.claim(-77);
    CHECK(!Selection(table, where).settled());
    second = Selection(table, where);
    second.settle();
    const std::vector<RowId> keys{-77};
    const std::vector<std::uint8_t> kind{9};
    RowBatch change;
    change.keys = keys;
    change.kind = kind;
    table.write(table.find(-77), change, 0);
    CHECK(!Selection(table, where).settled());
}
