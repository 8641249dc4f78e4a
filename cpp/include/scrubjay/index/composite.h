// The composite score of a row, its terms, and when an answer by it is proved.
//
//     S = w_r gain cosine + ((w_t e^(-lambda age) + w_s salience) + w_f uses)
//     uses = ln(1 + f), or min(1, ln(1 + f) / ln(1 + F)) for the saturating form
//
// The prior is S without its first term. All of it is float arithmetic in the order written (see
// kernels/tile.h), and the four contributions of a hit add up to its score exactly in that order.
//
// The best k by S are not the best k by cosine. An exhaustive scan scores every matching row, so its
// answer is certified. A search that has seen only some rows may stop when no unseen row can reach
// the k-th score, that is when  w_r gain_max sim_unseen + prior_unseen <= S_k;  it is certified if
// sim_unseen is proved (see Frontier in port.h), else the bound is merely met.
//
// Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scrubjay/index/table.h"
#include "scrubjay/kernels/tile.h"

namespace scrubjay::index {

struct Weights {
    float relevance = 0.5F;
    float recency = 0.2F;
    float salience = 0.2F;
    float frequency = 0.1F;
};

// Throws Error(unit_out_of_range) unless all are >= 0 and their sum is 1 within 1e-5.
void refuse_bad_weights(const char* fn, const Weights& weights);

// The tile kernels' form of weights, instant and frequency law. `ceiling` is F, for the saturating
// form. REQUIRES ceiling >= 1 where given.
[[nodiscard]] kernels::TileWeights tile_weights(const Weights& weights, Micros now_us,
                                                std::optional<std::uint32_t> ceiling) noexcept;

struct Hit {
    RowId key = 0;
    float score = 0.0F;
    float relevance = 0.0F;  // Contributions, weighted.
    float recency = 0.0F;
    float salience = 0.0F;
    float frequency = 0.0F;
    float similarity = 0.0F;  // gain * cosine, without its weight.
};

// The way an answer was found, see planner.h.
enum class Route : std::uint8_t { scan, matches, walk, two_hop, composite };

// "scan", "matches", and so on.
[[nodiscard]] const char* name_of(Route route) noexcept;

struct Answer {
    std::vector<Hit> hits;    // Best first; equal scores by ascending key.
    std::size_t matched = 0;  // Rows that passed the filter; estimated where not all were read.
    std::size_t live = 0;     // Rows there are.
    bool certified = false;   // Proved to equal the answer of scoring every matching row.
    bool bound_met = false;   // No unseen row could enter if the source's frontier is right.
    Route route = Route::scan;
};

// Fills the terms of the hits in `slots` from their cosines; bit-equal to what the scan scored.
// REQUIRES equal lengths.
[[nodiscard]] std::vector<Hit> explain(const Table& table, const kernels::TileTable& kernels,
                                       const Weights& weights, const kernels::TileWeights& prior,
                                       std::span<const Slot> slots, std::span<const float> cosines);

}  // namespace scrubjay::index
