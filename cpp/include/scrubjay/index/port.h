// What composite search asks of a source of similar rows.
//
// An exact scan is one such source; a graph walk is another. How a source learns of changes is between
// it and whoever owns the table; a search only reads.
//
// Thread-safety: calls may run together.
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

// The similarity of a frontier behind which the source knows of nothing.
inline constexpr float kNothingUnseen = -1.0F;

class NeighbourSource {
  public:
    NeighbourSource() = default;
    NeighbourSource(const NeighbourSource&) = delete;
    NeighbourSource& operator=(const NeighbourSource&) = delete;
    virtual ~NeighbourSource() = default;

    // Up to `limit` matching rows, most similar first. A source whose frontier is proved returns fewer
    // only if fewer match, and equal ones by ascending key. REQUIRES limit >= 1.
    [[nodiscard]] virtual Frontier nearest(const PreparedQuery& query, std::size_t limit,
                                           const Selection& allowed,
                                           std::vector<Neighbour>& out) const = 0;
};

}  // namespace scrubjay::index
