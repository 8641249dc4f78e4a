// The blocks of an index through its life: right after every publish, made and dropped as asked.
#include "scrubjay/index/prior_keeper.h"

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "index/worlds.h"
#include "scrubjay/index/composite.h"
#include "scrubjay/index/gathered.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::size_t kPiece = 256;

constexpr std::array kWeights{
    Weights{},
    Weights{0.0F, 1.0F, 0.0F, 0.0F},
    Weights{0.2F, 0.0F, 0.8F, 0.0F},
    Weights{0.0F, 0.3F, 0.0F, 0.7F},
};

constexpr std::array<Micros, 4> kInstants{-kLatestUs, kNow / 2, 2 * kNow, kLatestUs};

// What an index does around its keeper, with a table and vectors and nothing else.
struct Owner {
    const World& world;
    Table table;
    Vectors vectors;
    ReadGate gate;
    PriorKeeper keeper;

    explicit Owner(const World& rows)
        : world(rows),
          vectors(rows.dim, Storage::f32, true, kernels::active_isa()),
          keeper(table, vectors, kernels::active_isa()) {
        table.reserve_for(world.keys.size());
        vectors.grow(table.slots());
    }

    // Rows first to end of the world, known or not, in publishes of at most so many.
    void write(std::size_t first, std::size_t end, std::size_t piece = kPiece) {
        const ReadGate::Turn turn(gate);
        for (; first < end; first += piece) {
            const ReadGate::Publish publish(turn);
            const std::size_t stop = std::min(end, first + piece);
            keeper.begin(stop - first);
            for (std::size_t i = first; i < stop; ++i) {
                const Slot known = table.find(world.keys[i]);
                const Slot slot = known != kNoSlot ? known : table.claim(world.keys[i]);
                table.write(slot, world.batch(), i);
                vectors.set(slot, std::span(world.vectors).subspan(i * world.dim, world.dim));
                keeper.wrote(slot);
            }
            keeper.end();
        }
    }

    void use(const std::vector<RowId>& keys, Micros now_us) {
        const ReadGate::Turn turn(gate);
        const ReadGate::Publish publish(turn);
        keeper.begin(keys.size());
        for (const RowId key : keys) {
            table.reinforce(table.find(key), now_us, 3);
            keeper.wrote(table.find(key));
        }
        keeper.end();
    }

    void remove(const std::vector<RowId>& keys) {
        const ReadGate::Turn turn(gate);
        const ReadGate::Publish publish(turn);
        for (const RowId key : keys) {
            const Slot slot = table.release(key);
            keeper.left(slot);
            table.recycle({&slot, 1});
        }
    }

    void tend(bool wanted = true, const Poll& poll = {}) {
        const ReadGate::Turn turn(gate);
        keeper.tend(turn, wanted, poll);
    }
};

// Every live row stands in one block, no other slot in any, and no row is above its block's bound.
bool right(const Owner& owner) {
    const PriorBlocks& blocks = *owner.keeper.blocks();
    std::vector<int> seen(owner.table.slots());
    bool good = blocks.size() == owner.table.live();
    for (const Weights& weights : kWeights) {
        for (const Micros now_us : kInstants) {
            const kernels::TileWeights tile = tile_weights(weights, now_us, std::nullopt);
            std::vector<float> bounds;
            blocks.bounds(kernels::tile_table(), tile, bounds);
            for (PriorBlocks::Block block = 0; block < blocks.blocks(); ++block) {
                Gathered rows;
                std::size_t count = 0;
                for (const Slot slot : blocks.rows(block)) {
                    ++seen[slot];
                    rows.put(count++, owner.table.columns(), slot);
                }
                std::array<float, kTileRows> prior{};
                kernels::tile_table().prior(rows.columns(), tile, count, prior.data());
                for (std::size_t i = 0; i < count; ++i) {
                    good = good && prior[i] <= bounds[block] && rows.gain[i] <= blocks.gain(block);
                }
            }
        }
    }
    constexpr int kTimes = static_cast<int>(kWeights.size() * kInstants.size());
    for (Slot slot = 0; slot < owner.table.slots(); ++slot) {
        const bool live =
            (owner.table.occupied()[slot / kTileRows] >> (slot % kTileRows) & 1U) != 0;
        good = good && seen[slot] == (live ? kTimes : 0) && blocks.contains(slot) == live;
    }
    return good;
}

