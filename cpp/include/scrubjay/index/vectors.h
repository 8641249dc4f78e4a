// The vectors of a table's rows, one per slot, as f32, f16 or i8, under one metric (metric.h).
//
// For cosine rows are normalised on the way in (in double, then rounded), so the cosine is a dot; for
// ip they are kept as given, of length 1 within kUnitTolerance; for l2 the f32 rows are kept as given
// and the small ones normalised, with their lengths beside them. A zero vector is kept as zeros where
// the caller allows it: its cosine with everything is 0. Rows start on cache lines and are padded
// with zeros, which changes no dot and no distance. Names speak of cosines, which under ip and l2
// stands for the similarity of the metric.
//
// Storage f16 and i8 can keep the f32 originals beside the small rows. Then a scan reads only the
// small rows and gets, from the stored quantisation error, an upper bound of the exact cosine; the
// original is read for the few rows whose bound is good enough. Answers are those of the f32 scan,
// at the price of memory for both. Without originals the stored row itself is what is scored.
//
// Under l2 the bound of a small row comes from its bound on the cosine c and both lengths,
//
//     |q - x|^2 = (|q| - |x|)^2 + 2 |q| |x| (1 - c)
//
// less what floats may have lost; the exact look sums squared differences, where nothing cancels.
// Walks steer by minus the squared distance, which tells apart what is very near; similarity_of turns
// that into a similarity.
//
// Invariant: with originals, exact(q, s) <= bound(q, s) for every slot and query, as floats.
//
// Thread-safety: const calls may run together; anything else needs the owner's lock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/aligned.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/key_map.h"
#include "scrubjay/index/metric.h"
#include "scrubjay/kernels/distance.h"
#include "scrubjay/kernels/quantise.h"
#include "scrubjay/kernels/tile.h"

namespace scrubjay::index {

enum class Storage { f32, f16, i8 };

// A query made ready once for all rows: unit length, padded, and in the storage's own form. An
// absent query (no similarity asked for) has cosine 0 with every row.
struct PreparedQuery {
    bool absent = true;
    AlignedArray<float> unit;
    AlignedArray<float> given;  // l2: as it came.
    AlignedArray<std::int16_t> codes;
    kernels::BoundColumns bound{};
    double length = 1.0;  // l2: of what was given.
};

// A query as a walk over a graph reads it: pointers into a PreparedQuery or into a RowQuery.
struct WalkQuery {
    const float* unit = nullptr;          // f32 and f16 rows.
    const std::int16_t* codes = nullptr;  // i8 rows.
    float step = 0.0F;
    double length = 1.0;  // l2 with small rows: what the unit vector stands for, and its square.
    double square = 1.0;
};

// Room for one stored row in the form of a query.
struct RowQuery {
    AlignedArray<float> unit;
    AlignedArray<std::int16_t> codes;
};

class Vectors {
  public:
    // REQUIRES 1 <= dim <= kernels::kMaxDim; originals with l2.
    Vectors(std::size_t dim, Storage storage, bool keep_originals, kernels::Isa isa,
            Metric metric = Metric::cosine);

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] Storage storage() const noexcept { return storage_; }
    [[nodiscard]] Metric metric() const noexcept { return metric_; }
    [[nodiscard]] std::size_t bytes() const noexcept;

    // Bytes of the rows that a scan reads, and of the scales and residuals it reads beside them.
    [[nodiscard]] std::size_t row_bytes() const noexcept;
    [[nodiscard]] std::size_t bound_bytes() const noexcept;
    [[nodiscard]] std::size_t scanned_row_bytes() const noexcept;  // Of one row, padding included.

    // Reads the same rows in the same order and only adds them up: the yardstick of a scan.
    [[nodiscard]] std::uint64_t read_sum() const noexcept;

    // Whether cosines() yields upper bounds rather than the cosines that are scored.
    [[nodiscard]] bool bounds_only() const noexcept {
        return storage_ != Storage::f32 && originals_;
    }

    // Makes room for `slots` rows; new ones are zero. REQUIRES not fewer than before, no readers.
    void grow(std::size_t slots);

    // The same beside readers: first memory, of which large arrays are published one by one so that
    // only one of them exists twice; then the rows, which cannot fail. The owner publishes last.
    void stage_room(std::size_t slots, Growth& growth);
    void stage_slots(std::size_t slots, Growth& growth);
    void stage_shrink(Growth& growth);  // Gives back spare capacity.

    // Bytes of all that one slot takes.
    [[nodiscard]] std::size_t slot_bytes() const noexcept;

    // Puts v into a slot as the metric keeps it. REQUIRES v.size() == dim(), values that
    // refuse_bad_vectors lets pass.
    void set(Slot slot, std::span<const float> v) noexcept;

    // Exchanges all rows with another object of the same form; cannot fail.
    void swap_rows(Vectors& other) noexcept;

    // Takes over a row as another object of the same form has encoded it.
    void copy_row(Slot slot, const Vectors& from, Slot row) noexcept;

    // Makes a row zero again: nothing of a removed row remains.
    void clear(Slot slot) noexcept;

    // The row as stored, dim() floats: the original if kept, else the decoded row.
    void read(Slot slot, std::span<float> out) const noexcept;

    // REQUIRES query.size() == dim(), values that refuse_bad_vectors lets pass.
    [[nodiscard]] PreparedQuery prepare(std::span<const float> query) const;

