// Blocks bound the priors of their rows, at any instant, for any weights, after any changes.
#include "scrubjay/index/prior_blocks.h"

#include <array>
#include <set>
#include <vector>

#include "index/worlds.h"
#include "scrubjay/index/composite.h"
#include "scrubjay/index/gathered.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::array kWeights{
    Weights{},
    Weights{0.0F, 1.0F, 0.0F, 0.0F},
    Weights{0.1F, 0.0F, 0.9F, 0.0F},
    Weights{0.0F, 0.3F, 0.0F, 0.7F},
};

// Every row stands in one block whose bounds hold; returns how far the bounds lie above, on average.
double looseness(const Table& table, const PriorBlocks& blocks, const Weights& weights,
                 Micros now_us) {
    const kernels::TileTable& kernels = kernels::tile_table();
    const kernels::TileWeights tile = tile_weights(weights, now_us, std::nullopt);
    std::vector<float> bounds;
    blocks.bounds(kernels, tile, bounds);
    std::set<Slot> seen;
    double above = 0.0;
    for (std::uint32_t block = 0; block < blocks.blocks(); ++block) {
        for (const Slot slot : blocks.rows(block)) {
            Gathered one;
            one.put(0, table.columns(), slot);
            std::array<float, kTileRows> prior{};
            kernels.prior(one.columns(), tile, 1, prior.data());
            CHECK(prior[0] <= bounds[block]);
            CHECK(one.gain[0] <= blocks.gain(block));
            CHECK(seen.insert(slot).second);
            above += static_cast<double>(bounds[block] - prior[0]);
        }
    }
    CHECK(table.live() == seen.size());
    return above / static_cast<double>(seen.size());
}

// Nothing here looks at vectors.
Vectors no_vectors(const Table& table) {
    Vectors vectors(1, Storage::f32, true, kernels::active_isa());
    vectors.grow(table.slots());
    return vectors;
}

Table filled(const World& world) {
    Table table;
    table.reserve_for(world.keys.size());
    for (std::size_t i = 0; i < world.keys.size(); ++i) {
        table.write(table.claim(world.keys[i]), world.batch(), i);
    }
    return table;
}

}  // namespace

TEST_CASE("bounds hold for any weights and instant, before and after the anchor") {
    const Table table = filled(World(5000, 1, 21));
    const Vectors vectors = no_vectors(table);
    PriorBlocks blocks;
    blocks.rebuild(table, vectors);
    for (const Weights& weights : kWeights) {
        for (const Micros now_us : {-kLatestUs, Micros{0}, kNow / 3, kNow, 9 * kNow, kLatestUs}) {
            (void)looseness(table, blocks, weights, now_us);
        }
    }
}

TEST_CASE("rows of one block have much the same prior under the default weights") {
    const Table table = filled(World(20'000, 1, 22));
    const Vectors vectors = no_vectors(table);
    PriorBlocks blocks;
    blocks.rebuild(table, vectors);
    CHECK(looseness(table, blocks, {}, kNow) < 0.08);
    CHECK(looseness(table, blocks, {}, 4 * kNow) < 0.08);
    CHECK(blocks.blocks() == (20'000 + kTileRows - 1) / kTileRows);
}

TEST_CASE("one row used in the far future costs the others nothing") {
    Table table = filled(World(20'000, 1, 23));
    table.reinforce(17, kLatestUs, 1);
    const Vectors vectors = no_vectors(table);
    PriorBlocks blocks;
    blocks.rebuild(table, vectors);
    CHECK(looseness(table, blocks, {}, 2 * kNow) < 0.08);
}

TEST_CASE("any changes leave the bounds right, and not far off") {
    const World world(6000, 1, 24);
    Table table = filled(world);
    const Vectors vectors = no_vectors(table);
    PriorBlocks blocks;
    blocks.rebuild(table, vectors);
    blocks.reserve(table.slots(), 500);
    for (std::uint64_t step = 0; step < 9000; ++step) {
        const std::size_t i = draw(3, step) % world.keys.size();
        const Slot slot = table.find(world.keys[i]);
        if (slot == kNoSlot) {
            const Slot fresh = table.claim(world.keys[i]);
            table.write(fresh, world.batch(), i);
            blocks.insert(table, fresh);
        } else if (step % 3 == 0) {
            blocks.erase(slot);
            table.release(world.keys[i]);
            table.recycle({&slot, 1});
        } else {
            table.reinforce(slot, kNow + static_cast<Micros>(step), 1);
            blocks.touch(table, slot);
        }
        if (step % 500 == 0) {
            if (blocks.wants_rebuild()) {
                blocks.rebuild(table, vectors);
            }
            blocks.settle(table, vectors);
            blocks.reserve(table.slots(), 500);
            CHECK(blocks.size() == table.live());
            (void)looseness(table, blocks, {}, kNow);
        }
    }
    CHECK(looseness(table, blocks, {}, 2 * kNow) < 0.15);
}
