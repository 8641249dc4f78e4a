// The k best of n, in the one order of ranked results.
//
//     top_k(scores, ids, k) = positions sorted by (score descending, id ascending), first k
//
// Shapes   scores (n,), ids (n,) or empty (then the position is the id), result (min(k, n),).
// Types    f32 scores, i64 ids, u32 positions.
// Units    none.
// REQUIRES k >= 1; no NaN (infinities order as numbers do); n < 2^32. Ids are distinct, or equal
//          pairs of (score, id) come in ascending position.
// ENSURES  a total order (-0 and +0 tie and fall through to the id); k > n gives all n.
// Throws   Error(unit_out_of_range | shape_mismatch), naming the first bad index.
// Cost     O(n + k log k) while scores arrive in no particular order: a running threshold keeps all
//          but about k ln(n / k) of them away from the heap. Worst case O(n log k).
// Thread-safety: pure function; a BestK belongs to one thread.
// Source   DESIGN section 5; Knuth, The Art of Computer Programming 3, 5.2.3, for the heap.
// Spec     tests/reference/top_k.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scrubjay/base/ordering.h"
#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

// A bounded heap whose root is the worst of the best k so far.
class BestK {
  public:
    struct Entry {
        Ranked rank;
        std::uint32_t position;
    };

    // REQUIRES k >= 1. Memory grows with what is offered, never with k alone.
    explicit BestK(std::size_t k) : k_(k) {}

    // Scores below this cannot enter; equal ones may, by their id. Minus infinity while not full.
    [[nodiscard]] float threshold() const noexcept { return threshold_; }

    void offer(float score, RowId id, std::uint32_t position);

    // The entries, best first; empties the heap.
    [[nodiscard]] std::vector<Entry> take();

  private:
    std::size_t k_;
    float threshold_ = -__builtin_huge_valf();
    std::vector<Entry> heap_;
};

[[nodiscard]] std::vector<std::uint32_t> top_k(std::span<const float> scores,
                                               std::span<const RowId> ids, std::size_t k,
                                               Isa isa = active_isa());

struct TopKTable {
    // Writes the positions i, ascending, with scores[i] >= threshold into `out` (room for count)
    // and returns how many.
    std::size_t (*at_least)(const float* scores, std::size_t count, float threshold,
                            std::uint32_t* out) noexcept;
};

[[nodiscard]] const TopKTable& top_k_table(Isa isa = active_isa());

}  // namespace scrubjay::kernels
