// The rows of a table in blocks of like priors: where rows of high prior are, for any weights and any
// instant.
//
// Composite search must look at every row whose prior is high enough to win. A list sorted by prior
// would answer that for one set of weights at one instant. Here the rows are put into blocks of up to
// 64 whose columns are alike, and a block remembers the least lambda, the newest last use, the largest
// salience, ln(1 + f) and gain of its rows. The prior kernel, given these as if they were a row, yields
// an upper bound of the prior of every row of the block, because the prior falls with lambda and age
// and rises with the rest. 100,000 rows are 1,600 bounds: 2 us for each query, nothing to cache.
//
// "Newest last use" is sharpened by an anchor, an instant at which nearly every row had been used for
// the last time. From then on a row that has faded to R fades no slower than the least lambda, so the
// block counts as one row of that lambda last used when it would have R at the anchor. Without this, an
// old row that fades slowly and a new row that fades fast would look like one that is new and fades
// slowly. Before the anchor, the plain newest use is taken.
//
// Blocks are made by halving the rows again and again, across the column that spreads the prior most
// under the default weights. A changed row leaves its block and joins the fresh ones, up to eight blocks
// of whatever comes; full, they are halved in the same way. When one row in sixteen has moved, all are
// blocked anew. The writer does all this; readers find everything in place.
//
// Rows of the quarter to half of the blocks that promise most, under the default weights now or when all
// has faded, are sketched as well (sketches.h): a search then reads few of them.
//
// Invariants
//   1. Every row inserted and not erased stands in exactly one block.
//   2. For every row of a block, every weight and instant: prior(row) <= bound(block), as floats.
//   3. Blocks are a function of the calls made, the same on every machine.
//
// Thread-safety: const calls may run together; anything else needs the owner's lock.
// Cost: rebuild O(n log n), about 80 ms per 100,000 rows; insert, erase and touch O(1); settle O(1) for
// each of them, amortised. Memory: about 9 bytes a row, and 10 to
// 20 for sketches of 256 dimensions.
// Source: DESIGN section 5; Bentley, Multidimensional binary search trees used for associative
// searching, CACM 18, 1975, for the halving.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/aligned.h"
#include "scrubjay/index/sketches.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"
#include "scrubjay/kernels/dispatch.h"
#include "scrubjay/kernels/tile.h"

namespace scrubjay::index {

class PriorBlocks {
  public:
    // A block's number; it may hold no row.
    using Block = std::uint32_t;

    explicit PriorBlocks(kernels::Isa isa = kernels::active_isa()) : isa_(isa) {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t blocks() const noexcept { return count_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
    [[nodiscard]] bool contains(Slot slot) const noexcept {
        return slot < place_.size() && place_[slot] != 0;
    }

    // The rows of a block, at most kTileRows.
    [[nodiscard]] std::span<const Slot> rows(Block block) const noexcept {
        return {rows_.data() + std::size_t{block} * kTileRows, count_[block]};
    }

    // The largest gain of its rows.
    [[nodiscard]] float gain(Block block) const noexcept { return gain_[block]; }

    // Whether the rows of a block have sketches, and the bounds that these give of their cosines, in the
    // order of rows(); up to kTileRows are written. REQUIRES sketched(block), a query from prepare().
    [[nodiscard]] bool sketched(Block block) const noexcept { return tile_[block] != kNoTile; }
    [[nodiscard]] SketchQuery prepare(std::span<const float> unit) const {
        return sketches_.prepare(unit);
    }
    void sketch_bounds(const SketchQuery& query, Block block, float* out) const noexcept {
        sketches_.bounds(query, tile_[block], out);
    }

    // Writes the bound of each block, blocks() of them up to the next multiple of kTileRows.
    void bounds(const kernels::TileTable& kernels, const kernels::TileWeights& weights,
                std::vector<float>& out) const;

    // Blocks all live rows of the table, whatever was there. Throws std::bad_alloc and what poll
    // throws, and is then to be thrown away. To keep readers going, rebuild another one beside them and swap.
    void rebuild(const Table& table, const Vectors& vectors, const Poll& poll = {});

    // Whether they are what a rebuild would make.
    [[nodiscard]] bool untouched() const noexcept { return moved_ == 0; }

    // Whether so many rows have moved that bounds have become loose.
    [[nodiscard]] bool wants_rebuild() const noexcept;

    // Room for rows in `slots` slots and for `moves` calls of insert and touch, which then cannot fail.
    void reserve(std::size_t slots, std::size_t moves);

    // A row has come; its columns are in place. REQUIRES not contained, slot within reserve().
    void insert(const Table& table, Slot slot) noexcept;

    // A row goes. REQUIRES contained.
    void erase(Slot slot) noexcept;

    // A row's columns or its vector have changed. REQUIRES contained.
    void touch(const Table& table, Slot slot) noexcept;

    // To be called after some hundred inserts and touches: halves the fresh blocks if they are many.
    // When memory is short, std::bad_alloc leaves the blocks as they were: right, only loose.
    void settle(const Table& table, const Vectors& vectors);

  private:
    // A row while blocks are made: what it adds to the default score now, later, and always.
    struct Point {
        std::array<float, 5> at;
        Slot slot;
    };

    [[nodiscard]] std::vector<Point> points_of(const Columns& columns,
                                               const std::vector<Slot>& slots);
    Block open_block() noexcept;
    void empty_block(Block block) noexcept;
    void put(Block block, Slot slot) noexcept;
    void widen(const Columns& columns, Block block, Slot slot) noexcept;
    void sharpen(const Columns& columns, Block block, Micros anchor_us) noexcept;
    void halve(const Columns& columns, std::span<Point> points, Micros anchor_us) noexcept;
    void sketch(const Vectors& vectors, Block block) noexcept;
    void sketch_best(const Vectors& vectors, const Poll& poll);

    static constexpr Sketches::Tile kNoTile = ~Sketches::Tile{0};

    kernels::Isa isa_;
    Micros anchor_us_ = -kLatestUs;
    std::size_t size_ = 0;
    std::size_t room_ = 0;               // Blocks that fit without taking memory.
    std::size_t moved_ = 0;              // Rows inserted, erased or touched since the last rebuild.
    AlignedArray<Slot> rows_;            // kTileRows places a block.
    AlignedArray<std::uint32_t> place_;  // By slot: 1 + its place in rows_, 0 for none.
    std::vector<std::uint8_t> count_;    // By block, like the following.
    std::vector<std::uint8_t> is_fresh_;
    std::vector<Sketches::Tile> tile_;
    AlignedArray<float> lambda_per_s_;
    AlignedArray<Micros> last_us_;      // Newest use.
    AlignedArray<Micros> anchored_us_;  // The same sharpened; valid from the anchor on.
    AlignedArray<float> salience_;
    AlignedArray<float> log_frequency_;
    AlignedArray<float> gain_;
    Sketches sketches_;
    std::vector<Sketches::Tile> unused_tiles_;
    std::vector<Block> unused_;
    std::vector<Block> fresh_;
};

}  // namespace scrubjay::index
