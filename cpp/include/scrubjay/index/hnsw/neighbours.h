// The graph as a source of similar rows, filters included.
//
// A filter that keeps at least half of the rows is applied to what a wider walk returns; one that
// keeps fewer is walked two links at a time, from where the query leads and from the most similar of
// some matches spread over the table. The source never promises to have found every match: its
// frontier is what it saw at the edge of its pool, and not proved.
//
// Thread-safety: const calls may run together; each borrows a Scratch of its own.
// Cost: as walk.h; two_hop adds a look at a few dozen matches.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "scrubjay/index/hnsw/graph.h"
#include "scrubjay/index/port.h"
#include "scrubjay/index/table.h"

namespace scrubjay::index::hnsw {

// Scratches nobody is using. One is made when none is left, so there are as many as walks that ever
// ran at the same time.
class Shelf {
  public:
    [[nodiscard]] std::unique_ptr<Scratch> take();
    void put(std::unique_ptr<Scratch> scratch);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> idle_;
};

enum class Manner { walk, two_hop };

class GraphNeighbours final : public NeighbourSource {
  public:
    // `matching` is the estimated number of rows that pass the filter, `gain_max` the largest gain of
    // any row. Borrows all; they must outlive it.
    GraphNeighbours(const Graph& graph, const Table& table, const Vectors& vectors, Shelf& shelf,
                    std::size_t matching, float gain_max) noexcept;

    [[nodiscard]] Manner manner() const noexcept { return manner_; }

    // Most similar first as the small rows tell it; equal ones by ascending slot. May return fewer
    // than `limit` although more match.
    [[nodiscard]] Frontier nearest(const PreparedQuery& query, std::size_t limit,
                                   const Selection& allowed,
                                   std::vector<Neighbour>& out) const override;

  private:
    void start(const Terrain& terrain, const WalkQuery& query, const Selection& allowed,
               std::vector<Slot>& from) const;

    const Graph* graph_;
    const Table* table_;
    const Vectors* vectors_;
    Shelf* shelf_;
    double share_;  // Of the rows of the graph that match.
    float gain_max_;
    Manner manner_;
};

}  // namespace scrubjay::index::hnsw
