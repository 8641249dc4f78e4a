// One pass over the matching rows of a table for a group of queries.
//
// Rows whose vectors are kept quantised beside their originals are first scored by an upper bound.
// Rounding is monotone, so a bound below the running k-th best proves the row out; the rest of the
// tile is scored exactly, best bound first, until the next bound falls below that k-th best.
//
// ENSURES  the rows found are the best k by (score descending, key ascending) of those that match.
// Cost     O(matching rows * dim) per query; the prior is computed once for all queries.
// Thread-safety: const arguments only; runs beside other scans.
#pragma once

#include <span>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/composite.h"
#include "scrubjay/index/filter.h"
#include "scrubjay/index/port.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"
#include "scrubjay/kernels/top_k.h"

namespace scrubjay::index {

struct ScanJob {
    const Table& table;
    const Vectors& vectors;
    const Selection& selection;
    const kernels::TileTable& kernels;
    const kernels::TopKTable& selector;
    kernels::TileWeights prior;
    float w_relevance;
    std::size_t k;  // REQUIRES >= 1.
    Poll poll = {};
};

// Rows in rank order with the cosines they were scored by.
struct Found {
    std::vector<Slot> slots;
    std::vector<float> cosines;
};

// Fills one Found per query and returns how many rows matched.
std::size_t scan(const ScanJob& job, std::span<const PreparedQuery> queries,
                 std::span<Found> found);

// The exact scan as a source for composite search: its frontier is always proved.
class ExactNeighbours final : public NeighbourSource {
  public:
    // Borrows both; they must outlive it.
    ExactNeighbours(const Table& table, const Vectors& vectors, kernels::Isa isa)
        : table_(&table),
          vectors_(&vectors),
          kernels_(&kernels::tile_table(isa)),
          selector_(&kernels::top_k_table(isa)) {}

    [[nodiscard]] Frontier nearest(const PreparedQuery& query, std::size_t limit,
                                   const Selection& allowed,
                                   std::vector<Neighbour>& out) const override;

  private:
    const Table* table_;
    const Vectors* vectors_;
    const kernels::TileTable* kernels_;
    const kernels::TopKTable* selector_;
};

}  // namespace scrubjay::index
