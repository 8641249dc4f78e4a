// The graph against an exact scan of the same rows, and against itself built otherwise.
#include "scrubjay/index/hnsw/graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "scrubjay/base/rng.h"
#include "scrubjay/kernels/dispatch.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::hnsw;

namespace {

constexpr std::size_t kDim = 24;

// A row near one of twenty centres.
std::vector<float> row_of(std::uint64_t i) {
    std::vector<float> row(kDim);
    for (std::size_t c = 0; c < kDim; ++c) {
        row[c] = static_cast<float>(draw_unit(1 + draw(7, i) % 20, c) - 0.5 +
                                    0.8 * (draw_unit(99, i * kDim + c) - 0.5));
    }
    return row;
}

struct Grown {
    Vectors vectors;
    Graph graph;

    explicit Grown(Storage storage = Storage::f32, kernels::Isa isa = kernels::active_isa())
        : vectors(kDim, storage, true, isa), graph({8, 64, 5}, vectors) {}

    void add(std::span<const Slot> slots, std::size_t threads = 1) {
        Workers workers(threads);
        const std::size_t wanted = *std::max_element(slots.begin(), slots.end()) + std::size_t{64};
        if (wanted > graph.links().slots()) {
            vectors.grow(wanted / 64 * 64);
            graph.grow(wanted / 64 * 64);
        }
        for (const Slot slot : slots) {
            vectors.set(slot, row_of(slot));
        }
        for (std::size_t at = 0; at < slots.size();) {
            const std::size_t count = std::min(slots.size() - at, Graph::batch_size(graph.rows()));
            graph.apply(graph.plan_insert(slots.subspan(at, count), workers, {}));
            at += count;
        }
    }

    void add(Slot first, Slot end, std::size_t threads = 1) {
        std::vector<Slot> slots(end - first);
        std::iota(slots.begin(), slots.end(), first);
        add(slots, threads);
    }

    // The share of the exact ten nearest, over forty queries, that a walk finds.
    [[nodiscard]] double recall(const std::set<Slot>& live) const {
        std::size_t found = 0;
        Scratch scratch;
        for (std::uint64_t q = 0; q < 40; ++q) {
            const PreparedQuery query = vectors.prepare(row_of(1'000'000 + q));
            std::vector<std::pair<float, Slot>> exact;
            for (const Slot slot : live) {
                exact.emplace_back(-vectors.exact(query, slot), slot);
            }
            std::partial_sort(exact.begin(), exact.begin() + 10, exact.end());
            const WalkQuery walk = vectors.walk_query(query);
            scratch.pool.reset(80);
            walk_through(graph.terrain(), walk, descend(graph.terrain(), walk, 0), 0, scratch);
            for (std::size_t i = 0; i < scratch.pool.size(); ++i) {
                found += std::any_of(exact.begin(), exact.begin() + 10, [&](const auto& hit) {
                    return hit.second == scratch.pool.slot(i);
                });
            }
        }
        return static_cast<double>(found) / 400.0;
    }
};

std::vector<Slot> all_links(const Graph& graph) {
    std::vector<Slot> all;
    for (std::size_t s = 0; s < graph.links().slots(); ++s) {
        const auto slot = static_cast<Slot>(s);
        for (Level level = 0; level <= graph.links().level(slot); ++level) {
            const auto links = graph.links().links(slot, level);
            all.insert(all.end(), links.begin(), links.end());
            all.push_back(kNoSlot);
        }
    }
    return all;
}

void check_invariants(const Graph& graph) {
    for (std::size_t s = 0; s < graph.links().slots(); ++s) {
        const auto slot = static_cast<Slot>(s);
        for (Level level = 0; level <= graph.links().level(slot); ++level) {
            const auto links = graph.links().links(slot, level);
            const std::set<Slot> distinct(links.begin(), links.end());
            REQUIRE(distinct.size() == links.size());
            REQUIRE(!distinct.contains(slot));
            REQUIRE((graph.contains(slot) || links.empty()));
            for (const Slot to : links) {
                REQUIRE(graph.contains(to));
                REQUIRE(graph.links().level(to) >= level);
            }
        }
    }
}

std::set<Slot> range(Slot first, Slot end) {
    std::set<Slot> slots;
    for (Slot slot = first; slot < end; ++slot) {
        slots.insert(slot);
    }
    return slots;
}

}  // namespace

