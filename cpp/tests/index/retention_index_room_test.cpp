// Memory taken before rows come.
#include <algorithm>
#include <array>

#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/hnsw/keeper.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::size_t kDim = 12;

IndexOptions options_of(Storage storage, std::size_t exact_below) {
    IndexOptions options;
    options.dim = kDim;
    options.storage = storage;
    options.exact_below = exact_below;
    options.graph = {4, 30, 3};
    options.threads = 1;
    return options;
}

RowBatch part_of(const World& world, std::size_t first, std::size_t count) {
    RowBatch batch;
    batch.keys = std::span(world.keys).subspan(first, count);
    batch.vectors = std::span(world.vectors).subspan(first * kDim, count * kDim);
    batch.half_life_us = std::span(world.half_life_us).subspan(first, count);
    batch.gain = std::span(world.gain).subspan(first, count);
    return batch;
}

// Where the columns lie.
std::array<const void*, 3> places(const RetentionIndex& index) {
    return index.inspect([](const Table& table, const Vectors& /*vectors*/) {
        return std::array<const void*, 3>{table.columns().key.data(), table.columns().gain.data(),
                                          table.occupied().data()};
    });
}

}  // namespace

TEST_CASE("rows that were reserved come without an array being moved") {
    const World world(3000, kDim, 4);
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        RetentionIndex index(options_of(storage, 1'000'000));
        index.add(part_of(world, 0, 200), false, false);
        index.reserve(3000);
        const auto before = places(index);
        const std::size_t bytes = index.bytes();
        for (std::size_t first = 200; first < 3000; first += 400) {
            index.add(part_of(world, first, 400), false, false);
        }
        CHECK(before == places(index));
        CHECK(bytes == index.bytes());
        index.reserve(100);  // Fewer than there are.
        CHECK(before == places(index));
        CHECK(bytes == index.bytes());
        CHECK(3000 == index.size());
    }
}

TEST_CASE("free slots count as room") {
    const World world(2000, kDim, 5);
    RetentionIndex index(options_of(Storage::f32, 1'000'000));
    index.add(part_of(world, 0, 1000), false, false);
    index.remove(std::span(world.keys).first(900), false);
    index.reserve(1000);
    const std::size_t bytes = index.bytes();
    index.add(part_of(world, 1000, 900), false, false);
    CHECK(bytes == index.bytes());
}

TEST_CASE("room is kept for the lists of a graph, and of one that is made later") {
    const World world(2000, kDim, 6);
    for (const std::size_t before : {std::size_t{100}, std::size_t{600}}) {
        Table table;
        Vectors vectors(kDim, Storage::f32, true, kernels::active_isa());
        hnsw::Keeper keeper({4, 30, 3}, 500, table, vectors);
        ReadGate gate;
        const ReadGate::Turn turn(gate);
        Workers workers(1);
        const auto come = [&](std::size_t first, std::size_t count) {
            table.reserve_for(count);
            vectors.grow(table.slots());
            Growth growth(turn);
            keeper.stage_room(table.slots(), growth);
            growth.publish();
            keeper.stage_slots(table.slots(), growth);
            growth.publish();
            std::vector<Slot> slots = table.preview(count);
            for (std::size_t i = 0; i < count; ++i) {
                vectors.set(slots[i], std::span(world.vectors).subspan((first + i) * kDim, kDim));
            }
            keeper.join(turn, slots, workers, {}, [&] {
                for (std::size_t i = 0; i < count; ++i) {
                    table.claim(world.keys[first + i]);
                }
            });
            keeper.tend(turn, workers, {});
        };
        come(0, before);
        Growth growth(turn);
        keeper.stage_reserve(2000, growth);
        growth.publish();
        come(before, 700 - before);
        REQUIRE(keeper.graph() != nullptr);
        const Slot* const base = keeper.graph()->links().list(0, 0);
        const std::size_t bytes = keeper.bytes();
        for (std::size_t first = 700; first < 2000; first += 100) {
            come(first, 100);
        }
        CHECK(2000 == keeper.graph()->rows());
        CHECK(base == keeper.graph()->links().list(0, 0));
        CHECK(bytes == keeper.bytes());
    }
}

TEST_CASE("what cannot be had is refused, and nothing has changed") {
    const World world(300, kDim, 7);
    RetentionIndex index(options_of(Storage::i8, 100));
    index.add(part_of(world, 0, 300), false, false);
    const auto before = places(index);
    const std::size_t bytes = index.bytes();
    for (const std::size_t rows : {std::size_t{1} << 32U, std::size_t{1} << 60U, ~std::size_t{0}}) {
        try {
            index.reserve(rows);
            FAIL("accepted");
        } catch (const Error& error) {
            CHECK(Errc::capacity_exceeded == error.code());
        }
        CHECK(before == places(index));
        CHECK(bytes == index.bytes());
    }
    CHECK(300 == index.search({}, {400, kNow, {0, 0, 1, 0}}, {})[0].hits.size());
}
