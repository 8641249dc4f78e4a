// Walking over the links towards what is most like a query.
//
// From an entry on the top level the walk goes down greedily, then keeps the best `ef` rows seen on
// the level asked for and looks behind the best of them until all have been looked behind.
//
// Rows that may not be returned (erased, or not matching a filter) can still be passed through. Where
// most rows match, the walk ignores the filter and its owner keeps the matches (`through`); where
// fewer do, it keeps only matches and looks two links far for them, since a match is then rarely a
// direct neighbour of a match (`two_hop`). The latter begins at rows given by the caller, too,
// because the entry's surroundings may hold no match at all.
//
// Thread-safety: a Scratch belongs to one walk at a time; graph and vectors are only read.
// Cost: about ef * (unseen links per row) similarities.
// Source: Malkov and Yashunin as in links.h; Patel et al., ACORN: Performant and predicate-agnostic
// search over vector embeddings and structured data, SIGMOD 2024, for the second hop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "scrubjay/index/filter.h"
#include "scrubjay/index/hnsw/copies.h"
#include "scrubjay/index/hnsw/links.h"
#include "scrubjay/index/hnsw/pool.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index::hnsw {

// What one walk needs besides the graph; kept and used again.
class Scratch {
  public:
    Pool pool;
    RowQuery row;

    // Forgets which slots were seen and makes room for that many.
    void forget(std::size_t slots);

    // Marks a slot as seen; whether it was new.
    [[nodiscard]] bool first_sight(Slot slot) noexcept {
        std::uint64_t& word = seen_[slot / 64];
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        const bool fresh = (word & bit) == 0;
        word |= bit;
        return fresh;
    }

  private:
    std::vector<std::uint64_t> seen_;
};

// Where walks begin: the row of the highest level, the one with the smallest slot among equals.
struct Entry {
    Slot slot = kNoSlot;  // None: the graph is empty.
    Level level = 0;
};

struct Terrain {
    const Links& links;
    const Vectors& vectors;
    Entry entry;
    const Copies& copies;

    // Whether a node, or one of its copies, passes a filter.
    [[nodiscard]] bool admits(const Selection& allowed, Slot node) const noexcept {
        if (allowed.matches(node)) {
            return true;
        }
        const std::span<const Slot> copies_of = copies.of(node);
        return std::any_of(copies_of.begin(), copies_of.end(),
                           [&](Slot slot) { return allowed.matches(slot); });
    }
};

// The row at which a greedy descent from the entry arrives on `level`. REQUIRES an entry whose level
// is at least that.
[[nodiscard]] Slot descend(const Terrain& terrain, const WalkQuery& query, Level level);

// The best `count` nodes a walk over level 1 finds, best first, or the entry where that is all there is:
// where to begin on level 0. One alone may lie in a cluster that fills the list of a walk and hides a
// better one. REQUIRES an entry, count >= 1. Leaves something in scratch.pool.
void approach(const Terrain& terrain, const WalkQuery& query, std::size_t count, Scratch& scratch,
              std::vector<Slot>& from);

// Fills scratch.pool, whose capacity is set, with the best nodes reachable on a level from
// `from`, matching or not. REQUIRES an empty pool, distinct nodes.
void walk_through(const Terrain& terrain, const WalkQuery& query, std::span<const Slot> from,
                  Level level, Scratch& scratch);

// Fills scratch.pool likewise with the best nodes found on level 0 that match or have a copy that
// does, from the nodes of `from`, which need not match.
void walk_two_hop(const Terrain& terrain, const WalkQuery& query, std::span<const Slot> from,
                  const Selection& allowed, Scratch& scratch);

}  // namespace scrubjay::index::hnsw
