// Damaged files whose checksums are right: whatever opens must be an index like any other.
//
// An input is either a file, known by its first byte, or a program of edits to a small file that is made
// here. The checksums are put right afterwards, so that the damage reaches what lies behind them. What
// is refused must be refused by a typed error; what opens is asked, changed and saved, and the new file
// must open and answer in the same way.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "index/snapshots.h"
#include "scrubjay/base/error.h"
#include "scrubjay/base/rng.h"
#include "scrubjay/index/retention_index.h"
#include "scrubjay/index/snapshot.h"
#include "scrubjay/kernels/quantise.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

namespace {

constexpr std::size_t kDim = 2;
constexpr std::size_t kMostDim = 64;  // Of files that are used: more says nothing new.
constexpr std::size_t kMostRows = 4096;
constexpr std::size_t kK = 7;
constexpr Micros kNow = 1'000'000;
constexpr std::byte kFileMark{0x89};

void require(bool good) {
    if (!good) {
        std::abort();
    }
}

// Where files are written for as long as this process lives.
const std::string& path() {
    static const struct Place {
        std::string name = (std::filesystem::temp_directory_path() / "scrubjay-XXXXXX").string();
        Place() { ::close(::mkstemp(name.data())); }
        ~Place() { std::filesystem::remove(name); }
    } place;
    return place.name;
}

// Makes a vector one that the metric takes.
void fit(Metric metric, std::span<float> v) {
    const double length = kernels::length_of(v);
    for (float& value : v) {
        value = metric == Metric::ip ? static_cast<float>(value / length) : value;
    }
}

// n rows, all columns given; a function of the seed.
struct Rows {
    std::vector<RowId> keys;
    std::vector<float> vectors;
    std::vector<std::uint32_t> word;
    std::vector<std::uint8_t> code;
    std::vector<float> unit;
    std::vector<Micros> time;

    Rows(std::size_t n, std::size_t dim, RowId first, std::uint64_t seed, Metric metric) {
        for (std::size_t i = 0; i < n; ++i) {
            keys.push_back(first + static_cast<RowId>(i));
            word.push_back(static_cast<std::uint32_t>(draw(seed, i) % 3));
            code.push_back(static_cast<std::uint8_t>(word.back()));
            unit.push_back(static_cast<float>(0.25 + draw_unit(seed + 1, i) / 2));
            time.push_back(1 + static_cast<Micros>(draw(seed + 2, i) % kNow));
        }
        for (std::size_t i = 0; i < n * dim; ++i) {
            vectors.push_back(static_cast<float>(draw_unit(seed + 3, i) - 0.5));
        }
        for (std::size_t i = 0; i < n; ++i) {
            fit(metric, std::span(vectors).subspan(i * dim, dim));
        }
    }

    [[nodiscard]] RowBatch batch() const {
        return {keys, vectors, word, code, code, code, code, code,
                code, unit,    unit, word, time, time, time, unit};
    }
};

Bytes saved(RetentionIndex& index) {
    index.save(path(), {});
    return read_file(path());
}

Bytes made(Storage storage, Metric metric, std::size_t exact_below) {
    IndexOptions options;
    options.dim = kDim;
    options.storage = storage;
    options.metric = metric;
    options.threads = 1;
    options.graph = {2, 8, 3};
    options.exact_below = exact_below;
    RetentionIndex index(options);
    index.add(Rows(70, kDim, 0, 1, metric).batch(), false, false);
    index.remove(std::vector<RowId>{2, 9, 64}, false);
    index.add(Rows(1, kDim, 900, 2, metric).batch(), false, false);
    return saved(index);
}

// A file of every metric and storage, with a graph and without.
const std::vector<Bytes>& files() {
    static const std::vector<Bytes> all = [] {
        std::vector<Bytes> each;
        for (const Metric metric : {Metric::cosine, Metric::ip, Metric::l2}) {
            for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
                each.push_back(made(storage, metric, 10));
                each.push_back(made(storage, metric, 100));
            }
        }
        return each;
    }();
    return all;
}

