// What is saved is what is opened, byte for byte, and what happens to it afterwards is the same too.
#include "scrubjay/index/snapshot.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <limits>

#include "index/snapshots.h"
#include "index/worlds.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/atomic_file.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::array kStorages{Storage::f32, Storage::f16, Storage::i8};

// A directory that goes when the test ends.
struct Folder {
    std::string path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "scrubjay-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    [[nodiscard]] std::string file(const std::string& name) const { return path + "/" + name; }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path), {}));
    }
};

IndexOptions options_of(Storage storage, bool originals, kernels::Isa isa) {
    IndexOptions options;
    options.dim = 19;
    options.storage = storage;
    options.keep_originals = originals;
    options.frequency_ceiling = 30;
    options.isa = isa;
    return options;
}

// Rows of which a third is removed, some slots of which are used again.
void fill(RetentionIndex& index) {
    const World world(300, 19, 4);
    index.add(world.batch(), false, false);
    std::vector<RowId> gone;
    for (std::size_t i = 0; i < world.keys.size(); i += 3) {
        gone.push_back(world.keys[i]);
    }
    index.remove(gone, false);
    World more(40, 19, 5);
    for (RowId& key : more.keys) {
        key = -key;
    }
    index.add(more.batch(), false, false);
}

void go_on(RetentionIndex& index) {
    World more(150, 19, 6);
    for (RowId& key : more.keys) {
        key += 100'000;
    }
    index.add(more.batch(), false, false);
    const std::vector<RowId> keys{more.keys[3], more.keys[5], -1};
    index.reinforce(keys, kNow + 5, 3);
    index.remove(std::vector<RowId>{more.keys[4], -8}, false);
}

RetentionIndex::Opened open_at(const std::string& path, Verify verify = Verify::full) {
    return RetentionIndex::open(path, verify, IndexOptions{});
}

void check_same(const RetentionIndex& a, const RetentionIndex& b) {
    const World asker(1, 19, 9);
    CHECK(a.keys() == b.keys());
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const auto mine = a.search(asker.query(seed), {25, kNow, {}}, {});
        const auto other = b.search(asker.query(seed), {25, kNow, {}}, {});
        REQUIRE(mine[0].hits.size() == other[0].hits.size());
        for (std::size_t i = 0; i < mine[0].hits.size(); ++i) {
            CHECK(mine[0].hits[i].key == other[0].hits[i].key);
            CHECK(mine[0].hits[i].score == other[0].hits[i].score);
            CHECK(mine[0].hits[i].similarity == other[0].hits[i].similarity);
        }
    }
}

}  // namespace

TEST_CASE("an opened index answers, changes and is saved again like the one that was saved") {
    const Folder folder;
    for (const Storage storage : kStorages) {
        for (const bool originals : {true, false}) {
            RetentionIndex index(options_of(storage, originals, kernels::active_isa()));
            fill(index);
            const std::string path = folder.file("a");
            index.save(path, {});
            const Bytes saved = read_file(path);
            for (const Verify verify : {Verify::full, Verify::header}) {
                RetentionIndex never(options_of(storage, originals, kernels::active_isa()));
                fill(never);
                const auto opened = open_at(path, verify);
                check_same(index, *opened.index);
                opened.index->save(folder.file("b"), {});
                CHECK(saved == read_file(folder.file("b")));
                go_on(*opened.index);
                go_on(never);
                check_same(never, *opened.index);
                opened.index->save(folder.file("b"), {});
                never.save(folder.file("c"), {});
                CHECK(read_file(folder.file("b")) == read_file(folder.file("c")));
                CHECK(saved == read_file(path));
            }
        }
    }
    CHECK(3 == folder.files());
}

TEST_CASE("every set writes the same file, and room made in advance does not show") {
    const Folder folder;
    for (const Storage storage : kStorages) {
        RetentionIndex plain(options_of(storage, true, kernels::Isa::scalar));
        fill(plain);
        plain.save(folder.file("scalar"), {});
        for (const kernels::Isa isa : kernels::supported_isas()) {
            IndexOptions options = options_of(storage, true, isa);
            options.capacity = 5000;
            RetentionIndex index(options);
            fill(index);
            index.save(folder.file("other"), {});
            CHECK(read_file(folder.file("scalar")) == read_file(folder.file("other")));
        }
    }
}

TEST_CASE("nothing of a removed row is in the file") {
    const Folder folder;
    for (const Storage storage : kStorages) {
        for (const bool again : {false, true}) {
            RetentionIndex index(options_of(storage, true, kernels::active_isa()));
            const World world(70, 19, 11);
            index.add(world.batch(), false, false);
            index.save(folder.file("before"), {});
            const Bytes before = read_file(folder.file("before"));
            std::unique_ptr<RetentionIndex> other;
            RetentionIndex* subject = &index;
            if (again) {
                other = open_at(folder.file("before")).index;
                subject = other.get();
            }
            subject->remove(std::vector<RowId>{world.keys[5]}, false);
            subject->save(folder.file("after"), {});
            const Bytes after = read_file(folder.file("after"));
            const auto holds = [](const Bytes& bytes, const std::byte* first, std::size_t n) {
                return bytes.end() != std::search(bytes.begin(), bytes.end(), first, first + n);
            };
            // Row 5 of each array that has rows; 32 floats, 32 halves or 64 codes are a row's room.
            for (const auto& [name, room] :
                 {std::pair{"vectors.f32", 32 * 4}, {"vectors.f16", 32 * 2}, {"vectors.i8", 64}}) {
                if (elements_of(before, name) != 0) {
                    const auto row = static_cast<std::size_t>(5 * room);
                    const std::byte* const at = before.data() + section_at(before, name) + row;
                    CHECK(holds(before, at, 16));
                    CHECK(!holds(after, at, 16));
                }
            }
            const auto last = static_cast<Micros>(world.last_us[5]);
            const auto* const instant = reinterpret_cast<const std::byte*>(&last);
            CHECK(holds(before, instant, sizeof(last)));
            CHECK(!holds(after, instant, sizeof(last)));
        }
    }
}