TEST_CASE("levels thin out by the width and depend on seed and slot alone") {
    const Links links(8, 3);
    std::size_t upper = 0;
    std::size_t second = 0;
    for (Slot slot = 0; slot < 100'000; ++slot) {
        upper += links.level(slot) >= 1 ? 1U : 0U;
        second += links.level(slot) >= 2 ? 1U : 0U;
    }
    CHECK(upper == doctest::Approx(100'000 / 8.0).epsilon(0.05));
    CHECK(second == doctest::Approx(100'000 / 64.0).epsilon(0.1));
    CHECK(Links(8, 4).level(17) == Links(8, 4).level(17));
}

TEST_CASE("a walk finds what a scan finds, in every storage") {
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        Grown world(storage);
        world.add(0, 2000);
        check_invariants(world.graph);
        CHECK(world.recall(range(0, 2000)) >= 0.98);
        CHECK(world.graph.unreachable().empty());
    }
}

TEST_CASE("the graph is the same for any number of threads and on every instruction set") {
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        Grown alone(storage);
        Grown together(storage);
        Grown scalar(storage, kernels::Isa::scalar);
        alone.add(0, 900);
        together.add(0, 900, 3);
        scalar.add(0, 900);
        CHECK(all_links(alone.graph) == all_links(together.graph));
        CHECK(all_links(alone.graph) == all_links(scalar.graph));
    }
}

TEST_CASE("repair links around erased rows and frees their slots") {
    Grown world;
    world.add(0, 1500);
    std::vector<Slot> gone;
    for (Slot slot = 0; slot < 1500; slot += 3) {
        gone.push_back(slot);
    }
    world.graph.erase(gone);
    Workers workers(3);
    CHECK(world.graph.wants_repair());
    const Plan plan = world.graph.plan_repair(workers, {});
    CHECK(plan.left == gone);
    world.graph.apply(plan);
    CHECK(world.graph.rows() == 1000);
    CHECK(world.graph.erased() == 0);
    check_invariants(world.graph);
    std::set<Slot> live = range(0, 1500);
    for (const Slot slot : gone) {
        live.erase(slot);
    }
    CHECK(world.recall(live) >= 0.97);

    world.add(gone);
    check_invariants(world.graph);
    CHECK(world.recall(range(0, 1500)) >= 0.97);
}

TEST_CASE("the entry moves on when it is erased") {
    Grown world;
    world.add(0, 300);
    Workers workers(1);
    for (int round = 0; round < 20; ++round) {
        const Slot entry = world.graph.terrain().entry.slot;
        world.graph.erase({&entry, 1});
        world.graph.apply(world.graph.plan_repair(workers, {}));
        CHECK(world.graph.terrain().entry.slot != entry);
        CHECK(world.graph.contains(world.graph.terrain().entry.slot));
    }
    std::vector<Slot> rest;
    for (Slot slot = 0; slot < 300; ++slot) {
        if (world.graph.contains(slot)) {
            rest.push_back(slot);
        }
    }
    world.graph.erase(rest);
    world.graph.apply(world.graph.plan_repair(workers, {}));
    CHECK(world.graph.terrain().entry.slot == kNoSlot);
    CHECK(world.graph.rows() == 0);
}

TEST_CASE("a heap of identical rows neither traps a walk nor loses its members") {
    Grown world;
    Workers workers(2);
    const std::vector<float> same = row_of(1);
    world.vectors.grow(1024);
    world.graph.grow(1024);
    std::vector<Slot> slots(1000);
    std::iota(slots.begin(), slots.end(), 0);
    for (const Slot slot : slots) {
        world.vectors.set(slot, slot < 900 ? same : row_of(slot));
    }
    for (std::size_t at = 0; at < slots.size(); at += 64) {
        const std::size_t count = std::min<std::size_t>(64, slots.size() - at);
        world.graph.apply(
            world.graph.plan_insert(std::span(slots).subspan(at, count), workers, {}));
    }
    const std::vector<Slot> lost = world.graph.unreachable();
    world.graph.apply(world.graph.plan_reconnect(lost, workers, {}));
    check_invariants(world.graph);
    CHECK(world.graph.unreachable().empty());
    Scratch scratch;
    std::size_t found = 0;
    for (Slot slot = 900; slot < 1000; ++slot) {
        const PreparedQuery query = world.vectors.prepare(row_of(slot));
        const WalkQuery walk = world.vectors.walk_query(query);
        const Terrain terrain = world.graph.terrain();
        scratch.pool.reset(64);
        walk_through(terrain, walk, descend(terrain, walk, 0), 0, scratch);
        found += scratch.pool.slot(0) == slot ? 1U : 0U;
    }
    // A heap larger than the walk's pool hides what lies behind it in the same direction.
    CHECK(found >= 85);
    const PreparedQuery query = world.vectors.prepare(same);
    const WalkQuery walk = world.vectors.walk_query(query);
    scratch.pool.reset(950);
    walk_through(world.graph.terrain(), walk, descend(world.graph.terrain(), walk, 0), 0, scratch);
    std::size_t copies = 0;
    for (std::size_t i = 0; i < scratch.pool.size(); ++i) {
        copies += scratch.pool.slot(i) < 900 ? 1U : 0U;
    }
    CHECK(copies >= 890);
}

TEST_CASE("the look for unreachable rows can be interrupted") {
    Grown grown;
    grown.add(0, 200);
    const Poll stop([](void* /*context*/) { throw Interrupted(); }, nullptr);
    CHECK_THROWS_AS((void)grown.graph.unreachable(stop), Interrupted);
}