std::vector<RowId> every(const Owner& owner, std::size_t step, std::size_t first = 0) {
    std::vector<RowId> keys;
    for (std::size_t i = first; i < owner.world.keys.size(); i += step) {
        if (owner.table.find(owner.world.keys[i]) != kNoSlot) {
            keys.push_back(owner.world.keys[i]);
        }
    }
    return keys;
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

// The blocks as numbers, to tell whether two are the same.
std::vector<Slot> layout(const PriorBlocks& blocks) {
    std::vector<Slot> all;
    for (PriorBlocks::Block block = 0; block < blocks.blocks(); ++block) {
        all.push_back(static_cast<Slot>(blocks.rows(block).size()));
        all.insert(all.end(), blocks.rows(block).begin(), blocks.rows(block).end());
    }
    return all;
}

}  // namespace

TEST_CASE("there are no blocks until they are wanted, and none once they are not") {
    const World world(500, 4, 31);
    Owner owner(world);
    owner.write(0, 300);
    owner.use(every(owner, 3), kNow);
    owner.remove({world.keys[7]});
    owner.tend(false);
    CHECK(owner.keeper.blocks() == nullptr);
    CHECK(0 == owner.keeper.bytes());
    owner.tend();
    REQUIRE(owner.keeper.blocks() != nullptr);
    CHECK(299 == owner.keeper.blocks()->size());
    CHECK(owner.keeper.bytes() > 0);
    CHECK(right(owner));
    owner.tend(false);
    CHECK(owner.keeper.blocks() == nullptr);
    CHECK(0 == owner.keeper.bytes());
    owner.write(300, 500);
    owner.tend();
    CHECK(right(owner));
}

TEST_CASE("an index without rows has blocks without rows, and takes the first") {
    const World world(70, 4, 32);
    Owner owner(world);
    owner.tend();
    CHECK(right(owner));
    owner.write(0, 1, 1);
    CHECK(right(owner));
    owner.remove({world.keys[0]});
    CHECK(right(owner));
    owner.write(0, 70, 1);
    CHECK(right(owner));
}

TEST_CASE("after every publish of any history the blocks are those of the rows") {
    const World world(6000, 8, 33);
    Owner owner(world);
    owner.write(0, 3000);
    owner.tend();
    for (std::size_t step = 0; step < 30; ++step) {
        owner.write(3000 + 100 * step, 3100 + 100 * step, step % 3 == 0 ? 1 : kPiece);
        CHECK(right(owner));
        owner.use(every(owner, 37, step), kNow + static_cast<Micros>(step) * 1'000'000);
        CHECK(right(owner));
        owner.remove(every(owner, 41, step));
        CHECK(right(owner));
        owner.write(step * 17, step * 17 + 60);  // Known rows and removed ones, mixed.
        CHECK(right(owner));
        owner.tend();
        CHECK(right(owner));
    }
    owner.remove(every(owner, 1));
    CHECK(0 == owner.keeper.blocks()->size());
    CHECK(right(owner));
    owner.write(0, 6000);
    CHECK(right(owner));
}

TEST_CASE("a use in the past or far ahead leaves the bounds right") {
    const World world(2000, 4, 34);
    Owner owner(world);
    owner.write(0, 2000);
    owner.tend();
    for (const Micros now_us : {-kLatestUs, Micros{0}, kLatestUs, kNow}) {
        owner.use(every(owner, 5), now_us);
        CHECK(right(owner));
    }
}

