// Ownership, validation and locking of the exact index.
#include "scrubjay/index/flat.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/room.h"
#include "scrubjay/index/scan.h"

namespace scrubjay::index {
namespace {

// Queries scored per pass: their unit vectors fit in the first-level cache at 256 dimensions.
constexpr std::size_t kQueriesPerPass = 16;

// Readers wait while rows are made visible, so a publish writes at most so many, and so many bytes.
constexpr std::size_t kRowsPerPublish = 256;
constexpr std::size_t kBytesPerPublish = std::size_t{512} << 10U;

// Multiplications from which on a batch of queries is worth the start of a second thread.
constexpr std::size_t kWorthThreads = std::size_t{4} << 20U;

// Tiles between two questions to a Poll: some tenths of a millisecond.
constexpr std::size_t kTilesPerPoll = 64;

FlatOptions checked(const FlatOptions& options) {
    if (options.dim < 1 || options.dim > kernels::kMaxDim) {
        throw Error(Errc::unit_out_of_range, "Index: dim is out of range, got " +
                                                 std::to_string(options.dim) + ", expected 1 to " +
                                                 std::to_string(kernels::kMaxDim));
    }
    if (options.frequency_ceiling && *options.frequency_ceiling == 0) {
        throw Error(Errc::unit_out_of_range,
                    "Index: frequency_ceiling is out of range, got 0, expected at least 1");
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

void refuse_bad_search(const char* fn, const SearchOptions& options, const Predicate& where) {
    if (options.k == 0) {
        throw Error(Errc::unit_out_of_range,
                    std::string(fn) + ": k is too small, got 0, expected at least 1");
    }
    refuse_bad_weights(fn, options.weights);
    refuse_bad_instant(fn, "now_us", options.now_us);
    if (!std::isfinite(where.quality_min)) {
        throw Error(Errc::unit_out_of_range, std::string(fn) + ": quality_min is not finite, got " +
                                                 std::to_string(where.quality_min) +
                                                 ", expected a number");
    }
}

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

FlatIndex::FlatIndex(const FlatOptions& options)
    : options_(checked(options)),
      kernels_(&kernels::tile_table(options.isa)),
      selector_(&kernels::top_k_table(options.isa)),
      vectors_(options.dim, options.storage, options.keep_originals, options.isa) {
    refuse_beyond_memory("Index", options_.capacity, Table::row_bytes() + vectors_.slot_bytes());
    table_.reserve(options_.capacity);
    vectors_.reserve(table_.slots_for(options_.capacity));
}

std::size_t FlatIndex::size() const {
    const ReadGate::Read read(gate_);
    return table_.live();
}

std::size_t FlatIndex::bytes() const {
    const ReadGate::Read read(gate_);
    return table_.bytes() + vectors_.bytes();
}

bool FlatIndex::contains(RowId key) const {
    const ReadGate::Read read(gate_);
    return table_.find(key) != kNoSlot;
}

std::vector<RowId> FlatIndex::keys() const {
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

void FlatIndex::refuse_bad_batch(const char* fn, const RowBatch& batch, bool allow_zero,
                                 const Poll& poll) const {
    refuse_repeated(fn, batch.keys);
    poll();
    refuse_bad_columns(fn, batch);
    if (!batch.vectors.empty()) {
        refuse_bad_vectors(fn, "vectors", batch.vectors, batch.keys.size(), options_.dim,
                           allow_zero, poll);
    }
}

// All memory is taken before the first row is written, so running out of it changes nothing.
void FlatIndex::make_room(const ReadGate::Turn& turn, std::size_t fresh) {
    Growth growth(turn);
    const std::size_t slots = table_.slots_for(fresh);
    vectors_.stage_room(slots, growth);
    table_.stage_room(fresh, growth);
    growth.publish();
    vectors_.stage_slots(slots, growth);
    table_.stage_slots(fresh, growth);
    growth.publish();
}

std::size_t FlatIndex::rows_per_publish() const noexcept {
    return std::clamp<std::size_t>(kBytesPerPublish / (options_.dim * sizeof(float)), 1,
                                   kRowsPerPublish);
}

// Encodes a piece of the batch beside the readers, then shows it to them; and so on.
template <class SlotOf>
void FlatIndex::write(const ReadGate::Turn& turn, const RowBatch& batch, const Poll& poll,
                      SlotOf slot_of) {
    const std::size_t n = batch.keys.size();
    const std::size_t dim = options_.dim;
    const std::size_t piece = std::min(n, rows_per_publish());
    const bool vectors = !batch.vectors.empty();
    Vectors staged(dim, options_.storage, options_.keep_originals, options_.isa);
    staged.grow(vectors ? piece : 0);
    for (std::size_t first = 0; first < n; first += piece) {
        const std::size_t count = std::min(piece, n - first);
        for (std::size_t i = 0; vectors && i < count; ++i) {
            staged.set(static_cast<Slot>(i), batch.vectors.subspan((first + i) * dim, dim));
        }
        poll();
        const ReadGate::Publish publish(turn);
        for (std::size_t i = 0; i < count; ++i) {
            const Slot slot = slot_of(first + i);
            table_.write(slot, batch, first + i);
            if (vectors) {
                vectors_.copy_row(slot, staged, static_cast<Slot>(i));
            }
        }
    }
}

void FlatIndex::add(const RowBatch& batch, bool replace, bool allow_zero, const Poll& poll) {
    refuse_bad_batch("Index.add", batch, allow_zero, poll);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    if (!replace) {
        refuse_known("Index.add", table_, batch.keys);
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
}

void FlatIndex::update(const RowBatch& batch, bool allow_zero, const Poll& poll) {
    refuse_bad_batch("Index.update", batch, allow_zero, poll);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    const std::vector<Slot> slots = require_slots("Index.update", table_, batch.keys);
    write(turn, batch, poll, [&](std::size_t i) { return slots[i]; });
}

void FlatIndex::reinforce(std::span<const RowId> keys, Micros now_us, std::uint32_t count,
                          const Poll& poll) {
    refuse_bad_instant("Index.reinforce", "now_us", now_us);
    const ReadGate::Turn turn(gate_, poll);
    thaw();
    const std::vector<Slot> slots = require_slots("Index.reinforce", table_, keys);
    for (std::size_t first = 0; first < slots.size(); first += kRowsPerPublish) {
        poll();
        const ReadGate::Publish publish(turn);
        for (std::size_t i = first; i < std::min(slots.size(), first + kRowsPerPublish); ++i) {
            table_.reinforce(slots[i], now_us, count);
        }
    }
}

std::size_t FlatIndex::remove(std::span<const RowId> keys, bool ignore_missing, const Poll& poll) {
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
                vectors_.clear(slot);
                table_.recycle({&slot, 1});
                ++removed;
            }
        }
    }
    return removed;
}

std::size_t FlatIndex::threads_for(std::size_t queries) const {
    if (queries == 1 || options_.threads == 1) {
        return 1;
    }
    const ReadGate::Read read(gate_);
    const bool worth = queries * options_.dim * table_.slots() >= kWorthThreads;
    return worth ? options_.threads : 1;
}

std::vector<Answer> FlatIndex::search(std::span<const float> queries, const SearchOptions& options,
                                      const Predicate& where, const Poll& poll) const {
    const char* const fn = "Index.search";
    refuse_bad_search(fn, options, where);
    const std::size_t dim = options_.dim;
    refuse_bad_vectors(fn, "query", queries, queries.size() / dim, dim, false, poll);
    const std::size_t m = queries.empty() ? 1 : queries.size() / dim;
    Workers workers(threads_for(m));
    const std::size_t share = (m + workers.size() - 1) / workers.size();
    const std::size_t group = std::min(share, kQueriesPerPass);
    std::vector<Answer> answers(m);
    workers.run((m + group - 1) / group,
                [&](std::size_t g, std::size_t /*worker*/, const Poll& asked) {
                    const std::size_t first = g * group;
                    const std::size_t count = std::min(group, m - first);
                    search_group(
                        queries.empty() ? queries : queries.subspan(first * dim, count * dim),
                        options, where, std::span(answers).subspan(first, count), asked);
                },
                poll);
    return answers;
}

// One pass for a few queries, and one stay behind the gate: a publish may come between groups.
void FlatIndex::search_group(std::span<const float> queries, const SearchOptions& options,
                             const Predicate& where, std::span<Answer> answers,
                             const Poll& poll) const {
    const std::size_t dim = options_.dim;
    std::vector<PreparedQuery> ready(answers.size());
    for (std::size_t q = 0; q < queries.size() / dim; ++q) {
        ready[q] = vectors_.prepare(queries.subspan(q * dim, dim));
    }
    const ReadGate::Read read(gate_);
    Selection selection(table_, where, options_.isa);
    selection.settle();
    const kernels::TileWeights prior =
        tile_weights(options.weights, options.now_us, options_.frequency_ceiling);
    const ScanJob job{
        table_,    vectors_, selection, *kernels_, *selector_, prior, options.weights.relevance,
        options.k, poll};
    std::vector<Found> found(answers.size());
    const std::size_t matched = scan(job, ready, found);
    for (std::size_t q = 0; q < answers.size(); ++q) {
        answers[q] = {
            explain(table_, *kernels_, options.weights, prior, found[q].slots, found[q].cosines),
            matched, table_.live(), true, true};
    }
}

Similarities FlatIndex::similarity(std::span<const float> query, const Predicate& where,
                                   const Poll& poll) const {
    const char* const fn = "Index.similarity";
    refuse_bad_search(fn, {1, 0, {}}, where);
    refuse_bad_vectors(fn, "query", query, 1, options_.dim, false);
    const PreparedQuery ready = vectors_.prepare(query);
    const ReadGate::Read read(gate_);
    Selection selection(table_, where, options_.isa);
    selection.settle();
    const Columns& rows = table_.columns();
    std::vector<std::pair<RowId, float>> pairs;
    std::array<float, kTileRows> cosines{};
    for (std::size_t tile = 0; tile < table_.tiles(); ++tile) {
        const auto first = static_cast<Slot>(tile * kTileRows);
        if (tile % kTilesPerPoll == 0) {
            poll();
        }
        std::uint64_t word = selection.word(tile);
        const bool whole = word == ~std::uint64_t{0} && !vectors_.bounds_only();
        if (whole) {
            vectors_.cosines(ready, first, kTileRows, cosines.data());
        }
        for (; word != 0; word &= word - 1) {
            const auto i = static_cast<Slot>(std::countr_zero(word));
            const float cosine = whole ? cosines[i] : vectors_.exact(ready, first + i);
            pairs.emplace_back(rows.key[first + i],
                               rows.gain[first + i] * std::clamp(cosine, -1.0F, 1.0F));
        }
    }
    if (!std::is_sorted(pairs.begin(), pairs.end())) {
        std::sort(pairs.begin(), pairs.end());
    }
    Similarities result;
    for (const auto& [key, value] : pairs) {
        result.keys.push_back(key);
        result.values.push_back(value);
    }
    return result;
}

}  // namespace scrubjay::index
