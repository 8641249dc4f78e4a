// Ownership, validation and order of publishing.
#include "scrubjay/index/retention_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/scan.h"

namespace scrubjay::index {
namespace {

// Readers wait while rows are made visible, so a publish writes at most so many, and so many bytes.
constexpr std::size_t kRowsPerPublish = 256;
constexpr std::size_t kBytesPerPublish = std::size_t{512} << 10U;

IndexOptions checked(const IndexOptions& options) {
    if (options.dim < 1 || options.dim > kernels::kMaxDim) {
        throw Error(Errc::unit_out_of_range, "Index: dim is out of range, got " +
                                                 std::to_string(options.dim) + ", expected 1 to " +
                                                 std::to_string(kernels::kMaxDim));
    }
    if (options.frequency_ceiling && *options.frequency_ceiling == 0) {
        throw Error(Errc::unit_out_of_range,
                    "Index: frequency_ceiling is out of range, got 0, expected at least 1");
    }
    if (lacks_originals(options)) {
        throw Error(Errc::invalid_argument,
                    "Index: metric l2 needs the originals of small rows, got keep_originals=False, "
                    "expected keep_originals=True or storage 'f32'");
    }
    return options;
}

std::string key_at(const char* fn, std::size_t i) {
    return std::string(fn) + ": keys[" + std::to_string(i) + "]";
}

void refuse_repeated(const char* fn, std::span<const RowId> keys) {
    KeyMap seen;
    seen.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (seen.find(keys[i]) != kNoSlot) {
            throw Error(Errc::conflict, key_at(fn, i) + " stands twice in one batch, got " +
                                            std::to_string(keys[i]) + ", expected distinct keys");
        }
        seen.insert(keys[i], 0);
    }
}

void refuse_known(const char* fn, const Table& table, std::span<const RowId> keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (table.find(keys[i]) != kNoSlot) {
            throw Error(Errc::conflict,
                        key_at(fn, i) + " is already present, got " + std::to_string(keys[i]) +
                            ", expected a new key; pass replace=True or call update");
        }
    }
}

// Vectors put into slots that nobody claimed yet; cleared again unless they are kept.
class PlacedRows {
  public:
    PlacedRows(const ReadGate::Turn& turn, Vectors& vectors, std::span<const Slot> slots,
               const Vectors& staged)
        : turn_(&turn), vectors_(&vectors), slots_(slots) {
        const ReadGate::Publish publish(turn);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            vectors.copy_row(slots[i], staged, static_cast<Slot>(i));
        }
    }
    ~PlacedRows() {
        if (!kept_) {
            const ReadGate::Publish publish(*turn_);
            for (const Slot slot : slots_) {
                vectors_->clear(slot);
            }
        }
    }
    PlacedRows(const PlacedRows&) = delete;
    PlacedRows& operator=(const PlacedRows&) = delete;

    void keep() noexcept { kept_ = true; }

  private:
    const ReadGate::Turn* turn_;
    Vectors* vectors_;
    std::span<const Slot> slots_;
    bool kept_ = false;
};

}  // namespace

std::vector<Slot> require_slots(const char* fn, const Table& table, std::span<const RowId> keys) {
    std::vector<Slot> slots(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        slots[i] = table.find(keys[i]);
        if (slots[i] == kNoSlot) {
            throw Error(Errc::not_found, key_at(fn, i) + " is unknown, got " +
                                             std::to_string(keys[i]) +
                                             ", expected a key of this index; add it first");
        }
    }
    return slots;
}

RetentionIndex::RetentionIndex(const IndexOptions& options)
    : options_(checked(options)),
      kernels_(&kernels::tile_table(options.isa)),
      selector_(&kernels::top_k_table(options.isa)),
      vectors_(empty_rows()),
      exact_below_(options.exact_below ? std::max<std::size_t>(*options.exact_below, 1)
                                       : kGraphBytes / vectors_.scanned_row_bytes() + 1),
      keeper_(options.graph, exact_below_, table_, vectors_),
      priors_(table_, vectors_, options.isa) {
    options_.exact_below =
        exact_below_;  // A file keeps what was settled, not that it was left open.
    take_room("Index", options_.capacity, Growth());
}

