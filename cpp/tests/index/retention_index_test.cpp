// The exact index against a plain loop over its rows, on every set and storage.
#include "scrubjay/index/retention_index.h"

#include <array>
#include <limits>
#include <thread>

#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/scan.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

double cosine_of(const World& world, std::size_t row, std::span<const float> query) {
    double dot = 0.0;
    double rr = 0.0;
    double qq = 0.0;
    for (std::size_t c = 0; c < world.dim; ++c) {
        const double x = world.vectors[row * world.dim + c];
        const double y = query[c];
        dot += x * y;
        rr += x * x;
        qq += y * y;
    }
    return dot / std::sqrt(rr * qq);
}

double score_of(const World& world, std::size_t i, std::span<const float> query) {
    const auto age = static_cast<double>(std::max<Micros>(0, kNow - world.last_us[i]));
    const double half_lives = world.half_life_us[i] == kForeverUs
                                  ? 0.0
                                  : age / static_cast<double>(world.half_life_us[i]);
    return 0.5 * static_cast<double>(world.gain[i]) * cosine_of(world, i, query) +
           0.2 * std::exp2(-half_lives) + 0.2 * static_cast<double>(world.unit[i]) +
           0.1 * std::log1p(static_cast<double>(world.frequency[i]));
}

RetentionIndex filled(const World& world, Storage storage, kernels::Isa isa) {
    IndexOptions options;
    options.dim = world.dim;
    options.storage = storage;
    options.isa = isa;
    return RetentionIndex(options);
}

constexpr std::array kStorages{Storage::f32, Storage::f16, Storage::i8};

}  // namespace

TEST_CASE("answers are those of a plain loop, with the same bits on every set and storage") {
    const World world(500, 19, 1);
    const std::vector<float> query = world.query(99);
    std::vector<std::pair<double, RowId>> expected;
    for (std::size_t i = 0; i < world.keys.size(); ++i) {
        expected.emplace_back(-score_of(world, i, query), world.keys[i]);
    }
    std::sort(expected.begin(), expected.end());
    std::vector<float> scores;
    for (const kernels::Isa isa : kernels::supported_isas()) {
        for (const Storage storage : kStorages) {
            RetentionIndex index = filled(world, storage, isa);
            index.add(world.batch(), false, false);
            const Answer answer = index.search(query, {20, kNow, {}}, {})[0];
            CHECK(20 == answer.hits.size());
            CHECK(answer.certified);
            std::vector<float> these;
            for (const Hit& hit : answer.hits) {
                these.push_back(hit.score);
            }
            scores = scores.empty() ? these : scores;
            CHECK(scores == these);
            for (std::size_t r = 0; r < 20; ++r) {
                CHECK(expected[r].second == answer.hits[r].key);
                CHECK(std::abs(-expected[r].first - static_cast<double>(answer.hits[r].score)) <
                      1e-5);
            }
        }
    }
}

TEST_CASE("every tile density and filter keeps exactly the matching rows") {
    const World world(640, 6, 2);
    RetentionIndex index = filled(world, Storage::i8, kernels::active_isa());
    index.add(world.batch(), false, false);
    for (std::uint8_t kind = 0; kind < 4; ++kind) {
        Predicate where;
        where.kinds = std::uint64_t{1} << kind;
        where.scopes = {0, 1, 2};
        where.quality_min = 0.25F;
        std::size_t matching = 0;
        for (std::size_t i = 0; i < world.keys.size(); ++i) {
            matching += world.kind[i] == kind && world.scope[i] <= 2 && world.unit[i] >= 0.25F;
        }
        const Answer answer = index.search(world.query(3), {1000, kNow, {}}, where)[0];
        CHECK(matching == answer.matched);
        CHECK(matching == answer.hits.size());
    }
}

TEST_CASE("removal leaves no ghost, whatever part of a tile goes") {
    const World world(256, 4, 3);
    for (const std::size_t step : {2UL, 7UL, 20UL}) {
        RetentionIndex index = filled(world, Storage::f16, kernels::active_isa());
        index.add(world.batch(), false, false);
        std::vector<RowId> gone;
        for (std::size_t i = 0; i < world.keys.size(); i += step) {
            gone.push_back(world.keys[i]);
        }
        CHECK(gone.size() == index.remove(gone, false));
        const Answer answer = index.search(world.query(4), {500, kNow, {}}, {})[0];
        CHECK(world.keys.size() - gone.size() == answer.hits.size());
        for (const Hit& hit : answer.hits) {
            CHECK(!std::binary_search(gone.begin(), gone.end(), hit.key));
        }
    }
}

TEST_CASE("a refused batch changes nothing") {
    World world(10, 3, 4);
    RetentionIndex index = filled(world, Storage::f32, kernels::active_isa());
    index.add(world.batch(), false, false);
    CHECK_THROWS_AS(index.add(world.batch(), false, false), Error);
    world.keys[9] = 5000;
    world.keys[8] = 5000;
    CHECK_THROWS_AS(index.add(world.batch(), true, false), Error);
    world.keys[8] = 4000;
    world.vectors[29] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_AS(index.add(world.batch(), true, false), Error);
    CHECK_THROWS_AS(index.update(world.batch(), false), Error);
    CHECK(10 == index.size());
    CHECK(!index.contains(4000));
}

TEST_CASE("the exact source of neighbours proves its frontier") {
    const World world(200, 8, 5);
    RetentionIndex index = filled(world, Storage::i8, kernels::active_isa());
    index.add(world.batch(), false, false);
    const std::vector<float> query = world.query(6);
    index.inspect([&](const Table& table, const Vectors& vectors) {
        const ExactNeighbours source(table, vectors, kernels::active_isa());
        const Selection everything(table, {});
        std::vector<Neighbour> near;
        const Frontier some = source.nearest(vectors.prepare(query), 10, everything, near);
        CHECK(10 == near.size());
        CHECK(some.proved);
        CHECK(near.back().similarity == some.similarity);
        const Frontier all = source.nearest(vectors.prepare(query), 999, everything, near);
        CHECK(200 == near.size());
        CHECK(-1.0F == all.similarity);
        return 0;
    });
}

TEST_CASE("readers and a writer may run together") {
    const World world(400, 8, 7);
    RetentionIndex index = filled(world, Storage::i8, kernels::active_isa());
    index.add(world.batch(), false, false);
    const std::vector<float> query = world.query(8);
    std::vector<std::thread> readers;
    std::vector<int> short_answers(3, 0);
    for (int& wrong : short_answers) {
        readers.emplace_back([&index, &query, &wrong] {
            for (int turn = 0; turn < 100; ++turn) {
                const Answer answer = index.search(query, {10, kNow, {}}, {})[0];
                wrong += answer.hits.size() != 10 ? 1 : 0;
            }
        });
    }
    for (int turn = 0; turn < 50; ++turn) {
        const std::vector<RowId> keys(world.keys.begin(), world.keys.begin() + 100);
        index.remove(keys, false);
        RowBatch batch = world.batch();
        batch.vectors = batch.vectors.first(100 * world.dim);
        visit_columns([&](const char* /*name*/, auto given, auto /*column*/) {
            batch.*given = (batch.*given).first(100);
        });
        batch.keys = keys;
        index.add(batch, false, false);
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    CHECK(std::vector<int>(3, 0) == short_answers);
}