// Reads an input from front to back; zeros follow its end.
class Program {
  public:
    explicit Program(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool over() const noexcept { return at_ >= bytes_.size(); }
    template <class T>
    T next() noexcept {
        T value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i, ++at_) {
            const std::uint64_t byte = over() ? 0 : bytes_[at_];
            value = static_cast<T>(value | static_cast<T>(byte << (8 * i)));
        }
        return value;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

// One edit: to an element or a scalar, to a field of an entry, or to any byte.
void edit(Program& program, Bytes& bytes) {
    const auto what = program.next<std::uint8_t>();
    const std::size_t entry =
        kPart * (1 + program.next<std::uint8_t>() % std::max<std::size_t>(entries_in(bytes), 1));
    const auto place = program.next<std::uint16_t>();
    const auto value = program.next<std::uint32_t>();
    if (what % 8 == 7) {
        bytes[place % bytes.size()] = static_cast<std::byte>(value);
        return;
    }
    if (what % 8 == 6) {
        put_number(bytes, entry + 32 + place % 28, value);
        return;
    }
    if (number_at<char>(bytes, entry + 32) == 's') {
        put_number(bytes, entry + 48, std::uint64_t{value});
        return;
    }
    const auto element = number_at<std::uint32_t>(bytes, entry + 36);
    const auto count = number_at<std::uint64_t>(bytes, entry + 40);
    const auto offset = number_at<std::uint64_t>(bytes, entry + 48);
    if (count != 0 && element >= 1 && element <= 8 && offset <= bytes.size() &&
        count <= (bytes.size() - offset) / element) {
        const std::uint64_t wide = what % 8 == 5 ? std::uint64_t{value} << 32U : value;
        std::memcpy(bytes.data() + offset + place % count * element, &wide, element);
    }
}

Bytes file_of(std::span<const std::uint8_t> data) {
    const auto bytes = std::as_bytes(data);
    if (!bytes.empty() && bytes[0] == kFileMark) {
        return {bytes.begin(), bytes.end()};
    }
    Program program(data);
    Bytes file = files()[program.next<std::uint8_t>() % files().size()];
    while (!program.over()) {
        edit(program, file);
    }
    return file;
}

// Opens a file; null if it is refused, which must be for what it holds.
std::unique_ptr<RetentionIndex> opened(const Bytes& bytes, Verify verify) {
    IndexOptions machine;
    machine.threads = 1;
    try {
        SnapshotReader reader("fuzz", Mapping::of_bytes("fuzz", bytes), verify);
        return RetentionIndex::open(reader, machine).index;
    } catch (const Error& error) {
        require(error.code() == Errc::corruption || error.code() == Errc::format_version);
        return nullptr;
    }
}

struct Asked {
    Weights weights;
    Predicate where;
    bool exact;
};

std::vector<Asked> questions() {
    Predicate few;
    few.scopes = {1};
    return {{{}, {}, false},
            {{1, 0, 0, 0}, {}, false},
            {{1, 0, 0, 0}, few, false},
            {{}, few, false},
            {{0.2F, 0.3F, 0.3F, 0.2F}, {}, true}};
}

// Keys and scores of all questions; each key at most once, and none that is not there.
std::vector<std::pair<RowId, float>> answers(const RetentionIndex& index) {
    std::vector<float> query(index.dim(), 0.5F);
    query.front() = -1.0F;
    fit(index.metric(), query);
    std::vector<std::pair<RowId, float>> all;
    for (const Asked& asked : questions()) {
        const Answer answer =
            index.search(query, {kK, kNow, asked.weights, 8, asked.exact}, asked.where)[0];
        require(answer.hits.size() <= kK);
        require(answer.live == index.size());
        require(!asked.where.scopes.has_value() || answer.hits.size() <= index.size());
        require(asked.where.scopes.has_value() || answer.hits.size() == std::min(kK, index.size()));
        std::vector<RowId> keys;
        for (const Hit& hit : answer.hits) {
            require(index.contains(hit.key));
            keys.push_back(hit.key);
            all.emplace_back(hit.key, hit.score);
        }
        std::sort(keys.begin(), keys.end());
        require(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    }
    return all;
}

void use(RetentionIndex& index) {
    (void)answers(index);
    const std::vector<RowId> before = index.keys();
    index.add(Rows(66, index.dim(), 40, 5, index.metric()).batch(), true, false);
    require(index.contains(40) && index.contains(105));
    std::vector<RowId> gone;
    for (std::size_t i = 0; i < before.size(); i += 3) {
        gone.push_back(before[i]);
    }
    index.remove(gone, false);
    index.reinforce(std::vector<RowId>(index.keys()), kNow, 1);
    const Bytes file = saved(index);
    const std::vector<std::pair<RowId, float>> mine = answers(index);
    const std::unique_ptr<RetentionIndex> again = opened(file, Verify::full);
    require(again != nullptr);
    require(mine == answers(*again));
    require(file == saved(*again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes = file_of({data, size});
    if (bytes.size() >= kPart) {
        reseal(bytes);
    }
    const std::unique_ptr<RetentionIndex> whole = opened(bytes, Verify::full);
    const std::unique_ptr<RetentionIndex> unseen = opened(bytes, Verify::header);
    require(whole == nullptr || unseen != nullptr);
    if (whole != nullptr && whole->dim() <= kMostDim && whole->size() <= kMostRows) {
        use(*whole);
    }
    return 0;
}
