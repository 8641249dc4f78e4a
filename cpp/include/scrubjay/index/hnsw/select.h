// Which of many near rows a row links to.
//
// Candidates are taken best first; one is passed over if it is nearer to a row already chosen than to
// the row itself, for then a walk reaches it through that one. What remains points in different
// directions and crosses the gaps between clusters. Equal candidates are taken by slot.
//
// Thread-safety: a Chooser belongs to one thread. Cost: O(candidates * chosen) similarities at worst,
// usually far fewer, since most candidates fall at one of the first rows chosen.
// Source: Malkov and Yashunin as in links.h, algorithm 4.
#pragma once

#include <span>
#include <vector>

#include "scrubjay/index/vectors.h"

namespace scrubjay::index::hnsw {

struct Candidate {
    float similarity;  // To the row that chooses.
    Slot slot;
};

class Chooser {
  public:
    explicit Chooser(const Vectors& vectors) : vectors_(&vectors) {}

    // Sorts the candidates and returns the chosen ones, best first, at most `room`. The first `kept`
    // candidates are chosen in any case, in their order. REQUIRES distinct candidates, none the
    // row itself, kept <= room. The result is valid until the next call.
    std::span<const Slot> choose(std::span<Candidate> candidates, std::size_t room,
                                 std::size_t kept = 0);

  private:
    [[nodiscard]] bool in_shadow(const Candidate& candidate);

    const Vectors* vectors_;
    RowQuery row_;
    std::vector<Slot> chosen_;
};

}  // namespace scrubjay::index::hnsw
