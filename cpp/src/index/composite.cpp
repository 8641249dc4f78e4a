// Weights, and the terms behind a score.
#include "scrubjay/index/composite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "scrubjay/base/error.h"
#include "scrubjay/index/gathered.h"

namespace scrubjay::index {
namespace {

constexpr float kSumTolerance = 1e-5F;

// One weight alone leaves exactly its own contribution: the other terms are products with 0.
kernels::TileWeights only(const kernels::TileWeights& all, float kernels::TileWeights::* kept) {
    kernels::TileWeights one = all;
    one.recency = 0.0F;
    one.salience = 0.0F;
    one.frequency = 0.0F;
    one.*kept = all.*kept;
    return one;
}

void explain_tile(const Table& table, const kernels::TileTable& kernels, const Weights& weights,
                  const kernels::TileWeights& prior, std::span<const Slot> slots,
                  std::span<const float> cosines, std::span<Hit> hits) {
    const Columns& rows = table.columns();
    Gathered gathered;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        gathered.put(i, rows, slots[i]);
    }
    std::array<float, kTileRows> recency{};
    std::array<float, kTileRows> salience{};
    std::array<float, kTileRows> frequency{};
    using W = kernels::TileWeights;
    kernels.prior(gathered.columns(), only(prior, &W::recency), slots.size(), recency.data());
    kernels.prior(gathered.columns(), only(prior, &W::salience), slots.size(), salience.data());
    kernels.prior(gathered.columns(), only(prior, &W::frequency), slots.size(), frequency.data());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const float gain = rows.gain[slots[i]];
        const float cosine = std::clamp(cosines[i], -1.0F, 1.0F);
        const float similarity = gain * cosine;
        const float relevance = weights.relevance * similarity;
        hits[i] = {rows.key[slots[i]], relevance + ((recency[i] + salience[i]) + frequency[i]),
                   relevance,          recency[i],
                   salience[i],        frequency[i],
                   similarity};
    }
}

}  // namespace

const char* name_of(Route route) noexcept {
    switch (route) {
        case Route::matches:
            return "matches";
        case Route::walk:
            return "walk";
        case Route::two_hop:
            return "two_hop";
        case Route::composite:
            return "composite";
        case Route::scan:
            break;
    }
    return "scan";
}

void refuse_bad_weights(const char* fn, const Weights& weights) {
    const std::array<float, 4> all{weights.relevance, weights.recency, weights.salience,
                                   weights.frequency};
    float sum = 0.0F;
    bool good = true;
    std::string text;
    for (const float weight : all) {
        good = good && weight >= 0.0F && weight <= 1.0F;
        sum += weight;
        text += (text.empty() ? "" : ", ") + std::to_string(weight);
    }
    if (!good || !(std::fabs(sum - 1.0F) <= kSumTolerance)) {
        throw Error(Errc::unit_out_of_range,
                    std::string(fn) +
                        ": weights (relevance, recency, salience, frequency) are "
                        "out of range, got (" +
                        text + "), expected four numbers >= 0 with sum 1");
    }
}

kernels::TileWeights tile_weights(const Weights& weights, Micros now_us,
                                  std::optional<std::uint32_t> ceiling) noexcept {
    kernels::TileWeights prior{
        now_us,
        weights.recency,
        weights.salience,
        weights.frequency,
        1.0F,
        std::numeric_limits<float>::infinity(),
    };
    if (ceiling) {
        prior.use_scale = static_cast<float>(1.0 / std::log1p(static_cast<double>(*ceiling)));
        prior.use_bound = 1.0F;
    }
    return prior;
}

std::vector<Hit> explain(const Table& table, const kernels::TileTable& kernels,
                         const Weights& weights, const kernels::TileWeights& prior,
                         std::span<const Slot> slots, std::span<const float> cosines) {
    std::vector<Hit> hits(slots.size());
    for (std::size_t first = 0; first < slots.size(); first += kTileRows) {
        const std::size_t count = std::min(kTileRows, slots.size() - first);
        explain_tile(table, kernels, weights, prior, slots.subspan(first, count),
                     cosines.subspan(first, count), std::span(hits).subspan(first, count));
    }
    return hits;
}

}  // namespace scrubjay::index
