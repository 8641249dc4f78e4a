// Composite search against the scan, whatever the source of neighbours, the rows, weights and instant.
#include "scrubjay/index/composite_search.h"

#include <array>
#include <optional>
#include <vector>

#include "index/worlds.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

// Table, vectors and blocks, with nothing else around them.
struct Store {
    Table table;
    Vectors vectors;
    PriorBlocks blocks;

    explicit Store(std::size_t dim, Storage storage = Storage::i8)
        : vectors(dim, storage, true, kernels::active_isa()) {}

    void add(const World& world, std::size_t first, std::size_t end) {
        table.reserve_for(end - first);
        vectors.grow(table.slots());
        blocks.reserve(table.slots(), end - first);
        for (std::size_t i = first; i < end; ++i) {
            const Slot slot = table.claim(world.keys[i]);
            table.write(slot, world.batch(), i);
            vectors.set(slot, std::span(world.vectors).subspan(i * world.dim, world.dim));
            blocks.insert(table, slot);
        }
        settle();
    }

    void settle() {
        if (blocks.wants_rebuild()) {
            blocks.rebuild(table, vectors);
        }
        blocks.settle(table, vectors);
    }

    void remove(RowId key) {
        blocks.erase(table.find(key));
        const Slot slot = table.release(key);
        table.recycle({&slot, 1});
    }
};

// The exact list with every `drop`-th entry of its second half left out, and a frontier to match.
class Forgetful final : public NeighbourSource {
  public:
    Forgetful(const ExactNeighbours& exact, std::size_t drop) : exact_(&exact), drop_(drop) {}

    [[nodiscard]] Frontier nearest(const PreparedQuery& query, std::size_t limit,
                                   const Selection& allowed,
                                   std::vector<Neighbour>& out) const override {
        std::vector<Neighbour> all;
        (void)exact_->nearest(query, 2 * limit, allowed, all);
        out.clear();
        for (std::size_t i = 0; i < all.size() && out.size() < limit; ++i) {
            if (i < limit / 2 || i % drop_ != 0) {
                out.push_back(all[i]);
            }
        }
        return {out.empty() ? -1.0F : out.back().similarity, false};
    }

  private:
    const ExactNeighbours* exact_;
    std::size_t drop_;
};

struct Asked {
    Weights weights;
    Micros now_us = kNow;
    std::optional<std::uint32_t> ceiling = std::nullopt;
    std::size_t k = 10;
    Predicate where = {};
};

// Runs both searches and compares them; returns how the composite one went.
CompositeFound compare(const Store& store, const NeighbourSource& source, const Asked& asked,
                       const PreparedQuery& query) {
    const Selection selection(store.table, asked.where);
    const ScanJob job{store.table,
                      store.vectors,
                      selection,
                      kernels::tile_table(),
                      kernels::top_k_table(),
                      tile_weights(asked.weights, asked.now_us, asked.ceiling),
                      asked.weights.relevance,
                      asked.k};
    Found expected;
    scan(job, {&query, 1}, {&expected, 1});
    const CompositeFound got =
        composite_search({job, source, store.blocks, 16, !selection.all()}, query);
    CHECK(got.bound_met);
    CHECK(expected.slots == got.found.slots);
    CHECK(expected.cosines == got.found.cosines);
    return got;
}

constexpr std::array kWeights{
    Weights{},
    Weights{0.8F, 0.1F, 0.05F, 0.05F},
    Weights{0.0F, 0.5F, 0.25F, 0.25F},
    Weights{0.25F, 0.75F, 0.0F, 0.0F},
    Weights{0.01F, 0.0F, 0.0F, 0.99F},
};

constexpr std::array<Micros, 5> kInstants{0, kNow / 2, kNow, 3 * kNow, kLatestUs};

}  // namespace

TEST_CASE(
    "with a proved frontier the answer is certified and the scan's, for any weights and instant") {
    const World world(3000, 12, 5);
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        Store store(world.dim, storage);
        store.add(world, 0, world.keys.size());
        const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
        const PreparedQuery query = store.vectors.prepare(world.query(11));
        for (const Weights& weights : kWeights) {
            for (const Micros now_us : kInstants) {
                CHECK(compare(store, exact, {weights, now_us}, query).certified);
                CHECK(compare(store, exact, {weights, now_us, 12U, 3}, query).certified);
            }
        }
    }
}

