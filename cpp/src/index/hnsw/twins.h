// Which rows of a batch become copies (copies.h): of a node of the graph, or of an earlier row of the
// batch.
//
// Rows of the batch are compared with each other before anybody plans, and only the first of each
// kind seeks its place. If that finds a node like itself, links that others of the batch have planned
// to it lead to that node instead: it lies in the same place.
//
// Thread-safety: found() may run for several rows at once. Cost: n log n comparisons of rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scrubjay/index/hnsw/graph.h"

namespace scrubjay::index::hnsw {

class Twins {
  public:
    // Borrows all; `slots` are the rows of the batch. Without `seek` there are no twins.
    Twins(const Links& links, const Vectors& vectors, std::span<const Slot> slots, bool seek);

    // Whether row i is the first of its kind in the batch, and so seeks its place.
    [[nodiscard]] bool leads(std::size_t i) const noexcept { return first_[i] == i; }

    // Row i, which leads, is a copy of that node.
    void found(std::size_t i, Slot node) noexcept { node_[i] = node; }

    // To be called when all that lead have sought: writes the copies into the plan and turns links
    // to them aside. forward[i] has the lists of row i.
    void settle(std::span<Plan> forward, Plan& plan);

  private:
    [[nodiscard]] Slot node_of(Slot member) const noexcept;
    void turn_aside(Plan& lists) const;

    const Links* links_;
    std::span<const Slot> slots_;
    std::vector<std::uint32_t> first_;  // Of the rows that equal row i, the first.
    std::vector<Slot> node_;            // What row i follows, or kNoSlot.
    std::vector<Copy> by_slot_;         // Rows of the batch that lead and follow.
};

}  // namespace scrubjay::index::hnsw
