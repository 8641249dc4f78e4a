// How a search is carried out: by a scan, by a walk over the graph, or by both sources together.
//
//     scan       every row is read; also what every other way falls back to
//     matches    only rows that pass the filter are read, because they are few
//     walk       similarity alone, over the graph
//     two_hop    the same under a filter that keeps fewer than half of the rows
//     composite  similarity from the graph and priors from their blocks, see composite_search.h
//
// A scan costs what it reads, a walk about the same for any number of rows. So a scan is chosen while
// there is no graph, where what matches a filter is a few megabytes, where k is above ef and a hundredth
// of what matches, for a walk keeps k rows at least, or where the caller asks for it; it is certified. A walk is not: its answers carry bound_met alone. A composite search is certified where
// relevance has no weight or nothing was left out, else its bound is met.
//
// ENSURES k rows whenever k rows match: a walk that comes back with fewer is followed by a scan, and so is
// one that ran out of links before its list was full, though more rows match.
// Thread-safety: const arguments only; runs beside other searches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scrubjay/index/composite.h"
#include "scrubjay/index/filter.h"
#include "scrubjay/index/hnsw/neighbours.h"
#include "scrubjay/index/prior_blocks.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"
#include "scrubjay/kernels/top_k.h"

namespace scrubjay::index {

struct SearchOptions {
    std::size_t k = 0;
    Micros now_us = 0;
    Weights weights;
    std::size_t ef = 64;  // Rows a walk keeps; at least k are kept in any case.
    bool exact = false;   // Read every matching row, whatever it costs.
};

// What is searched. Without a graph every search is a scan; without blocks, every one that weighs
// priors.
struct Contents {
    const Table& table;
    const Vectors& vectors;
    const hnsw::Graph* graph;
    const PriorBlocks* blocks;
    hnsw::Shelf& shelf;
    const kernels::TileTable& kernels;
    const kernels::TopKTable& selector;
    std::optional<std::uint32_t> frequency_ceiling;
    std::size_t exact_below;  // Rows from which on the index grows a graph.
};

// Bytes of small rows from which on an index grows a graph: reading them all takes half a millisecond.
inline constexpr std::size_t kGraphBytes = std::size_t{8} << 20U;

// Bytes of matching rows up to which a filtered search reads them, if they are no more than an index
// without a graph may hold: exact, and hardly dearer than the walk that a filter makes longer.
inline constexpr std::size_t kMatchBytes = std::size_t{3} << 20U;

// Answers some queries, which share everything but their vectors. REQUIRES equal lengths and a
// settled selection.
void answer(const Contents& contents, const SearchOptions& options, const Selection& selection,
            std::span<const PreparedQuery> queries, std::span<Answer> answers, const Poll& poll);

}  // namespace scrubjay::index
