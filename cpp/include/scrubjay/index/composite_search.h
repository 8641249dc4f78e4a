// The best k by the composite score without scoring every row.
//
// A row can be among the best k because it is similar or because its prior is high. Similar rows come
// from a source of neighbours, rows of high prior from PriorBlocks; both are scored as the scan would
// score them, bit for bit. The search may end when no row outside both can reach the k-th score:
//
//     w_r sim_unseen + bound(block) < S_k   for every block not looked at,
//
// where sim_unseen is how similar a row can be that the source did not return. So the walk tells how
// high a prior must be to matter, and the blocks above that line are scored, highest first, while each
// better S_k lifts the line. If too many rows lie above it, the walk is made twice as wide, which lowers
// sim_unseen; when even that costs more than scoring everything, everything is scored.
//
// A graph walk may miss a row that is more similar than the last one it returned; such rows are rare
// near its head and less so at its edge. So the list is longer than that of a plain search, by ef times
// the weight of relevance: the more that is, the more of the answer only the walk can find. And unless
// the source proves its frontier, sim_unseen is read off the list at a sixteenth, an eighth, a quarter or
// in the middle: at the first of these places where the rows above the line cost less than a sixth of
// the walk, or in the middle. A row that the walk missed is then found by its prior, unless that is low.
// Under l2 with small rows the bound of the row at that place is read instead of its estimate: near the
// query, where neighbours are alike, an estimate can be far below what unseen rows of its kind reach.
//
// ENSURES  certified: the rows are those of the scan, whatever the source did: its frontier is proved,
//          or relevance has no weight, or every row was scored.
//          bound_met: the line was reached, with the frontier as seen. Always true here: a search that
//          cannot reach it scans.
//          k rows if k match; equal scores by ascending key; scores bit-equal to the scan's.
//          Costs are counted in rows, never in time, so the same calls give the same answer and flags.
// Cost     One to three walks, 2 ns a block, and one random row read for each row above the line.
// Thread-safety: const arguments only; runs beside other searches.
// Source   Fagin, Lotem and Naor, Optimal aggregation algorithms for middleware, JCSS 66, 2003, for the
//          stopping rule; DESIGN section 5. Measured in docs/decisions/0004.
#pragma once

#include <cstddef>

#include "scrubjay/index/port.h"
#include "scrubjay/index/prior_blocks.h"
#include "scrubjay/index/scan.h"

namespace scrubjay::index {

struct CompositeJob {
    const ScanJob& scan;  // What is asked, and of which rows.
    const NeighbourSource& neighbours;
    const PriorBlocks& blocks;  // REQUIRES of the rows of the same table.
    std::size_t ef;             // (1 + w_relevance) ef rows are asked for at first; at least 2 k.
    bool filtered;              // Whether the selection may leave out live rows.
};

struct CompositeFound {
    Found found;
    bool certified = false;
    bool bound_met = false;
    std::size_t walked = 0;  // Rows the source returned.
    std::size_t ranked = 0;  // Rows looked at because of their prior.
    std::size_t width = 0;   // Of the widest walk; 0 if there was none.
    bool scanned = false;    // Every matching row was scored.
};

[[nodiscard]] CompositeFound composite_search(const CompositeJob& job, const PreparedQuery& query);

}  // namespace scrubjay::index