TEST_CASE("a file that is replaced while it is mapped stays what it was to whoever mapped it") {
    const Folder folder;
    const std::string path = folder.file("a");
    RetentionIndex index(options_of(Storage::i8, true, kernels::active_isa()));
    fill(index);
    index.save(path, {});
    const auto opened = open_at(path);
    const auto twin = open_at(path);
    RetentionIndex empty(options_of(Storage::i8, true, kernels::active_isa()));
    empty.save(path, {});
    check_same(index, *opened.index);
    CHECK(0 == open_at(path).index->size());
    go_on(*opened.index);
    check_same(index, *twin.index);
}

TEST_CASE("an index may be saved over the very file it lies in") {
    const Folder folder;
    const std::string path = folder.file("a");
    RetentionIndex index(options_of(Storage::f32, true, kernels::active_isa()));
    fill(index);
    index.save(path, {});
    const auto opened = open_at(path);
    go_on(*opened.index);
    opened.index->save(path, {});
    check_same(*opened.index, *open_at(path).index);
    CHECK(1 == folder.files());
}

TEST_CASE("the note comes back, up to its longest") {
    const Folder folder;
    RetentionIndex index(options_of(Storage::f32, true, kernels::active_isa()));
    SnapshotNote note;
    note.watermark = std::numeric_limits<std::uint64_t>::max();
    note.epoch.grow(kMostEpochBytes);
    note.epoch[7] = 200;
    index.save(folder.file("a"), note);
    const auto opened = open_at(folder.file("a"));
    CHECK(note.watermark == opened.note.watermark);
    CHECK(kMostEpochBytes == opened.note.epoch.size());
    CHECK(200 == std::as_const(opened.note.epoch)[7]);
    note.epoch.grow(kMostEpochBytes + 1);
    CHECK_THROWS_AS(index.save(folder.file("a"), note), Error);
}

TEST_CASE("places beyond 4 GiB are exact and those beyond 2^63 are refused") {
    const auto entry = [](std::uint32_t element_bytes, std::uint64_t elements) {
        return SnapshotEntry{"x", 'f', element_bytes, elements, 0, 0};
    };
    std::vector<SnapshotEntry> entries{entry(4, 3'000'000'001), entry(1, 5'000'000'000),
                                       entry(8, 1)};
    const std::uint64_t end = lay_out("test", entries);
    CHECK(256 == entries[0].offset);
    CHECK(12'000'000'320ULL == entries[1].offset);
    CHECK(17'000'000'320ULL == entries[2].offset);
    CHECK(17'000'000'328ULL == end);
    for (const std::uint64_t elements :
         {std::uint64_t{1} << 61U, (std::uint64_t{1} << 61U) + 1, std::uint64_t{1} << 62U,
          std::numeric_limits<std::uint64_t>::max()}) {
        std::vector<SnapshotEntry> huge{entry(8, elements)};
        CHECK_THROWS_AS(lay_out("test", huge), Error);
        std::vector<SnapshotEntry> second{entry(1, 1), entry(8, elements), entry(8, elements)};
        CHECK_THROWS_AS(lay_out("test", second), Error);
    }
}

TEST_CASE("what cannot be written is refused, and nothing is left behind") {
    const Folder folder;
    RetentionIndex index(options_of(Storage::f32, true, kernels::active_isa()));
    const auto refused = [&](const std::string& path) {
        try {
            index.save(path, {});
        } catch (const Error& error) {
            return error.code() == Errc::storage;
        }
        return false;
    };
    CHECK(refused(folder.path));
    CHECK(refused(folder.path + "/"));
    CHECK(refused(folder.file("missing/a")));
    CHECK(refused(""));
    CHECK(refused(folder.file(std::string(300, 'x'))));
    CHECK(0 == folder.files());
    {
        AtomicFile file("test", folder.file("a"));
        file.write(std::as_bytes(std::span("half")));
    }
    CHECK(0 == folder.files());
}

TEST_CASE("what is no snapshot is refused with the class of its trouble") {
    const Folder folder;
    const auto code_of = [&](const std::string& path) {
        try {
            (void)open_at(path);
        } catch (const Error& error) {
            return error.code();
        }
        return Errc::invalid_argument;
    };
    CHECK(Errc::storage == code_of(folder.file("missing")));
    CHECK(Errc::storage == code_of(folder.path));
    CHECK(Errc::storage == code_of("/dev/null"));
    CHECK(0 == ::mkfifo(folder.file("pipe").c_str(), 0600));
    CHECK(Errc::storage == code_of(folder.file("pipe")));
    AtomicFile("test", folder.file("empty")).commit();
    CHECK(Errc::format_version == code_of(folder.file("empty")));
    AtomicFile text("test", folder.file("text"));
    text.write(std::as_bytes(std::span("This is the text of somebody's letter.")));
    text.commit();
    CHECK(Errc::format_version == code_of(folder.file("text")));
}
