// Planning the links of a batch of rows, see graph.h.
#pragma once

#include <span>

#include "scrubjay/index/hnsw/graph.h"

namespace scrubjay::index::hnsw {

struct InsertJob {
    Terrain terrain;
    const GraphOptions& options;
    const AlignedArray<std::uint64_t>& erased;
    std::span<const Slot> slots;
    Workers& workers;
    const Poll& poll;
    bool insist;  // Rows are linked back to even where a list has better links.
};

[[nodiscard]] Plan plan_rows(const InsertJob& job);

}  // namespace scrubjay::index::hnsw
