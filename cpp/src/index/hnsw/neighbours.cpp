// From pools to lists of neighbours.
#include "scrubjay/index/hnsw/neighbours.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scrubjay::index::hnsw {
namespace {

// Above this share of matches a wider plain walk costs less than second hops.
constexpr double kPlainShare = 0.5;

// A filtered walk keeps this much more than the share asks for, since matches lie unevenly.
constexpr double kSlack = 1.2;

// Rows of a list per node that a plain walk begins at: one for every four costs a walk less than a tenth
// of its speed, and finds the right one of many tight clusters five times as often.
constexpr std::size_t kRowsPerApproach = 4;

// Matches looked at, and kept, as starting points of a two-hop walk.
constexpr std::size_t kSampled = 64;
constexpr std::size_t kStarts = 4;

}  // namespace

std::unique_ptr<Scratch> Shelf::take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
        return std::make_unique<Scratch>();
    }
    std::unique_ptr<Scratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
}

void Shelf::put(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
}

GraphNeighbours::GraphNeighbours(const Graph& graph, const Table& table, const Vectors& vectors,
                                 Shelf& shelf, std::size_t matching, float gain_max) noexcept
    : graph_(&graph),
      table_(&table),
      vectors_(&vectors),
      shelf_(&shelf),
      share_(static_cast<double>(matching) /
             static_cast<double>(std::max<std::size_t>(graph.rows(), 1))),
      gain_max_(gain_max),
      manner_(share_ >= kPlainShare ? Manner::walk : Manner::two_hop) {}

// The row a descent leads to, and the most similar of some matches from all over the table.
void GraphNeighbours::start(const Terrain& terrain, const WalkQuery& query,
                            const Selection& allowed, std::vector<Slot>& from) const {
    from.push_back(descend(terrain, query, 0));
    std::array<Slot, kSampled> sample;
    std::size_t count = 0;
    const std::size_t tiles = table_->tiles();
    const std::size_t step = std::max<std::size_t>(tiles / (2 * kSampled), 1);
    for (std::size_t tile = 0; tile < tiles && count < kSampled; tile += step) {
        const std::uint64_t word = allowed.word(tile);
        if (word != 0) {
            sample[count++] =
                static_cast<Slot>(tile * kTileRows) + static_cast<Slot>(std::countr_zero(word));
        }
    }
    std::array<float, kSampled> similarity;
    vectors_->similarities(query, sample.data(), count, similarity.data());
    std::array<std::size_t, kSampled> order;
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    const std::size_t kept = std::min(kStarts, count);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept),
                      order.begin() + static_cast<std::ptrdiff_t>(count),
                      [&](std::size_t a, std::size_t b) {
                          return similarity[a] > similarity[b] ||
                                 (similarity[a] == similarity[b] && sample[a] < sample[b]);
                      });
    for (std::size_t i = 0; i < kept; ++i) {
        const Slot slot = sample[order[i]];
        const Slot node = terrain.links.followed(slot);
        from.push_back(node == kNoSlot ? slot : node);
    }
}

Frontier GraphNeighbours::nearest(const PreparedQuery& query, std::size_t limit,
                                  const Selection& allowed, std::vector<Neighbour>& out) const {
    out.clear();
    const Terrain terrain = graph_->terrain();
    if (terrain.entry.slot == kNoSlot) {
        return {kNothingUnseen, false};
    }
    std::unique_ptr<Scratch> scratch = shelf_->take();
    const WalkQuery walk = vectors_->walk_query(query);
    if (manner_ == Manner::walk) {
        const double wanted = static_cast<double>(limit) * (share_ < 1.0 ? kSlack / share_ : 1.0);
        std::vector<Slot> from;
        approach(terrain, walk, std::max<std::size_t>(limit / kRowsPerApproach, 1), *scratch, from);
        scratch->pool.reset(static_cast<std::size_t>(std::ceil(wanted)));
        walk_through(terrain, walk, from, 0, *scratch);
    } else {
        scratch->pool.reset(limit);
        std::vector<Slot> from;
        start(terrain, walk, allowed, from);
        walk_two_hop(terrain, walk, from, allowed, *scratch);
    }
    const Pool& pool = scratch->pool;
    const AlignedArray<float>& gain = table_->columns().gain;
    float last = 1.0F;
    for (std::size_t i = 0; i < pool.size() && out.size() < limit; ++i) {
        const float similarity = vectors_->similarity_of(pool.similarity(i));
        const auto take = [&](Slot slot) {
            if (out.size() < limit && allowed.matches(slot)) {
                last = similarity;
                out.push_back({slot, gain[slot] * similarity});
            }
        };
        take(pool.slot(i));
        for (const Slot copy : graph_->copies().of(pool.slot(i))) {
            take(copy);
        }
    }
    // A pool that did not fill, and all of whose matches are in the list, has seen all there was to
    // reach.
    const bool full = pool.full() || out.size() == limit;
    float unseen = full ? last : kNothingUnseen;
    if (full && !out.empty()) {
        unseen = std::max(unseen, vectors_->reach(query, out.back().slot));
    }
    shelf_->put(std::move(scratch));
    return {unseen > 0.0F ? gain_max_ * unseen : unseen, false};
}

}  // namespace scrubjay::index::hnsw
