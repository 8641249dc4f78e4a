// Ownership, validation and locking of the exact index.
#include "scrubjay/index/flat.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/index/scan.h"

namespace scrubjay::index {
namespace {

// Queries scored per pass: their unit vectors fit in the first-level cache at 256 dimensions.
constexpr std::size_t kQueriesPerPass = 16;

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
    table_.reserve(options_.capacity);
    vectors_.reserve(options_.capacity);
}

std::size_t FlatIndex::size() const {
    const std::shared_lock lock(mutex_);
    return table_.live();
}

std::size_t FlatIndex::bytes() const {
    const std::shared_lock lock(mutex_);
    return table_.bytes() + vectors_.bytes();
}

bool FlatIndex::contains(RowId key) const {
    const std::shared_lock lock(mutex_);
    return table_.find(key) != kNoSlot;
}

std::vector<RowId> FlatIndex::keys() const {
    const std::shared_lock lock(mutex_);
    std::vector<RowId> keys;
    keys.reserve(table_.live());
    for (std::size_t slot = 0; slot < table_.slots(); ++slot) {
        if (((table_.occupied()[slot / kTileRows] >> (slot % kTileRows)) & 1U) != 0) {
            keys.push_back(table_.columns().key[slot]);
        }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

void FlatIndex::refuse_bad_batch(const char* fn, const RowBatch& batch, bool allow_zero) const {
    refuse_repeated(fn, batch.keys);
    refuse_bad_columns(fn, batch);
    if (!batch.vectors.empty()) {
        refuse_bad_vectors(fn, "vectors", batch.vectors, batch.keys.size(), options_.dim,
                           allow_zero);
    }
}

void FlatIndex::write(Slot slot, const RowBatch& batch, std::size_t i) {
    table_.write(slot, batch, i);
    if (!batch.vectors.empty()) {
        vectors_.set(slot, batch.vectors.subspan(i * options_.dim, options_.dim));
    }
}

void FlatIndex::add(const RowBatch& batch, bool replace, bool allow_zero) {
    refuse_bad_batch("Index.add", batch, allow_zero);
    const std::unique_lock lock(mutex_);
    if (!replace) {
        refuse_known("Index.add", table_, batch.keys);
    }
    // All memory is taken before the first row is written, so running out of it changes nothing.
    std::size_t fresh = 0;
    for (const RowId key : batch.keys) {
        fresh += table_.find(key) == kNoSlot ? 1U : 0U;
    }
    table_.reserve_for(fresh);
    vectors_.grow(table_.slots());
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
        const Slot known = table_.find(batch.keys[i]);
        write(known != kNoSlot ? known : table_.claim(batch.keys[i]), batch, i);
    }
}

void FlatIndex::update(const RowBatch& batch, bool allow_zero) {
    refuse_bad_batch("Index.update", batch, allow_zero);
    const std::unique_lock lock(mutex_);
    const std::vector<Slot> slots = require_slots("Index.update", table_, batch.keys);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        write(slots[i], batch, i);
    }
}

void FlatIndex::reinforce(std::span<const RowId> keys, Micros now_us, std::uint32_t count) {
    refuse_bad_instant("Index.reinforce", "now_us", now_us);
    const std::unique_lock lock(mutex_);
    for (const Slot slot : require_slots("Index.reinforce", table_, keys)) {
        table_.reinforce(slot, now_us, count);
    }
}

std::size_t FlatIndex::remove(std::span<const RowId> keys, bool ignore_missing) {
    refuse_repeated("Index.remove", keys);
    const std::unique_lock lock(mutex_);
    if (!ignore_missing) {
        (void)require_slots("Index.remove", table_, keys);
    }
    std::size_t removed = 0;
    for (const RowId key : keys) {
        if (table_.find(key) != kNoSlot) {
            const Slot slot = table_.release(key);
            vectors_.clear(slot);
            table_.recycle({&slot, 1});
            ++removed;
        }
    }
    return removed;
}

std::vector<Answer> FlatIndex::search(std::span<const float> queries, const SearchOptions& options,
                                      const Predicate& where) const {
    const char* const fn = "Index.search";
    refuse_bad_search(fn, options, where);
    const std::size_t dim = options_.dim;
    refuse_bad_vectors(fn, "query", queries, queries.size() / dim, dim, false);
    std::vector<PreparedQuery> ready(queries.empty() ? 1 : queries.size() / dim);
    for (std::size_t q = 0; q < queries.size() / dim; ++q) {
        ready[q] = vectors_.prepare(queries.subspan(q * dim, dim));
    }
    const std::shared_lock lock(mutex_);
    const Selection selection(table_, where);
    const kernels::TileWeights prior =
        tile_weights(options.weights, options.now_us, options_.frequency_ceiling);
    const ScanJob job{
        table_,   vectors_, selection, *kernels_, *selector_, prior, options.weights.relevance,
        options.k};
    std::vector<Answer> answers(ready.size());
    for (std::size_t first = 0; first < ready.size(); first += kQueriesPerPass) {
        const std::size_t count = std::min(kQueriesPerPass, ready.size() - first);
        std::vector<Found> found(count);
        const std::size_t matched = scan(job, std::span(ready).subspan(first, count), found);
        for (std::size_t q = 0; q < count; ++q) {
            answers[first + q] = {explain(table_, *kernels_, options.weights, prior, found[q].slots,
                                          found[q].cosines),
                                  matched, table_.live(), true, true};
        }
    }
    return answers;
}

Similarities FlatIndex::similarity(std::span<const float> query, const Predicate& where) const {
    const char* const fn = "Index.similarity";
    refuse_bad_search(fn, {1, 0, {}}, where);
    refuse_bad_vectors(fn, "query", query, 1, options_.dim, false);
    const PreparedQuery ready = vectors_.prepare(query);
    const std::shared_lock lock(mutex_);
    const Selection selection(table_, where);
    const Columns& rows = table_.columns();
    std::vector<std::pair<RowId, float>> pairs;
    std::array<float, kTileRows> cosines{};
    for (std::size_t tile = 0; tile < table_.tiles(); ++tile) {
        const auto first = static_cast<Slot>(tile * kTileRows);
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
