// Small files to be damaged, and what becomes of them.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "index/snapshots.h"
#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/snapshot.h"

namespace scrubjay::index::testing {

// A small file of every kind of array; of a heap, rows 10 to 19 are the same.
inline Bytes small_file(Storage storage, bool graph = true, Metric metric = Metric::cosine,
                        bool heap = false) {
    IndexOptions options;
    options.dim = 3;
    options.metric = metric;
    options.storage = storage;
    options.graph = {2, 8, 3};
    options.exact_below = graph ? 20 : 200;
    RetentionIndex index(options);
    World world(70, 3, 21);
    for (std::size_t row = 11; heap && row < 20; ++row) {
        std::copy_n(&world.vectors[10 * 3], 3, &world.vectors[row * 3]);
    }
    index.add(world.batch(), false, false);
    index.remove(std::vector<RowId>{world.keys[2], world.keys[64]}, false);
    char path[] = "/tmp/scrubjay-XXXXXX";
    const int file = ::mkstemp(path);
    ::close(file);
    index.save(path, {});
    Bytes bytes = read_file(path);
    ::unlink(path);
    return bytes;
}

inline RetentionIndex::Opened open_bytes(const Bytes& bytes, Verify verify) {
    SnapshotReader reader("test", Mapping::of_bytes("test", bytes), verify);
    return RetentionIndex::open(reader, IndexOptions{});
}

// Whether opening is refused. What opens is used, so that a sanitizer sees any wrong step.
inline bool refused(const Bytes& bytes, Verify verify) {
    try {
        const auto opened = open_bytes(bytes, verify);
        const World asker(1, 3, 5);
        (void)opened.index->search(asker.query(1), {5, kNow, {}}, {});
        (void)opened.index->search(asker.query(2), {5, kNow, {1, 0, 0, 0}}, {});
        opened.index->add(asker.batch(), true, false);
        opened.index->remove(opened.index->keys(), false);
    } catch (const Error& error) {
        return error.code() == Errc::corruption || error.code() == Errc::format_version;
    }
    return false;
}

}  // namespace scrubjay::index::testing
