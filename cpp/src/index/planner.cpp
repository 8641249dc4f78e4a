// Choosing between scans and walks, and making an answer of what they find.
#include "scrubjay/index/planner.h"

#include <algorithm>
#include <array>
#include <utility>

#include "scrubjay/base/ordering.h"
#include "scrubjay/index/composite_search.h"
#include "scrubjay/index/scan.h"

namespace scrubjay::index {
namespace {

// Queries scored per pass of a scan: their unit vectors fit in the first-level cache at 256
// dimensions.
constexpr std::size_t kQueriesPerPass = 16;

// Of what a walk returns, this many more than k are scored exactly, and no fewer than this many:
// small rows misplace a neighbour by a few ranks.
constexpr std::size_t kScoredPerHit = 3;
constexpr std::size_t kFewestScored = 32;

// A scan reads so many rows in the time in which a walk finds one of those it keeps.
constexpr std::size_t kScannedPerKept = 100;

class Search {
  public:
    Search(const Contents& contents, const SearchOptions& options, const Selection& selection,
           const Poll& poll)
        : contents_(&contents),
          options_(&options),
          selection_(&selection),
          prior_(tile_weights(options.weights, options.now_us, contents.frequency_ceiling)),
          job_{contents.table,
               contents.vectors,
               selection,
               contents.kernels,
               contents.selector,
               prior_,
               options.weights.relevance,
               options.k,
               poll} {}

    void scan_all(std::span<const PreparedQuery> queries, Route route, std::span<Answer> answers) {
        for (std::size_t first = 0; first < queries.size(); first += kQueriesPerPass) {
            const std::size_t count = std::min(kQueriesPerPass, queries.size() - first);
            std::vector<Found> found(count);
            const std::size_t matched = scan(job_, queries.subspan(first, count), found);
            for (std::size_t q = 0; q < count; ++q) {
                answers[first + q] = {hits_of(found[q].slots, found[q].cosines),
                                      matched,
                                      contents_->table.live(),
                                      true,
                                      true,
                                      route};
            }
        }
    }

    // Whether the walk found what it was asked for, or all that match.
    bool walk(const PreparedQuery& query, const hnsw::GraphNeighbours& source, std::size_t matching,
              Answer& answer) {
        std::vector<Neighbour> near;
        const Frontier frontier =
            source.nearest(query, std::max(options_->ef, options_->k), *selection_, near);
        // A list that is not full holds all rows that links lead to; if more match, some are cut off.
        const std::size_t due = frontier.similarity > kNothingUnseen ? options_->k : matching;
        if (near.size() < std::min(due, matching)) {
            return false;
        }
        const std::size_t scored =
            std::min(near.size(), std::max(kFewestScored, kScoredPerHit * options_->k));
        std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(scored),
                          near.end(), [](const Neighbour& a, const Neighbour& b) {
                              return a.similarity > b.similarity ||
                                     (a.similarity == b.similarity && a.slot < b.slot);
                          });
        std::vector<Slot> slots(scored);
        std::transform(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(scored),
                       slots.begin(), [](const Neighbour& neighbour) { return neighbour.slot; });
        std::vector<float> cosines(scored + kTileRows);
        contents_->vectors.exact_at(query, slots.data(), scored, cosines.data());
        cosines.resize(scored);
        answer.hits = hits_of(slots, cosines);
        keep_best(answer.hits);
        answer.matched = matching;
        answer.live = contents_->table.live();
        answer.certified = false;
        answer.bound_met =
            answer.hits.size() == options_->k &&
            answer.hits.back().score >= options_->weights.relevance * frontier.similarity;
        answer.route = source.manner() == hnsw::Manner::walk ? Route::walk : Route::two_hop;
        return true;
    }

    void compose(const PreparedQuery& query, const hnsw::GraphNeighbours& source,
                 std::size_t matching, Answer& answer) {
        const CompositeJob job{job_, source, *contents_->blocks, options_->ef, !selection_->all()};
        const CompositeFound found = composite_search(job, query);
        const Route whole = selection_->all() ? Route::scan : Route::matches;
        answer = {hits_of(found.found.slots, found.found.cosines),
                  matching,
                  contents_->table.live(),
                  found.certified,
                  found.bound_met,
                  found.scanned ? whole : Route::composite};
    }

  private:
    [[nodiscard]] std::vector<Hit> hits_of(std::span<const Slot> slots,
                                           std::span<const float> cosines) const {
        return explain(contents_->table, contents_->kernels, options_->weights, prior_, slots,
                       cosines);
    }

    void keep_best(std::vector<Hit>& hits) const {
        const std::size_t kept = std::min(hits.size(), options_->k);
        std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(kept),
                          hits.end(), [](const Hit& a, const Hit& b) {
                              return ranks_before({a.score, a.key}, {b.score, b.key});
                          });
        hits.resize(kept);
    }

    const Contents* contents_;
    const SearchOptions* options_;
    const Selection* selection_;
    kernels::TileWeights prior_;
    ScanJob job_;
};

bool by_similarity_alone(const Weights& weights) {
    return weights.recency == 0.0F && weights.salience == 0.0F && weights.frequency == 0.0F;
}

}  // namespace

void answer(const Contents& contents, const SearchOptions& options, const Selection& selection,
            std::span<const PreparedQuery> queries, std::span<Answer> answers, const Poll& poll) {
    Search search(contents, options, selection, poll);
    const std::size_t matching = selection.count();
    const std::size_t row_bytes = contents.vectors.scanned_row_bytes();
    const bool few =
        !selection.all() && matching <= std::min(contents.exact_below, kMatchBytes / row_bytes);
    const bool alone = by_similarity_alone(options.weights);
    // A walk as wide as k costs more than a scan, and among rows that few link to it finds less.
    const bool wide = options.k > options.ef && options.k > matching / kScannedPerKept;
    if (contents.graph == nullptr || options.exact || few || matching < options.k ||
        (alone ? queries.front().absent || wide : contents.blocks == nullptr)) {
        search.scan_all(queries, selection.all() ? Route::scan : Route::matches, answers);
        return;
    }
    const hnsw::GraphNeighbours source(*contents.graph, contents.table, contents.vectors,
                                       contents.shelf, matching, 1.0F);
    for (std::size_t q = 0; q < queries.size(); ++q) {
        if (!alone) {
            search.compose(queries[q], source, matching, answers[q]);
        } else if (!search.walk(queries[q], source, matching, answers[q])) {
            search.scan_all(queries.subspan(q, 1), Route::scan, answers.subspan(q, 1));
        }
    }
}

}  // namespace scrubjay::index
