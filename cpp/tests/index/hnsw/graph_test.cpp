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

// From the entry down to level 0, and there as far as the pool goes.
void walk_down(const Terrain& terrain, const WalkQuery& query, Scratch& scratch) {
    const Slot from = descend(terrain, query, 0);
    walk_through(terrain, query, {&from, 1}, 0, scratch);
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
            walk_down(graph.terrain(), walk, scratch);
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
    std::size_t copies = 0;
    graph.copies().each([&](Slot node, std::span<const Slot> list) {
        copies += list.size();
        REQUIRE(graph.links().followed(node) == kNoSlot);
        for (const Slot copy : list) {
            REQUIRE(graph.links().followed(copy) == node);
        }
    });
    REQUIRE(graph.copies().size() == copies);
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
                REQUIRE(graph.links().followed(to) == kNoSlot);
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

// Rows 0 to 899 are the same, the next hundred are not.
struct Heap : Grown {
    static constexpr Slot kSame = 900;
    static constexpr Slot kAll = 1000;

    Heap() {
        vectors.grow(1024);
        graph.grow(1024);
        std::vector<Slot> slots(kAll);
        std::iota(slots.begin(), slots.end(), 0);
        for (const Slot slot : slots) {
            vectors.set(slot, row_of(slot < kSame ? 1 : slot));
        }
        Workers workers(2);
        for (std::size_t at = 0; at < slots.size(); at += 64) {
            const std::size_t count = std::min<std::size_t>(64, slots.size() - at);
            graph.apply(graph.plan_insert(std::span(slots).subspan(at, count), workers, {}));
        }
    }

    // How many of the other rows a walk finds as the best for themselves.
    [[nodiscard]] std::size_t others_found() const {
        Scratch scratch;
        std::size_t found = 0;
        for (Slot slot = kSame; slot < kAll; ++slot) {
            const PreparedQuery query = vectors.prepare(row_of(slot));
            scratch.pool.reset(64);
            walk_down(graph.terrain(), vectors.walk_query(query), scratch);
            found += scratch.pool.slot(0) == slot ? 1U : 0U;
        }
        return found;
    }
};

TEST_CASE("identical rows are one node and hide nothing") {
    Heap heap;
    check_invariants(heap.graph);
    CHECK(heap.graph.rows() == Heap::kAll);
    CHECK(heap.graph.unreachable().empty());
    CHECK(heap.others_found() == 100);
    const std::span<const Slot> copies = heap.graph.copies().of(0);
    REQUIRE(copies.size() == Heap::kSame - 1);
    CHECK(std::is_sorted(copies.begin(), copies.end()));
    for (const Slot slot : copies) {
        CHECK(heap.graph.links().followed(slot) == 0);
    }
}

TEST_CASE("an erased node leaves its place to its first live copy") {
    Heap heap;
    Workers workers(2);
    heap.graph.erase(std::vector<Slot>{0, 1, 5});
    const std::vector<Copy> heirs = heap.graph.heirs();
    REQUIRE(heirs.size() == 1);
    CHECK(heirs[0].slot == 2);
    CHECK(heirs[0].node == 0);
    const Plan plan = heap.graph.plan_insert(std::vector<Slot>{2}, workers, {});
    CHECK(plan.copies.empty());
    Bequest bequest = heap.graph.plan_bequest(heirs, plan);
    CHECK(bequest.marks.size() == Heap::kSame - 4);
    Growth growth;
    heap.graph.stage_bequest(std::move(bequest.copies), plan, growth);
    heap.graph.assign(plan, 0, plan.edits.size());
    heap.graph.assign(bequest.marks);
    growth.publish();
    CHECK(heap.graph.heirs().empty());
    const Plan repair = heap.graph.plan_repair(workers, {});
    heap.graph.stage_repair(repair, growth);
    heap.graph.assign(repair, 0, repair.edits.size());
    growth.publish();
    check_invariants(heap.graph);
    CHECK(heap.graph.rows() == Heap::kAll - 3);
    CHECK(heap.graph.copies().of(0).empty());
    CHECK(heap.graph.copies().of(2).size() == Heap::kSame - 4);
    CHECK(heap.others_found() == 100);
}

TEST_CASE("a row that comes when only an erased one is like it gets links of its own") {
    Heap heap;
    Workers workers(2);
    heap.graph.erase(std::vector<Slot>{Heap::kSame});
    heap.vectors.set(Heap::kAll, row_of(Heap::kSame));
    heap.graph.apply(heap.graph.plan_insert(std::vector<Slot>{Heap::kAll}, workers, {}));
    CHECK(heap.graph.links().followed(Heap::kAll) == kNoSlot);
    CHECK(!heap.graph.links().links(Heap::kAll, 0).empty());
}

TEST_CASE("the look for unreachable rows can be interrupted") {
    Grown grown;
    grown.add(0, 200);
    const Poll stop([](void* /*context*/) { throw Interrupted(); }, nullptr);
    CHECK_THROWS_AS((void)grown.graph.unreachable(stop), Interrupted);
}
