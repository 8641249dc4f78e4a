// Sketches of rows: one bit a coordinate, enough to tell that a row is nowhere near a query.
//
// A row is turned by a fixed random rotation (two rounds of sign changes and a Hadamard transform), and
// of each coordinate of the turned row only the sign is kept: 32 bytes for 256 dimensions. With s the
// vector of signs divided by its length, c = <row, s>, and the query turned alike,
//
//     <query, row>  =  <query, s> / c + error,     error ~ Normal(0, (1 - c^2) / (c^2 (bits - 1)))
//
// for whatever row and query, because the rotation is random and knows neither; c is about 0.8. The
// upper bound is five standard errors above the estimate, so that a row in three million lies above it.
// It is therefore no proof: searches that certify their answer do not use it.
//
// Rows lie in tiles of 64 as kernels/sketch.h wants them. <query, s> is a sum of table entries, one for
// each four bits; entries are rounded up to bytes, so that rounding only raises the bound.
//
// REQUIRES dim <= kMostSketchedDim; more dimensions are not sketched (supports()).
// Thread-safety: const calls may run together.
// Cost: put O(d log d), 2 us at 256; prepare likewise; bounds 0.15 us for 64 rows of 256 dimensions.
// Memory: 40 bytes a row of 256 dimensions.
// Source: Gao and Long, RaBitQ: quantizing high-dimensional vectors with a theoretical error bound for
// approximate nearest neighbor search, SIGMOD 2024.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scrubjay/index/aligned.h"
#include "scrubjay/kernels/dispatch.h"
#include "scrubjay/kernels/sketch.h"

namespace scrubjay::index {

inline constexpr std::size_t kMostSketchedDim = 4 * kernels::kMostSketchGroups;

// A query ready for all sketches.
struct SketchQuery {
    AlignedArray<std::uint8_t> table;
    float base = 0.0F;  // <query, s> sqrt(bits) is at most base + step * sum.
    float step = 0.0F;
};

class Sketches {
  public:
    using Tile = std::uint32_t;

    explicit Sketches(std::size_t dim = 0, kernels::Isa isa = kernels::active_isa());

    [[nodiscard]] static bool supports(std::size_t dim) noexcept {
        return dim >= 1 && dim <= kMostSketchedDim;
    }
    [[nodiscard]] std::size_t tiles() const noexcept {
        return scale_.size() / kernels::kSketchRows;
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return codes_.bytes() + scale_.bytes() + error_.bytes();
    }

    // Room for that many tiles in all. Throws std::bad_alloc; nothing has changed.
    void grow(std::size_t tiles);

    // Writes the sketch of a row of length 1 (or 0) as row `i` of a tile. REQUIRES unit.size() == dim.
    void put(Tile tile, std::size_t i, std::span<const float> unit) noexcept;

    // Row `from` becomes row `to` of the same tile.
    void move(Tile tile, std::size_t from, std::size_t to) noexcept;

    // REQUIRES a query of length 1.
    [[nodiscard]] SketchQuery prepare(std::span<const float> unit) const;

    // Upper bounds, in the sense above, of the cosines of the 64 rows of a tile.
    void bounds(const SketchQuery& query, Tile tile, float* out) const noexcept;

  private:
    using Turned = std::array<float, kMostSketchedDim>;
    void turn(std::span<const float> unit, Turned& out) const noexcept;

    std::size_t bits_;
    const kernels::SketchTable* kernel_;
    AlignedArray<std::uint8_t> codes_;
    AlignedArray<float> scale_;  // 1 / (c sqrt(bits)), by tile and row.
    AlignedArray<float> error_;  // Five standard errors.
};

}  // namespace scrubjay::index
