// The graph goes into the file and comes out of it: nothing is built, nothing is answered otherwise.
#include <unistd.h>

#include <filesystem>

#include "index/snapshots.h"
#include "index/worlds.h"
#include "scrubjay/index/snapshot.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::size_t kDim = 19;
constexpr std::size_t kRows = 1500;

struct File {
    std::string path = (std::filesystem::temp_directory_path() / "scrubjay-XXXXXX").string();
    File() { ::close(::mkstemp(path.data())); }
    ~File() { std::filesystem::remove(path); }
};

IndexOptions options_of(Storage storage, bool originals, std::size_t threads = 1) {
    IndexOptions options;
    options.dim = kDim;
    options.storage = storage;
    options.keep_originals = originals;
    options.frequency_ceiling = 30;
    options.graph = {6, 40, 11};
    options.exact_below = 200;
    options.threads = threads;
    return options;
}

World world(std::size_t rows, std::uint64_t seed, RowId first) {
    World made(rows, kDim, seed);
    for (std::size_t i = 0; i < rows; ++i) {
        made.keys[i] = first + static_cast<RowId>(i);
    }
    // Heaps of identical rows, which all worlds share.
    for (std::size_t i = 0; i < rows; i += 4) {
        for (std::size_t d = 0; d < kDim; ++d) {
            made.vectors[i * kDim + d] = d == i % 3 ? 1.0F : 0.25F;
        }
    }
    return made;
}

std::vector<RowId> every(RowId step, RowId first, RowId end) {
    std::vector<RowId> keys;
    for (RowId key = first; key < end; key += step) {
        keys.push_back(key);
    }
    return keys;
}

// Grown, thinned, grown again and half repaired.
void fill(RetentionIndex& index) {
    index.add(world(kRows, 4, 0).batch(), false, false);
    index.remove(every(3, 0, kRows), false);
    index.add(world(100, 5, 10'000).batch(), false, false);
    index.remove(every(40, 1, kRows / 2), true);
    index.reinforce(every(7, 10'000, 10'100), kNow + 1, 2);
}

// Every way to change an index, so that lists grow, are mended and reconnected.
void go_on(RetentionIndex& index) {
    index.add(world(700, 6, 20'000).batch(), false, false);
    index.update(world(50, 7, 20'100).batch(), false);
    index.remove(every(2, 20'000, 20'700), false);
    index.reinforce(every(4, 20'001, 20'100), kNow + 5, 3);
    index.add(world(300, 8, 20'400).batch(), true, false);
}

RetentionIndex::Opened open_at(const std::string& path, std::size_t threads = 1) {
    IndexOptions machine;
    machine.threads = threads;
    return RetentionIndex::open(path, Verify::full, machine);
}

std::vector<Answer> answers(const RetentionIndex& index) {
    std::vector<Answer> all;
    Predicate few;
    few.scopes = {1};
    for (const Weights& weights :
         {Weights{}, Weights{1, 0, 0, 0}, Weights{0.3F, 0.2F, 0.4F, 0.1F}}) {
        for (const Predicate& where : {Predicate{}, few}) {
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                const World asker(1, kDim, 9);
                all.push_back(index.search(asker.query(seed), {10, kNow, weights, 24}, where)[0]);
            }
        }
    }
    return all;
}

void check_same(const RetentionIndex& a, const RetentionIndex& b) {
    const std::vector<Answer> mine = answers(a);
    const std::vector<Answer> other = answers(b);
    for (std::size_t q = 0; q < mine.size(); ++q) {
        CHECK(mine[q].route == other[q].route);
        CHECK(mine[q].bound_met == other[q].bound_met);
        REQUIRE(mine[q].hits.size() == other[q].hits.size());
        for (std::size_t i = 0; i < mine[q].hits.size(); ++i) {
            CHECK(mine[q].hits[i].key == other[q].hits[i].key);
            CHECK(mine[q].hits[i].score == other[q].hits[i].score);
        }
    }
}

}  // namespace

TEST_CASE("an opened graph answers and grows on as if it had never been in a file") {
    const File first;
    const File again;
    const File never;
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
        for (const bool originals : {true, false}) {
            RetentionIndex index(options_of(storage, originals));
            fill(index);
            index.save(first.path, {});
            const Bytes saved = read_file(first.path);
            const auto opened = open_at(first.path, 3);
            CHECK(Route::walk ==
                  opened.index->search(World(1, kDim, 9).query(1), {5, kNow, {1, 0, 0, 0}}, {})[0]
                      .route);
            check_same(index, *opened.index);
            opened.index->save(again.path, {});
            CHECK(saved == read_file(again.path));
            for (int round = 0; round < 2; ++round) {
                go_on(*opened.index);
                go_on(index);
                check_same(index, *opened.index);
                index.remove(every(1, 20'000, 30'000), true);
                opened.index->remove(every(1, 20'000, 30'000), true);
            }
            opened.index->save(again.path, {});
            index.save(never.path, {});
            CHECK(read_file(never.path) == read_file(again.path));
            CHECK(saved == read_file(first.path));
        }
    }
}

TEST_CASE("the file of a graph is the same for every number of threads and every set") {
    const File one;
    const File other;
    RetentionIndex plain(options_of(Storage::i8, true));
    fill(plain);
    plain.save(one.path, {});
    for (const kernels::Isa isa : kernels::supported_isas()) {
        IndexOptions options = options_of(Storage::i8, true, 3);
        options.isa = isa;
        options.capacity = 9000;
        RetentionIndex index(options);
        fill(index);
        index.save(other.path, {});
        CHECK(read_file(one.path) == read_file(other.path));
    }
}

TEST_CASE("an opened index knows from how many rows on it wants a graph, and how it is made") {
    const File file;
    RetentionIndex index(options_of(Storage::f32, true));
    index.add(world(150, 4, 0).batch(), false, false);
    index.save(file.path, {});
    const auto opened = open_at(file.path);
    CHECK(200 == opened.index->exact_below());
    for (RetentionIndex* one : {&index, opened.index.get()}) {
        one->add(world(100, 5, 1000).batch(), false, false);
        one->save(file.path, {});
    }
    check_same(index, *opened.index);
    index.save(file.path, {});
    const Bytes mine = read_file(file.path);
    opened.index->save(file.path, {});
    CHECK(mine == read_file(file.path));
    CHECK(1 == number_at<std::uint64_t>(mine, entry_at(mine, "graph.exists") + 48));
}

TEST_CASE(
    "a graph that lost its rows in a file is dropped by the next change, as it would have been") {
    const File file;
    RetentionIndex index(options_of(Storage::i8, true));
    fill(index);
    index.save(file.path, {});
    const auto opened = open_at(file.path);
    for (RetentionIndex* one : {&index, opened.index.get()}) {
        one->remove(every(1, 20, kRows), true);
        one->add(world(10, 5, 9'000).batch(), false, false);
    }
    check_same(index, *opened.index);
    index.save(file.path, {});
    const Bytes mine = read_file(file.path);
    opened.index->save(file.path, {});
    CHECK(mine == read_file(file.path));
}