    // Cosine (or its upper bound, see bounds_only) of up to kTileRows neighbouring slots, or of
    // listed ones. `out` is written up to the next multiple of sixteen. REQUIRES count <= kTileRows.
    void cosines(const PreparedQuery& query, Slot first, std::size_t count,
                 float* out) const noexcept;
    void cosines_at(const PreparedQuery& query, const Slot* slots, std::size_t count,
                    float* out) const noexcept;

    // The query as a walk reads it. REQUIRES a query that is not absent, and outlives the result.
    [[nodiscard]] WalkQuery walk_query(const PreparedQuery& query) const noexcept;

    // A stored row as a query; `room` holds what has to be decoded and outlives the result.
    [[nodiscard]] WalkQuery row_query(Slot slot, RowQuery& room) const;

    // Cosines as the small rows give them, without bounds, or minus squared distances: what a walk
    // steers by. Symmetric between
    // rows: similarities(row_query(a), {b}) == similarities(row_query(b), {a}).
    void similarities(const WalkQuery& query, const Slot* slots, std::size_t count,
                      float* out) const noexcept;

    // Orders rows by all that similarities() reads of them: 0 where it cannot tell two apart.
    [[nodiscard]] int compare_rows(Slot a, Slot b) const noexcept;

    // What is scored, as far as the small rows tell, for what a walk steered by.
    [[nodiscard]] float similarity_of(float steered) const noexcept;

    // How similar a row may be that a walk ranks behind this one. Under l2 with small rows the bound of
    // this row, since near the query their rounding moves similarities by more than neighbours differ;
    // else -1: what the walk steered by is good enough. REQUIRES a query that is not absent.
    [[nodiscard]] float reach(const PreparedQuery& query, Slot slot) const noexcept;

    // Asks for the first lines of a row that similarities() reads.
    void fetch_row(Slot slot) const noexcept;

    // The exact cosines of listed slots, see exact(). REQUIRES a query that is not absent.
    void exact_at(const PreparedQuery& query, const Slot* slots, std::size_t count,
                  float* out) const noexcept;

    // Asks for the scales and residuals of the tile that begins at a slot.
    void fetch_bounds(std::size_t first) const noexcept;

    // The cosine that is scored, not clamped.
    [[nodiscard]] float exact(const PreparedQuery& query, Slot slot) const noexcept;

    // Calls visit(name, array) for all that a snapshot keeps; see index/archive.h.
    template <class Visit>
    void visit_state(Visit&& visit) {
        state(*this, visit);
    }
    template <class Visit>
    void visit_state(Visit&& visit) const {
        state(*this, visit);
    }

    // Checks a state that was read: arrays of that many slots and, with `rows`, every number in the
    // range that set() leaves. Throws Error(corruption), naming the array.
    void restore(const std::string& where, std::size_t slots, bool rows) const;

  private:
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        visit("vectors.f32", self.f32_);
        visit("vectors.f16", self.f16_);
        visit("vectors.i8", self.i8_);
        visit("vectors.scale", self.scale_);
        visit("vectors.residual", self.residual_);
        if (self.measured()) {
            visit("vectors.length", self.length_);
            visit("vectors.square", self.square_);
        }
    }

    template <class Each>
    void each_array(Each each);
    [[nodiscard]] static std::size_t stride_of(Storage storage, std::size_t dim) noexcept;
    // Whether small rows have their lengths beside them.
    [[nodiscard]] bool measured() const noexcept {
        return metric_ == Metric::l2 && storage_ != Storage::f32;
    }
    void put_unit(std::span<const float> v, float* out) const noexcept;
    [[nodiscard]] double decoded_square(Slot slot) const noexcept;
    [[nodiscard]] float most_close(const PreparedQuery& query, float cosine,
                                   float length) const noexcept;
    void steer(const WalkQuery& query, const Slot* slots, std::size_t count,
               float* out) const noexcept;
    void refine(const PreparedQuery& query, const float* scale, const float* residual,
                const std::int32_t* dots, std::size_t count, float* out) const noexcept;

    std::size_t dim_;
    Metric metric_;
    Storage storage_;
    bool originals_;
    std::size_t stride_;      // Elements between rows of the scanned storage.
    std::size_t f32_stride_;  // Elements between f32 rows.
    const kernels::DistanceTable* distance_;
    const kernels::TileTable* tile_;
    AlignedArray<float> f32_;
    AlignedArray<Half> f16_;
    AlignedArray<std::int8_t> i8_;
    AlignedArray<float> scale_;     // i8 only.
    AlignedArray<float> residual_;  // f16 and i8.
    AlignedArray<float> length_;    // measured() only: of the row as given.
    AlignedArray<float> square_;    // The same of the decoded row, squared.
    std::vector<float> unit_;       // Scratch of set().
};

// Refuses vectors whose length is not rows * dim, or that hold a NaN or infinity, or a zero vector
// unless those are allowed or the metric is l2; under ip a row whose length is not 1, under l2 one that
// is longer than kMostLength. `fn` begins the message, `arg` names the argument.
// Throws Error(shape_mismatch | unit_out_of_range), naming row and column.
void refuse_bad_vectors(const char* fn, const char* arg, std::span<const float> vectors,
                        std::size_t rows, std::size_t dim, Metric metric, bool allow_zero,
                        const Poll& poll = {});

}  // namespace scrubjay::index
