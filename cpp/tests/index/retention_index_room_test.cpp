// Memory taken before rows come, and given back after they went.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "index/snapshots.h"
#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/hnsw/keeper.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::size_t kDim = 12;

IndexOptions options_of(Storage storage, std::size_t exact_below, std::size_t threads = 1) {
    IndexOptions options;
    options.dim = kDim;
    options.storage = storage;
    options.exact_below = exact_below;
    options.graph = {4, 30, 3};
    options.threads = threads;
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

struct File {
    std::string path = (std::filesystem::temp_directory_path() / "scrubjay-XXXXXX").string();
    File() { ::close(::mkstemp(path.data())); }
    ~File() { std::filesystem::remove(path); }
};

// What the index would leave on disk.
Bytes saved(RetentionIndex& index) {
    const File file;
    index.save(file.path, {});
    return read_file(file.path);
}

// The exact answers to a few questions, as keys and scores.
std::vector<std::pair<RowId, float>> answers(const RetentionIndex& index, const World& world) {
    std::vector<std::pair<RowId, float>> all;
    for (std::uint64_t q = 0; q < 4; ++q) {
        SearchOptions options{20, kNow + 1000, {}};
        options.exact = true;
        const Answer answer = index.search(world.query(q), options, {})[0];
        for (const Hit& hit : answer.hits) {
            all.emplace_back(hit.key, hit.score);
        }
    }
    return all;
}

// A world of which every fourth row stays.
struct Thinned {
    World world{2400, kDim, 8};
    std::vector<RowId> gone;
    World left{0, kDim, 8};

    Thinned() {
        for (std::size_t i = 0; i < world.keys.size(); ++i) {
            if (i % 4 != 0) {
                gone.push_back(world.keys[i]);
                continue;
            }
            left.keys.push_back(world.keys[i]);
            left.half_life_us.push_back(world.half_life_us[i]);
            left.gain.push_back(world.gain[i]);
            const auto row = std::span(world.vectors).subspan(i * kDim, kDim);
            left.vectors.insert(left.vectors.end(), row.begin(), row.end());
        }
    }

    void fill(RetentionIndex& index) const {
        index.add(part_of(world, 0, world.keys.size()), false, false);
        index.remove(gone, false);
    }
};

struct Stop {
    int after = 0;
    int asked = 0;
    static void ask(void* context) {
        auto& self = *static_cast<Stop*>(context);
        if (++self.asked > self.after) {
            throw Interrupted();
        }
    }
    [[nodiscard]] Poll poll() { return {&ask, this}; }
};

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

TEST_CASE("a shrunk index is the one that adding its rows at once makes, for every thread count") {
    const Thinned rows;
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        for (const std::size_t exact_below : {std::size_t{100}, std::size_t{1'000'000}}) {
            RetentionIndex fresh(options_of(storage, exact_below));
            fresh.add(part_of(rows.left, 0, rows.left.keys.size()), false, false);
            for (const std::size_t threads : {1UL, 3UL}) {
                RetentionIndex index(options_of(storage, exact_below, threads));
                rows.fill(index);
                const auto before = answers(index, rows.world);
                index.shrink();
                CHECK(before == answers(index, rows.world));
                CHECK(fresh.bytes() == index.bytes());
                CHECK(saved(fresh) == saved(index));
            }
        }
    }
}

TEST_CASE("a graph of which little went keeps its rows where they are") {
    const Thinned rows;
    RetentionIndex index(options_of(Storage::i8, 100));
    index.add(part_of(rows.world, 0, 2400), false, false);
    index.reserve(9000);
    index.remove(std::span(rows.gone).first(500), false);
    const auto before = answers(index, rows.world);
    const std::size_t slots =
        index.inspect([](const Table& table, const Vectors&) { return table.slots(); });
    index.shrink();
    CHECK(before == answers(index, rows.world));
    CHECK(slots == index.inspect([](const Table& table, const Vectors&) { return table.slots(); }));
    const std::size_t tight = index.bytes();
    index.shrink();
    CHECK(tight == index.bytes());
    RetentionIndex whole(options_of(Storage::i8, 100));
    whole.add(part_of(rows.world, 0, 2400), false, false);
    CHECK(tight < whole.bytes() + 2400 * sizeof(Slot));
}

TEST_CASE("an interrupted shrink leaves every row where it was, and the next one ends it") {
    const Thinned rows;
    RetentionIndex whole(options_of(Storage::i8, 100));
    rows.fill(whole);
    const auto expected = answers(whole, rows.world);
    whole.shrink();
    const Bytes file = saved(whole);
    int interruptions = 0;
    bool interrupted = true;
    for (int after = 0; interrupted; after = after * 3 / 2 + 1) {
        RetentionIndex index(options_of(Storage::i8, 100));
        rows.fill(index);
        const std::size_t bytes = index.bytes();
        Stop stop{after};
        interrupted = false;
        try {
            index.shrink(stop.poll());
        } catch (const Interrupted&) {
            interrupted = true;
            ++interruptions;
            CHECK(bytes == index.bytes());
        }
        CHECK(expected == answers(index, rows.world));
        index.shrink();
        CHECK(file == saved(index));
    }
    CHECK(interruptions > 4);
}

TEST_CASE("searches find every row while an index shrinks") {
    World world(3000, kDim, 9);
    std::fill(world.gain.begin(), world.gain.end(), 1.0F);
    RetentionIndex index(options_of(Storage::i8, 100, 2));
    index.add(part_of(world, 0, 600), false, false);
    std::atomic<bool> over{false};
    std::array<int, 3> missed{};
    std::vector<std::thread> readers;
    for (std::size_t reader = 0; reader < missed.size(); ++reader) {
        readers.emplace_back([&, reader] {
            for (std::uint64_t turn = 0; !over.load(); ++turn) {
                const std::size_t row = draw(reader, turn) % 600;
                const auto vector = std::span(world.vectors).subspan(row * kDim, kDim);
                SearchOptions options{1, kNow, {1, 0, 0, 0}};
                options.exact = turn % 2 == 0;
                const Answer found = index.search(vector, options, {})[0];
                const bool lost = found.hits.size() != 1 || found.hits[0].key != world.keys[row];
                missed[reader] += options.exact && lost ? 1 : 0;
                missed[reader] += found.hits.size() == 1 ? 0 : 1;
                missed[reader] += index.contains(world.keys[row]) ? 0 : 1;
            }
        });
    }
    for (int round = 0; round < 4; ++round) {
        index.reserve(4000);
        index.add(part_of(world, 600, 2400), false, false);
        index.remove(std::span(world.keys).subspan(600, 2400), false);
        index.shrink();
    }
    over.store(true);
    for (std::thread& reader : readers) {
        reader.join();
    }
    CHECK(std::array<int, 3>{} == missed);
    CHECK(600 == index.size());
}
