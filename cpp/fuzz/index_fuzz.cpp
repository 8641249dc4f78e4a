// Any history of changes against a plain map: the input is read as a program of small batches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <span>
#include <vector>

#include "scrubjay/base/error.h"
#include "scrubjay/index/retention_index.h"

using namespace scrubjay;
using namespace scrubjay::index;

namespace {

constexpr std::size_t kDim = 3;
constexpr std::size_t kMostRows = 70;  // In one batch: more than a tile.
constexpr Micros kNow = 1'000'000;

void require(bool good) {
    if (!good) {
        std::abort();
    }
}

class Program {
  public:
    explicit Program(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool over() const noexcept { return at_ == bytes_.size(); }
    std::uint8_t next() noexcept { return over() ? std::uint8_t{0} : bytes_[at_++]; }

    // Distinct keys, some of them at the ends of their range.
    std::vector<RowId> keys() {
        std::vector<RowId> keys;
        const std::size_t count = next() % kMostRows;
        const RowId first = next() % 4 == 0 ? INT64_MAX - static_cast<RowId>(kMostRows) : next();
        const RowId step = 1 + next() % 3;
        for (std::size_t i = 0; i < count; ++i) {
            keys.push_back(i == 0 && first == 3
                               ? INT64_MIN
                               : first + static_cast<RowId>(i) % 23 + (step > 2 ? 23 : 0));
        }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        return keys;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

// The columns of n rows, all of them given.
struct Rows {
    std::vector<float> vectors;
    std::vector<std::uint32_t> scope;
    std::vector<std::uint8_t> code;
    std::vector<float> unit;
    std::vector<Micros> time;
    std::vector<float> gain;

    Rows(std::size_t n, Program& program)
        : scope(n, program.next()),
          code(n, program.next() % 64),
          unit(n, 0.5F),
          time(n, kNow),
          gain(n, 1.0F) {
        for (std::size_t i = 0; i < n * kDim; ++i) {
            vectors.push_back(static_cast<float>(program.next()) - 127.5F);
        }
    }

    [[nodiscard]] RowBatch batch(std::span<const RowId> keys) const {
        return {keys, vectors, scope, code,  code, code, code, code,
                code, unit,    unit,  scope, time, time, time, gain};
    }
};

class History {
  public:
    explicit History(Storage storage) : index_(options(storage)) {}

    void step(Program& program) {
        const std::uint8_t what = program.next() % 8;
        const std::vector<RowId> keys = program.keys();
        const Rows rows(keys.size(), program);
        const bool known = std::all_of(keys.begin(), keys.end(),
                                       [this](RowId key) { return live_.count(key) != 0; });
        const bool fresh = std::none_of(keys.begin(), keys.end(),
                                        [this](RowId key) { return live_.count(key) != 0; });
        switch (what) {
            case 0:
            case 1:
                expect(what == 1 || fresh, [&] { index_.add(rows.batch(keys), what == 1, false); });
                remember(what == 1 || fresh, keys, rows);
                break;
            case 2:
                expect(known, [&] { index_.update(rows.batch(keys), false); });
                remember(known, keys, rows);
                break;
            case 3:
                expect(known, [&] { index_.reinforce(keys, kNow + 1, 2); });
                break;
            case 4:
                expect(known, [&] { require(index_.remove(keys, false) == keys.size()); });
                forget(known, keys);
                break;
            case 5:
                index_.reserve(3 * keys.size());
                break;
            case 6:
                index_.shrink();
                break;
            default:
                index_.remove(keys, true);
                forget(true, keys);
                break;
        }
        check(program);
    }

  private:
    static IndexOptions options(Storage storage) {
        IndexOptions options;
        options.dim = kDim;
        options.storage = storage;
        options.threads = 1;
        return options;
    }

    template <class Call>
    static void expect(bool good, Call call) {
        bool refused = false;
        try {
            call();
        } catch (const Error&) {
            refused = true;
        }
        require(refused != good);
    }

    void remember(bool done, std::span<const RowId> keys, const Rows& rows) {
        for (std::size_t i = 0; done && i < keys.size(); ++i) {
            live_[keys[i]] = rows.scope[i];
        }
    }

    void forget(bool done, std::span<const RowId> keys) {
        for (std::size_t i = 0; done && i < keys.size(); ++i) {
            live_.erase(keys[i]);
        }
    }

    void check(Program& program) const {
        const std::vector<RowId> keys = index_.keys();
        require(std::equal(keys.begin(), keys.end(), live_.begin(), live_.end(),
                           [](RowId key, const auto& row) { return key == row.first; }));
        Predicate where;
        where.scopes = {program.next()};
        const std::size_t k = 1 + program.next();
        const auto matching = static_cast<std::size_t>(
            std::count_if(live_.begin(), live_.end(),
                          [&](const auto& row) { return row.second == where.scopes->front(); }));
        const std::vector<float> query{1.0F, static_cast<float>(program.next()), -2.0F};
        const Answer answer = index_.search(query, {k, kNow, {}}, where)[0];
        require(answer.matched == matching && answer.hits.size() == std::min(k, matching));
        require(answer.live == live_.size());
    }

    RetentionIndex index_;
    std::map<RowId, std::uint32_t> live_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Program program({data, size});
    History history(static_cast<Storage>(program.next() % 3));
    while (!program.over()) {
        history.step(program);
    }
    return 0;
}