Vectors RetentionIndex::empty_rows() const {
    return {options_.dim, options_.storage, options_.keep_originals, options_.isa, options_.metric};
}

std::size_t RetentionIndex::size() const {
    const ReadGate::Read read(gate_);
    return table_.live();
}

std::size_t RetentionIndex::bytes() const {
    const ReadGate::Read read(gate_);
    return table_.bytes() + vectors_.bytes() + keeper_.bytes() + priors_.bytes();
}

bool RetentionIndex::contains(RowId key) const {
    const ReadGate::Read read(gate_);
    return table_.find(key) != kNoSlot;
}

std::vector<RowId> RetentionIndex::keys() const {
    std::vector<RowId> keys;
    {
        const ReadGate::Read read(gate_);
        keys.reserve(table_.live());
        for (std::size_t slot = 0; slot < table_.slots(); ++slot) {
            if (((table_.occupied()[slot / kTileRows] >> (slot % kTileRows)) & 1U) != 0) {
                keys.push_back(table_.columns().key[slot]);
            }
        }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

void RetentionIndex::refuse_bad_batch(const char* fn, const RowBatch& batch, bool allow_zero,
                                      const Poll& poll) const {
    refuse_repeated(fn, batch.keys);
    poll();
    refuse_bad_columns(fn, batch);
    if (!batch.vectors.empty()) {
        refuse_bad_vectors(fn, "vectors", batch.vectors, batch.keys.size(), options_.dim,
                           options_.metric, allow_zero, poll);
    }
}

std::size_t RetentionIndex::rows_per_publish() const noexcept {
    return std::clamp<std::size_t>(kBytesPerPublish / (options_.dim * sizeof(float)), 1,
                                   kRowsPerPublish);
}

// Encodes a piece of the batch beside the readers, then shows it to them; and so on.
template <class SlotOf>
void RetentionIndex::write(const ReadGate::Turn& turn, const RowBatch& batch, const Poll& poll,
                           SlotOf slot_of) {
    const std::size_t n = batch.keys.size();
    const std::size_t dim = options_.dim;
    const std::size_t piece = std::min(n, rows_per_publish());
    const bool vectors = !batch.vectors.empty();
    Vectors staged = empty_rows();
    staged.grow(vectors ? piece : 0);
    for (std::size_t first = 0; first < n; first += piece) {
        const std::size_t count = std::min(piece, n - first);
        for (std::size_t i = 0; vectors && i < count; ++i) {
            staged.set(static_cast<Slot>(i), batch.vectors.subspan((first + i) * dim, dim));
        }
        poll();
        const ReadGate::Publish publish(turn);
        priors_.begin(count);
        for (std::size_t i = 0; i < count; ++i) {
            const Slot slot = slot_of(first + i);
            table_.write(slot, batch, first + i);
            if (vectors) {
                vectors_.copy_row(slot, staged, static_cast<Slot>(i));
            }
            priors_.wrote(slot);
        }
        priors_.end();
    }
}

// With a graph, rows get their links before anybody sees them, and a new vector of a known row is a
// new place: links that lead to the old one would lead astray.
void RetentionIndex::write_linked(const ReadGate::Turn& turn, const RowBatch& batch,
                                  const Poll& poll) {
    const std::size_t n = batch.keys.size();
    const std::size_t dim = options_.dim;
    make_room(turn, n);
    Growth parking(turn);
    table_.stage_release(n, parking);
    parking.publish();
    Workers workers(options_.threads);
    Vectors staged = empty_rows();
    staged.grow(std::min(n, rows_per_publish()));
    for (std::size_t first = 0; first < n;) {
        const std::size_t count = std::min({n - first, rows_per_publish(), keeper_.batch_size()});
        for (std::size_t i = 0; i < count; ++i) {
            staged.set(static_cast<Slot>(i), batch.vectors.subspan((first + i) * dim, dim));
        }
        const std::vector<Slot> slots = table_.preview(count);
        PlacedRows placed(turn, vectors_, slots, staged);
        keeper_.join(turn, slots, workers, poll, [&] {
            priors_.begin(count);
            for (std::size_t i = 0; i < count; ++i) {
                const RowId key = batch.keys[first + i];
                if (table_.find(key) == kNoSlot) {
                    (void)table_.claim(key);
                } else {
                    const Slot before = table_.relocate(key);
                    (void)keeper_.erase({&before, 1});
                    priors_.left(before);
                }
                table_.write(slots[i], batch, first + i);
                priors_.wrote(slots[i]);
            }
            priors_.end();
        });
        placed.keep();
        first += count;
    }
    tend(turn, workers, poll);
}

void RetentionIndex::tend(const ReadGate::Turn& turn, const Poll& poll) {
    Workers workers(options_.threads);
    tend(turn, workers, poll);
}

void RetentionIndex::tend(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    keeper_.tend(turn, workers, poll);
    priors_.tend(turn, keeper_.graph() != nullptr, poll);
}

void RetentionIndex::add(const RowBatch& batch, bool replace, bool allow_zero, const Poll& poll) {
    refuse_bad_batch("Index.add", batch, allow_zero, poll);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    if (!replace) {
        refuse_known("Index.add", table_, batch.keys);
    }
    if (keeper_.graph() != nullptr) {
        write_linked(turn, batch, poll);
        return;
    }
    std::size_t fresh = 0;
    for (const RowId key : batch.keys) {
        fresh += table_.find(key) == kNoSlot ? 1U : 0U;
    }
    make_room(turn, fresh);
    write(turn, batch, poll, [&](std::size_t i) {
        const Slot known = table_.find(batch.keys[i]);
        return known != kNoSlot ? known : table_.claim(batch.keys[i]);
    });
    tend(turn, poll);
}

void RetentionIndex::update(const RowBatch& batch, bool allow_zero, const Poll& poll) {
    refuse_bad_batch("Index.update", batch, allow_zero, poll);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    const std::vector<Slot> slots = require_slots("Index.update", table_, batch.keys);
    if (keeper_.graph() != nullptr && !batch.vectors.empty()) {
        write_linked(turn, batch, poll);
        return;
    }
    write(turn, batch, poll, [&](std::size_t i) { return slots[i]; });
    tend(turn, poll);
}

void RetentionIndex::reinforce(std::span<const RowId> keys, Micros now_us, std::uint32_t count,
                               const Poll& poll) {
    refuse_bad_instant("Index.reinforce", "now_us", now_us);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    const std::vector<Slot> slots = require_slots("Index.reinforce", table_, keys);
    for (std::size_t first = 0; first < slots.size(); first += kRowsPerPublish) {
        poll();
        const ReadGate::Publish publish(turn);
        priors_.begin(kRowsPerPublish);
        for (std::size_t i = first; i < std::min(slots.size(), first + kRowsPerPublish); ++i) {
            table_.reinforce(slots[i], now_us, count);
            priors_.wrote(slots[i]);
        }
        priors_.end();
    }
    tend(turn, poll);
}

std::size_t RetentionIndex::remove(std::span<const RowId> keys, bool ignore_missing,
                                   const Poll& poll) {
    refuse_repeated("Index.remove", keys);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    if (!ignore_missing) {
        (void)require_slots("Index.remove", table_, keys);
    }
    Growth growth(turn);
    table_.stage_release(keys.size(), growth);
    growth.publish();
    const std::size_t piece = rows_per_publish();
    std::size_t removed = 0;
    for (std::size_t first = 0; first < keys.size(); first += piece) {
        poll();
        const ReadGate::Publish publish(turn);
        for (const RowId key : keys.subspan(first, std::min(piece, keys.size() - first))) {
            if (table_.find(key) != kNoSlot) {
                const Slot slot = table_.release(key);
                priors_.left(slot);
                if (!keeper_.erase({&slot, 1})) {
                    vectors_.clear(slot);
                    table_.recycle({&slot, 1});
                }
                ++removed;
            }
        }
    }
    tend(turn, poll);
    return removed;
}

}  // namespace scrubjay::index