TEST_CASE("rows forgotten behind the middle of the list do not change the answer") {
    const World world(4000, 12, 6);
    Store store(world.dim);
    store.add(world, 0, world.keys.size());
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    const Forgetful source(exact, 3);
    bool pruned = false;
    for (std::uint64_t q = 0; q < 40; ++q) {
        const PreparedQuery query = store.vectors.prepare(world.query(100 + q));
        for (const Weights& weights : kWeights) {
            const CompositeFound got = compare(store, source, {weights}, query);
            pruned = pruned || (got.ranked < 2000 && !got.scanned);
            CHECK((weights.relevance == 0.0F) <= got.certified);
        }
    }
    CHECK(pruned);
}

TEST_CASE("filters hold for both sources, and few matches are all found") {
    const World world(3000, 8, 7);
    Store store(world.dim);
    store.add(world, 0, world.keys.size());
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    const Forgetful source(exact, 4);
    const PreparedQuery query = store.vectors.prepare(world.query(3));
    for (std::uint8_t kind = 0; kind < 4; ++kind) {
        Asked asked;
        asked.where.kinds = std::uint64_t{1} << kind;
        asked.where.quality_min = 0.5F;
        CHECK(10 == compare(store, source, asked, query).found.slots.size());
    }
    Asked few;
    few.where.keys = {world.keys[5], world.keys[77], 2};
    CHECK(2 == compare(store, source, few, query).found.slots.size());
    CHECK(2 == compare(store, exact, few, query).found.slots.size());
}

TEST_CASE("more asked than there is gives every row, certified") {
    const World world(130, 6, 8);
    Store store(world.dim);
    store.add(world, 0, world.keys.size());
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    Asked asked;
    asked.k = 200;
    const CompositeFound got =
        compare(store, Forgetful(exact, 2), asked, store.vectors.prepare(world.query(3)));
    CHECK(130 == got.found.slots.size());
    CHECK(got.certified);
}

TEST_CASE("an absent query and an empty table have their answers") {
    const World world(1000, 6, 9);
    Store store(world.dim);
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    CHECK(compare(store, exact, {}, store.vectors.prepare(world.query(3))).found.slots.empty());
    store.add(world, 0, world.keys.size());
    const CompositeFound got = compare(store, exact, {}, PreparedQuery{});
    CHECK(got.certified);
    CHECK(0 == got.width);
    CHECK(got.ranked < 1000);
}

TEST_CASE("ten thousand identical rows come by ascending key") {
    World world(10'000, 4, 10);
    for (std::size_t i = 0; i < world.keys.size(); ++i) {
        std::copy_n(world.vectors.begin(), world.dim, world.vectors.begin() + i * world.dim);
        world.gain[i] = 1.0F;
        world.unit[i] = 0.5F;
        world.frequency[i] = 3;
        world.half_life_us[i] = kForeverUs;
        world.keys[i] = static_cast<RowId>(100'000 - 3 * i);
    }
    Store store(world.dim);
    store.add(world, 0, world.keys.size());
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    const CompositeFound got =
        compare(store, Forgetful(exact, 2), {}, store.vectors.prepare(world.query(3)));
    CHECK(world.keys.back() == store.table.columns().key[got.found.slots[0]]);
}

TEST_CASE("rows that come, change and go after the blocks were made are found, or are gone") {
    const World world(4000, 8, 11);
    Store store(world.dim);
    store.add(world, 0, 2800);
    const ExactNeighbours exact(store.table, store.vectors, kernels::active_isa());
    const Forgetful source(exact, 3);
    const PreparedQuery query = store.vectors.prepare(world.query(4));
    for (std::size_t step = 0; step < 12; ++step) {
        store.add(world, 2800 + 100 * step, 2900 + 100 * step);
        store.blocks.reserve(store.table.slots(), 70);
        for (std::size_t i = step; i < 2800; i += 40) {
            if (i % 3 == 0 && store.table.find(world.keys[i]) != kNoSlot) {
                store.remove(world.keys[i]);
            } else if (const Slot slot = store.table.find(world.keys[i]); slot != kNoSlot) {
                store.table.reinforce(slot, kNow + static_cast<Micros>(step) * 1'000'000, 7);
                store.blocks.touch(store.table, slot);
            }
        }
        store.settle();
        CHECK(store.table.live() == store.blocks.size());
        for (const Micros now_us : kInstants) {
            (void)compare(store, source, {{}, now_us}, query);
        }
    }
}
