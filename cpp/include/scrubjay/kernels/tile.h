// Scores of one tile of table rows: similarity and retention prior, fused.
//
//     prior = (w_t e^(-lambda dt) + w_s salience) + w_f min(ln(1 + f) scale, bound)
//     score = w_r (gain clamp(cosine, -1, 1)) + prior
//
// evaluated in float in exactly this order, never fused, so that every instruction set gives the
// same bits. dt is the age in seconds: max(0, now - last) microseconds, taken as double, times 1e-6,
// rounded to float. A negative age (a clock that stepped back) counts as 0. lambda = 0 gives recency
// 1 exactly; past lambda dt = 80 (115 half-lives, e^-80 = 2e-35) recency is exactly 0. scale and bound are 1 and infinity for the raw frequency term, 1 / ln(1 + F) and 1 for
// the saturating one.
//
// Rounding is monotone, so a cosine that is an upper bound yields a score that is an upper bound of
// the very float the exact cosine would yield. That is what makes skipping a row a proof.
//
// Shapes   every column readable up to the next multiple of 16 rows; out likewise writable.
// Types    f32, instants i64.  Units    instants us, lambda 1/s, cosine and score none.
// REQUIRES finite columns, weights >= 0, count <= kTileRows.
// ENSURES  no NaN; the same bits for a row wherever in a tile it stands.
// Throws   nothing: the index has validated its rows.
// Cost     O(count), no allocation, noexcept. Thread-safety: pure functions.
// Source   DESIGN section 4.
// Spec     tests/reference/flat.py
#pragma once

#include <cstddef>
#include <cstdint>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

// One word of the occupancy bits; four of the sixteen-lane steps.
inline constexpr std::size_t kTileRows = 64;

// -lambda dt below which recency counts as 0.
inline constexpr float kOldest = -80.0F;

struct PriorColumns {
    const float* lambda_per_s;
    const Micros* last_us;
    const float* salience;
    const float* log_frequency;
};

struct TileWeights {
    Micros now_us;
    float recency;
    float salience;
    float frequency;
    float use_scale;
    float use_bound;
};

// What turns the result of a quantised scan into an upper bound of the exact cosine:
// estimate + (per_residual * residual + fixed), see quantise.h. `scale` is for i8 codes only.
struct BoundColumns {
    const float* scale;
    const float* residual;
    float step;
    float per_residual;
    float fixed;
};

struct TileTable {
    void (*prior)(const PriorColumns& rows, const TileWeights& weights, std::size_t count,
                  float* out) noexcept;
    // In place: cosine becomes score.
    void (*fuse)(const float* gain, const float* prior, float w_r, std::size_t count,
                 float* cosine) noexcept;
    // In place: estimate becomes upper bound.
    void (*bound_f16)(const BoundColumns& rows, std::size_t count, float* estimate) noexcept;
    void (*bound_i8)(const BoundColumns& rows, const std::int32_t* dots, std::size_t count,
                     float* out) noexcept;
    // The estimate itself, without its error: what an index without originals scores by.
    void (*estimate_i8)(const BoundColumns& rows, const std::int32_t* dots, std::size_t count,
                        float* out) noexcept;
};

[[nodiscard]] const TileTable& tile_table(Isa isa = active_isa());

}  // namespace scrubjay::kernels
