// The rows of one tenant as the core sees them: a struct of arrays, one column per property.
//
// A row lives in a slot. Slots are internal: a removed row's slot is reused, its key never is, and
// nothing outside ever sees a slot. Every column has one element per slot, in tiles of 64, so that a
// scan reads whole tiles and one 64-bit word says which of them exist.
//
// Invariants
//   1. slots() is a multiple of 64; every column has slots() elements.
//   2. Bit s of the occupancy words is set exactly when the map leads some key to slot s, and then
//      key[s] is that key.
//   3. lambda_per_s and log_frequency always equal ln 2 / half-life and ln(1 + frequency), rounded
//      to float from double; lambda is exactly 0 for kForeverUs.
//   4. Every column of a free slot is zero: nothing of a removed row remains.
//   5. Slots from used_ on were never claimed. Of the other free slots the free list holds those that
//      may be claimed again, once each; the rest are parked: released, but something of the owner's
//      still leads to them.
//
// Thread-safety: const calls may run together; anything else needs the owner's lock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/base/types.h"
#include "scrubjay/index/aligned.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/slot_map.h"
#include "scrubjay/kernels/decay.h"
#include "scrubjay/kernels/tile.h"

namespace scrubjay::index {

using kernels::kForeverUs;
using kernels::kTileRows;

// Instants lie within 2^61 us (73,000 years) of the epoch, so that their differences cannot wrap.
inline constexpr Micros kLatestUs = Micros{1} << 61;

// kind, category, state and plane are small codes: a set of them is one 64-bit mask.
inline constexpr unsigned kCodes = 64;

// Values for n rows, in the order of `keys`. An empty span means "not given".
struct RowBatch {
    std::span<const RowId> keys;
    std::span<const float> vectors;  // (n, dim), row-major
    std::span<const std::uint32_t> scope;
    std::span<const std::uint8_t> kind;
    std::span<const std::uint8_t> category;
    std::span<const std::uint8_t> state;
    std::span<const std::uint8_t> authority;
    std::span<const std::uint8_t> plane;
    std::span<const std::uint8_t> flags;
    std::span<const float> quality;
    std::span<const float> salience;
    std::span<const std::uint32_t> frequency;
    std::span<const Micros> half_life_us;
    std::span<const Micros> last_us;
    std::span<const Micros> event_us;
    std::span<const float> gain;
};

struct Columns {
    AlignedArray<RowId> key;
    AlignedArray<std::uint32_t> scope;
    AlignedArray<std::uint8_t> kind;
    AlignedArray<std::uint8_t> category;
    AlignedArray<std::uint8_t> state;
    AlignedArray<std::uint8_t> authority;
    AlignedArray<std::uint8_t> plane;
    AlignedArray<std::uint8_t> flags;
    AlignedArray<float> quality;
    AlignedArray<float> salience;
    AlignedArray<std::uint32_t> frequency;
    AlignedArray<Micros> half_life_us;
    AlignedArray<Micros> last_us;
    AlignedArray<Micros> event_us;
    AlignedArray<float> gain;
    AlignedArray<float> lambda_per_s;
    AlignedArray<float> log_frequency;
};

// Calls visit(name, member of RowBatch, member of Columns) for each column a caller can give.
template <class Visit>
void visit_columns(Visit&& visit) {
    visit("scope", &RowBatch::scope, &Columns::scope);
    visit("kind", &RowBatch::kind, &Columns::kind);
    visit("category", &RowBatch::category, &Columns::category);
    visit("state", &RowBatch::state, &Columns::state);
    visit("authority", &RowBatch::authority, &Columns::authority);
    visit("plane", &RowBatch::plane, &Columns::plane);
    visit("flags", &RowBatch::flags, &Columns::flags);
    visit("quality", &RowBatch::quality, &Columns::quality);
    visit("salience", &RowBatch::salience, &Columns::salience);
    visit("frequency", &RowBatch::frequency, &Columns::frequency);
    visit("half_life_us", &RowBatch::half_life_us, &Columns::half_life_us);
    visit("last_us", &RowBatch::last_us, &Columns::last_us);
    visit("event_us", &RowBatch::event_us, &Columns::event_us);
    visit("gain", &RowBatch::gain, &Columns::gain);
}

// A moment in the life of a table, by equality alone; 0 is none.
using TableVersion = std::uint64_t;

class Table {
  public:
    [[nodiscard]] std::size_t live() const noexcept { return keys_.size(); }
    [[nodiscard]] std::size_t slots() const noexcept { return columns_.key.size(); }
    [[nodiscard]] std::size_t tiles() const noexcept { return occupied_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
    // Bytes of the columns that an unfiltered scan reads: four of the prior, and the gain.
    [[nodiscard]] std::size_t scanned_bytes() const noexcept {
        return slots() * (4 * sizeof(float) + sizeof(Micros));
    }
    [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
    [[nodiscard]] std::span<const std::uint64_t> occupied() const noexcept {
        return {occupied_.data(), occupied_.size()};
    }

    // Changes whenever the rows there are or a column that filters read may have changed; no two
    // tables ever have the same version, unless one was moved from the other. Uses do not count, nor
    // does room for more rows.
    [[nodiscard]] TableVersion version() const noexcept { return version_; }

    // The slot of key, or kNoSlot.
    [[nodiscard]] Slot find(RowId key) const noexcept {
        return keys_.find(key, columns_.key.data());
    }

    // Slots for that many more rows, so that claiming them cannot fail. Throws
    // Error(capacity_exceeded) beyond 2^32 - 64 slots. REQUIRES no readers.
    void reserve_for(std::size_t more);

    // The same beside readers, in two steps that the owner publishes one after the other: memory,
    // then slots() as slots_for says. The second cannot fail.
    [[nodiscard]] std::size_t slots_for(std::size_t more) const;
    void stage_room(std::size_t more, Growth& growth);
    void stage_slots(std::size_t more, Growth& growth);

    // The slot for a new key: the one recycled last, else the next unused. REQUIRES key is absent.
    Slot claim(RowId key);

    // Room to recycle that many slots more than are free or parked now.
    void stage_release(std::size_t rows, Growth& growth);

    // The slots that as many claims would give, in their order. REQUIRES slots() has room for them.
    [[nodiscard]] std::vector<Slot> preview(std::size_t claims) const;

    // Gives a known key the next slot, columns and all, and returns its old one, parked.
    // REQUIRES key is present, and room as for claim.
    Slot relocate(RowId key);

    // Removes key, clears the columns of its slot and returns the slot, which is parked from now on:
    // no key gets it before recycle. REQUIRES key is present.
    Slot release(RowId key) noexcept;

    // Hands parked slots to future keys; the last of the list is claimed first.
    // REQUIRES parked slots, each once. Cannot fail after stage_release for them.
    void recycle(std::span<const Slot> slots) noexcept;

    // Gives back the spare capacity of every array; slots stay where they are.
    void stage_shrink(Growth& growth);

    // The slots of all rows, ascending.
    [[nodiscard]] std::vector<Slot> live_slots() const;

    // Another table of all rows, in the order of their slots, without free slots between them or
    // room for more. Throws std::bad_alloc and what poll throws.
    [[nodiscard]] Table packed(const Poll& poll) const;

    // Bytes of one row's columns, without its part of key map, occupancy and free list.
    [[nodiscard]] static std::size_t row_bytes() noexcept;

    // How many slots are parked.
    [[nodiscard]] std::size_t parked() const noexcept { return used_ - live() - free_.size(); }

    // Writes what row i of the batch gives into a slot, derived columns included.
    void write(Slot slot, const RowBatch& batch, std::size_t i) noexcept;

    // last = max(last, now_us); frequency += count, stopping at its largest value.
    void reinforce(Slot slot, Micros now_us, std::uint32_t count) noexcept;

    // Calls visit(name, array or scalar) for all that a snapshot keeps; see index/archive.h.
    template <class Visit>
    void visit_state(Visit&& visit) {
        state(*this, visit);
    }
    template <class Visit>
    void visit_state(Visit&& visit) const {
        state(*this, visit);
    }

    // Checks every invariant of a state that was read, and derives the key map and the derived
    // columns from it. Throws Error(corruption), naming the array; the table is then of no use. `where` begins
    // the message.
    void restore(const std::string& where);

  private:
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        visit("table.used", self.used_);
        visit("table.free", self.free_);
        visit("table.occupied", self.occupied_);
        visit("table.key", self.columns_.key);
        visit_columns([&](const char* name, auto /*given*/, auto column) {
            visit(std::string("table.") + name, self.columns_.*column);
        });
    }

    template <class Each>
    void each_column(Each each);
    void require_columns(const std::string& where) const;
    void derive_all(const std::string& where);
    void derive(Slot slot) noexcept;
    [[nodiscard]] SlotMap mapped(std::size_t rows) const;
    static TableVersion next_version() noexcept;

    Columns columns_;
    SlotMap keys_;
    AlignedArray<std::uint64_t> occupied_;
    AlignedArray<Slot> free_;  // The one recycled last stands last.
    Slot used_ = 0;
    TableVersion version_ = next_version();
};

// Refuses a batch whose given columns differ in length from its keys or hold a value outside the
// column's range; `fn` begins the message. Throws Error(shape_mismatch | unit_out_of_range), naming
// column and first bad index. Vectors are checked by Vectors.
void refuse_bad_columns(const char* fn, const RowBatch& batch);

// Refuses an instant beyond kLatestUs in either direction.
void refuse_bad_instant(const char* fn, const char* name, Micros instant);

}  // namespace scrubjay::index