TEST_CASE("the same calls make the same blocks, however the instruction set") {
    const World world(3000, 8, 35);
    std::vector<Slot> expected;
    for (const kernels::Isa isa : kernels::supported_isas()) {
        Owner owner(world);
        owner.keeper = PriorKeeper(owner.table, owner.vectors, isa);
        owner.write(0, 2000);
        owner.tend();
        owner.write(2000, 3000);
        owner.use(every(owner, 9), kNow);
        owner.remove(every(owner, 13));
        owner.tend();
        const std::vector<Slot> got = layout(*owner.keeper.blocks());
        CHECK((expected.empty() || expected == got));
        expected = got;
    }
}

TEST_CASE("tend leaves tight blocks alone and makes loose ones anew") {
    const World world(4000, 4, 36);
    Owner owner(world);
    owner.write(0, 4000);
    owner.tend();
    const PriorBlocks* const made = owner.keeper.blocks();
    owner.use(every(owner, 5), kNow);  // 800 moves: fewer than make blocks loose.
    owner.tend();
    CHECK(made == owner.keeper.blocks());
    owner.write(0, 1600);
    CHECK(owner.keeper.blocks()->wants_rebuild());
    owner.tend();
    CHECK_FALSE(owner.keeper.blocks()->wants_rebuild());
    CHECK(right(owner));
}

TEST_CASE("an interrupted tend leaves the blocks as they were, and the next one makes them") {
    const World world(40'000, 4, 37);
    Owner owner(world);
    owner.write(0, 30'000);
    Stop stop;
    CHECK_THROWS_AS(owner.tend(true, stop.poll()), Interrupted);
    CHECK(1 == stop.asked);
    CHECK(owner.keeper.blocks() == nullptr);
    owner.tend();
    const std::vector<Slot> before = layout(*owner.keeper.blocks());
    CHECK(right(owner));
    owner.write(30'000, 40'000);
    const std::vector<Slot> loose = layout(*owner.keeper.blocks());
    CHECK(before != loose);
    for (const int after : {0, 1, 7}) {
        Stop later{after, 0};
        CHECK_THROWS_AS(owner.tend(true, later.poll()), Interrupted);
        CHECK(loose == layout(*owner.keeper.blocks()));
    }
    CHECK(right(owner));
    owner.tend();
    CHECK_FALSE(owner.keeper.blocks()->wants_rebuild());
    CHECK(right(owner));
}

TEST_CASE("readers beside several writers see every live row once, and blocks come and go unseen") {
    const World world(8000, 4, 38);
    Owner owner(world);
    owner.write(0, 2000);
    owner.tend();
    std::atomic<int> writing{3};
    std::array<int, 2> wrong{};
    std::array<int, 2> reads{};
    std::vector<std::thread> threads;
    for (std::size_t reader = 0; reader < wrong.size(); ++reader) {
        threads.emplace_back([&, reader] {
            do {
                const ReadGate::Read read(owner.gate);
                wrong[reader] += owner.keeper.blocks() != nullptr && !right(owner) ? 1 : 0;
                ++reads[reader];
            } while (writing.load() > 0);
        });
    }
    for (std::size_t writer = 0; writer < 3; ++writer) {
        threads.emplace_back([&, writer] {
            const std::size_t first = 2000 + 2000 * writer;
            for (std::size_t at = first; at < first + 2000; at += 200) {
                owner.write(at, at + 200, 64);
                owner.use({world.keys[at], world.keys[at + 99]}, kNow);
                owner.remove({world.keys[at + 1], world.keys[at + 198]});
                owner.tend(at % 800 != 0);
            }
            --writing;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    owner.tend();
    CHECK(8000 - 60 == owner.table.live());
    CHECK(right(owner));
    for (std::size_t reader = 0; reader < wrong.size(); ++reader) {
        CHECK(0 == wrong[reader]);
        CHECK(reads[reader] > 0);
    }
}
