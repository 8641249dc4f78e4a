// Searches: validation, groups of queries, and stays behind the gate.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/retention_index.h"

namespace scrubjay::index {
namespace {

// Queries scored per pass: their unit vectors fit in the first-level cache at 256 dimensions.
constexpr std::size_t kQueriesPerPass = 16;

// Multiplications from which on a batch of queries is worth the start of a second thread.
constexpr std::size_t kWorthThreads = std::size_t{4} << 20U;

// Tiles between two questions to a Poll: some tenths of a millisecond.
constexpr std::size_t kTilesPerPoll = 64;

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

std::size_t RetentionIndex::threads_for(std::size_t queries) const {
    if (queries == 1 || options_.threads == 1) {
        return 1;
    }
    const ReadGate::Read read(gate_);
    const bool worth = queries * options_.dim * table_.slots() >= kWorthThreads;
    return worth ? options_.threads : 1;
}

std::vector<Answer> RetentionIndex::search(std::span<const float> queries,
                                           const SearchOptions& options, const Predicate& where,
                                           const Poll& poll) const {
    const char* const fn = "Index.search";
    refuse_bad_search(fn, options, where);
    const std::size_t dim = options_.dim;
    refuse_bad_vectors(fn, "query", queries, queries.size() / dim, dim, options_.metric, false,
                       poll);
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
void RetentionIndex::search_group(std::span<const float> queries, const SearchOptions& options,
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
    const Contents contents{table_,          vectors_,  keeper_.graph(), priors_.blocks(),
                            keeper_.shelf(), *kernels_, *selector_,      options_.frequency_ceiling,
                            exact_below_};
    answer(contents, options, selection, ready, answers, poll);
}

Similarities RetentionIndex::similarity(std::span<const float> query, const Predicate& where,
                                        const Poll& poll) const {
    const char* const fn = "Index.similarity";
    refuse_bad_search(fn, {1, 0, {}}, where);
    refuse_bad_vectors(fn, "query", query, 1, options_.dim, options_.metric, false);
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
