// The index under several threads: who sees what, and what an interruption leaves.
#include <array>
#include <atomic>
#include <thread>

#include "index/worlds.h"
#include "scrubjay/base/error.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr Weights kNearest{1.0F, 0.0F, 0.0F, 0.0F};

RetentionIndex empty_index(std::size_t dim, Storage storage, std::size_t threads = 1) {
    IndexOptions options;
    options.dim = dim;
    options.storage = storage;
    options.threads = threads;
    return RetentionIndex(options);
}

// Rows first to first + count of a world.
RowBatch part_of(const World& world, std::size_t first, std::size_t count) {
    RowBatch batch = world.batch();
    batch.keys = batch.keys.subspan(first, count);
    batch.vectors = batch.vectors.subspan(first * world.dim, count * world.dim);
    visit_columns([&](const char* /*name*/, auto given, auto /*column*/) {
        batch.*given = (batch.*given).subspan(first, count);
    });
    return batch;
}

// Whether the row's own vector leads to it first. REQUIRES gains of 1.
bool finds_itself(const RetentionIndex& index, const World& world, std::size_t row) {
    const std::span<const float> vectors(world.vectors);
    const Answer answer =
        index.search(vectors.subspan(row * world.dim, world.dim), {1, kNow, kNearest}, {})[0];
    return answer.hits.size() == 1 && answer.hits[0].key == world.keys[row];
}

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

TEST_CASE("every acknowledged row is found, and none after its removal, while the index grows") {
    World world(6000, 16, 11);
    std::fill(world.gain.begin(), world.gain.end(), 1.0F);
    for (const Storage storage : {Storage::f32, Storage::i8}) {
        RetentionIndex index = empty_index(world.dim, storage);
        std::atomic<std::size_t> added{0};     // Rows below it are acknowledged ...
        std::atomic<std::size_t> removing{0};  // ... rows from it on not yet asked to go.
        std::atomic<std::size_t> removed{0};   // Rows below it are gone.
        std::array<int, 3> missed{};
        std::array<int, 3> ghosts{};
        std::vector<std::thread> readers;
        for (std::size_t reader = 0; reader < missed.size(); ++reader) {
            readers.emplace_back([&, reader] {
                for (std::uint64_t turn = 0; removed.load() < 3000; ++turn) {
                    const std::size_t gone = removed.load();
                    const std::size_t there = added.load();
                    if (there == 0) {
                        continue;
                    }
                    const std::size_t row = draw(reader, turn) % there;
                    const bool found = finds_itself(index, world, row);
                    missed[reader] += !found && row >= removing.load() ? 1 : 0;
                    const Answer all = index.search({}, {50, kNow, {0, 0, 1, 0}}, {})[0];
                    for (const Hit& hit : all.hits) {
                        ghosts[reader] += hit.key < world.keys[gone] ? 1 : 0;
                    }
                }
            });
        }
        for (std::size_t first = 0; first < 6000; first += 600) {
            index.add(part_of(world, first, 600), false, false);
            added.store(first + 600);
            index.reinforce(std::span(world.keys).subspan(first, 600), kNow, 1);
        }
        for (std::size_t first = 0; first < 3000; first += 300) {
            removing.store(first + 300);
            index.remove(std::span(world.keys).subspan(first, 300), false);
            removed.store(first + 300);
        }
        for (std::thread& reader : readers) {
            reader.join();
        }
        CHECK(std::array<int, 3>{} == missed);
        CHECK(std::array<int, 3>{} == ghosts);
        CHECK(3000 == index.size());
    }
}

TEST_CASE("an interrupted call leaves whole rows: a prefix of its batch") {
    World world(1000, 8, 12);
    std::fill(world.gain.begin(), world.gain.end(), 1.0F);
    int interruptions = 0;
    for (int after = 0; after < 20; ++after) {
        RetentionIndex index = empty_index(world.dim, Storage::i8);
        Stop stop{after};
        try {
            index.add(world.batch(), false, false, stop.poll());
        } catch (const Interrupted&) {
            ++interruptions;
        }
        const std::vector<RowId> keys = index.keys();
        CHECK(std::vector<RowId>(world.keys.begin(),
                                 world.keys.begin() + static_cast<std::ptrdiff_t>(keys.size())) ==
              keys);
        for (std::size_t row = 0; row < keys.size(); row += 50) {
            CHECK(finds_itself(index, world, row));
        }
        CHECK(keys.size() == index.search({}, {2000, kNow, {0, 0, 1, 0}}, {})[0].hits.size());
        // The rest can be added, and the whole removed in an interrupted and a second call.
        index.add(part_of(world, keys.size(), 1000 - keys.size()), false, false);
        CHECK(1000 == index.size());
        Stop again{after};
        try {
            index.remove(world.keys, false, again.poll());
        } catch (const Interrupted&) {
            ++interruptions;
        }
        index.remove(world.keys, true);
        CHECK(0 == index.size());
    }
    CHECK(interruptions > 4);
}

TEST_CASE("batch answers are the same for every number of threads") {
    const World world(9000, 24, 13);
    std::vector<float> queries;
    for (std::uint64_t q = 0; q < 37; ++q) {
        const std::vector<float> query = world.query(q);
        queries.insert(queries.end(), query.begin(), query.end());
    }
    std::vector<Answer> expected;
    for (const std::size_t threads : {1UL, 2UL, 3UL, 8UL}) {
        RetentionIndex index = empty_index(world.dim, Storage::i8, threads);
        index.add(world.batch(), false, false);
        const std::vector<Answer> answers = index.search(queries, {10, kNow, {}}, {});
        CHECK(37 == answers.size());
        expected = expected.empty() ? answers : expected;
        for (std::size_t q = 0; q < answers.size(); ++q) {
            CHECK(10 == answers[q].hits.size());
            for (std::size_t r = 0; r < answers[q].hits.size(); ++r) {
                CHECK(expected[q].hits[r].key == answers[q].hits[r].key);
                CHECK(expected[q].hits[r].score == answers[q].hits[r].score);
            }
        }
    }
}

TEST_CASE("a search is interrupted while it scans") {
    const World world(9000, 8, 14);
    RetentionIndex index = empty_index(world.dim, Storage::f32);
    index.add(world.batch(), false, false);
    Stop never{1000};
    (void)index.search(world.query(1), {10, kNow, {}}, {}, never.poll());
    CHECK(never.asked > 2);
    Stop last{never.asked - 1};
    CHECK_THROWS_AS((void)index.search(world.query(1), {10, kNow, {}}, {}, last.poll()),
                    Interrupted);
    CHECK(9000 == index.size());
}
