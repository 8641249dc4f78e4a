// Planning links around erased rows, see graph.h.
#pragma once

#include "scrubjay/index/hnsw/graph.h"

namespace scrubjay::index::hnsw {

struct RepairJob {
    Terrain terrain;
    const AlignedArray<std::uint64_t>& present;
    const AlignedArray<std::uint64_t>& erased;
    Workers& workers;
    const Poll& poll;
};

[[nodiscard]] Plan plan_around(const RepairJob& job);

}  // namespace scrubjay::index::hnsw
