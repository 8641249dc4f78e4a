// What composite search asks of a source of similar rows.
//
// An exact scan is one such source; a graph walk is another. Whoever owns the table tells the source
// which slots come and go, after table and vectors have changed; the source keeps whatever links it
// needs and never owns a vector.
//
// Thread-safety: const calls may run together; insert and erase need the owner's lock.
#pragma once

#include <vector>

#include "scrubjay/index/filter.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index {

struct Neighbour {
    Slot slot;
    float similarity;  // gain * cosine
};

// How similar a matching row that was not returned can be, and whether that is proved or only what
// the search saw at its edge.
struct Frontier {
    float similarity;
    bool proved;
};

class NeighbourSource {
  public:
    NeighbourSource() = default;
    NeighbourSource(const NeighbourSource&) = delete;
    NeighbourSource& operator=(const NeighbourSource&) = delete;
    virtual ~NeighbourSource() = default;

    // The slot has become live, or its vector or gain has changed.
    virtual void insert(Slot slot) = 0;

    // The slot is about to be reused. REQUIRES inserted before.
    virtual void erase(Slot slot) = 0;

    // Up to `limit` matching rows, most similar first, equal ones by ascending key. ENSURES fewer
    // only if fewer match. REQUIRES limit >= 1.
    [[nodiscard]] virtual Frontier nearest(const PreparedQuery& query, std::size_t limit,
                                           const Selection& allowed,
                                           std::vector<Neighbour>& out) const = 0;
};

}  // namespace scrubjay::index
