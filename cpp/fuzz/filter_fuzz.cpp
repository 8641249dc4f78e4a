// Any predicate over any table against its definition: the input is read as columns, predicates and
// changes between them. A selection must say the same lazily, settled and remembered, tile by tile and
// slot by slot, with every instruction set that was built in.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "scrubjay/index/filter.h"
#include "scrubjay/index/growth.h"

using namespace scrubjay;
using namespace scrubjay::index;

namespace {

constexpr std::size_t kMostPredicates = 6;  // Of one input: more find nothing new.
constexpr std::size_t kManyRows = 17'000;   // More tiles than an estimate samples.
constexpr RowId kStep = 0x0100'0000'0000'0001;

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

    template <class T>
    T bits() noexcept {
        std::array<std::uint8_t, sizeof(T)> raw{};
        for (std::uint8_t& byte : raw) {
            byte = next();
        }
        return std::bit_cast<T>(raw);
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

// What a byte stands for in a column or a condition on it: numbers that meet, and the ends of ranges.
std::uint32_t scope_of(std::uint8_t byte) {
    switch (byte >> 6U) {
        case 0:
        case 1:
            return byte;
        case 2:
            return UINT32_MAX - byte;
        default:
            return std::uint32_t{byte} << 24U | byte;
    }
}

Micros instant_of(std::uint8_t byte) {
    const Micros near = Micros{byte} - 128;
    return byte % 16 == 0 ? kLatestUs : byte % 16 == 1 ? -kLatestUs : near;
}

float unit_of(std::uint8_t byte) { return static_cast<float>(byte) / 255.0F; }

RowId key_of(std::size_t i) {
    return static_cast<RowId>(static_cast<std::uint64_t>(kStep) * i + (i % 2) * (1ULL << 63U));
}

// A few bytes of the input, repeated for as many rows as there are.
class Pattern {
  public:
    explicit Pattern(Program& program) : bytes_(1 + program.next() % 24) {
        for (std::uint8_t& byte : bytes_) {
            byte = program.next();
        }
    }
    [[nodiscard]] std::uint8_t at(std::size_t i) const { return bytes_[i % bytes_.size()]; }

  private:
    std::vector<std::uint8_t> bytes_;
};

class World {
  public:
    explicit World(Program& program) {
        const std::uint8_t size = program.next();
        const std::size_t rows = size == 255 ? kManyRows : 3 * std::size_t{size};
        add(program, rows);
    }

    [[nodiscard]] const Table& table() const noexcept { return table_; }

    // Adds rows, whose columns are the next patterns of the program.
    void add(Program& program, std::size_t rows) {
        std::vector<Pattern> patterns;
        for (std::size_t column = 0; column < kColumns; ++column) {
            patterns.emplace_back(program);
        }
        for (std::size_t i = 0; i < rows; ++i) {
            const RowId key = key_of(added_ + i);
            const Slot slot = table_.claim(key);
            write(slot, key, patterns, i);
        }
        added_ += rows;
    }

    // Removes some rows; some of the slots may be claimed again, others stay parked.
    void remove(Program& program) {
        const std::size_t step = 1 + program.next();
        const bool recycled = program.next() % 2 == 0;
        std::vector<Slot> left;
        for (std::size_t i = program.next(); i < added_; i += step) {
            if (table_.find(key_of(i)) != kNoSlot) {
                left.push_back(table_.release(key_of(i)));
            }
        }
        if (recycled) {
            Growth growth;
            table_.stage_release(left.size(), growth);
            growth.publish();
            table_.recycle(left);
        }
    }

    void rewrite(Program& program) {
        const std::size_t i = program.next();
        const Slot slot = table_.find(key_of(i));
        if (slot != kNoSlot) {
            const std::vector<Pattern> patterns(kColumns, Pattern(program));
            write(slot, key_of(i), patterns, 0);
        }
    }

  private:
    static constexpr std::size_t kColumns = 9;

    void write(Slot slot, RowId key, const std::vector<Pattern>& patterns, std::size_t i) {
        const std::uint32_t scope = scope_of(patterns[0].at(i));
        std::array<std::uint8_t, 6> codes{};
        for (std::size_t c = 0; c < codes.size(); ++c) {
            codes[c] = patterns[c + 1].at(i);
        }
        for (std::size_t c = 0; c < 4; ++c) {
            codes[c] %= kCodes;
        }
        const float quality = unit_of(patterns[7].at(i));
        const Micros event = instant_of(patterns[8].at(i));
        RowBatch batch;
        batch.keys = {&key, 1};
        batch.scope = {&scope, 1};
        batch.kind = {&codes[0], 1};
        batch.category = {&codes[1], 1};
        batch.state = {&codes[2], 1};
        batch.plane = {&codes[3], 1};
        batch.authority = {&codes[4], 1};
        batch.flags = {&codes[5], 1};
        batch.quality = {&quality, 1};
        batch.event_us = {&event, 1};
        table_.write(slot, batch, 0);
    }

    Table table_;
    std::size_t added_ = 0;
};

template <class T, class Make>
void ids(Program& program, std::optional<std::vector<T>>& out, Make make) {
    const std::uint8_t how = program.next();
    if (how % 4 != 0) {
        return;
    }
    out.emplace();
    for (std::size_t i = 0; i < how / 4; ++i) {
        out->push_back(make(program.next()));
    }
}

Micros window_end(Program& program) {
    return program.next() % 8 == 0 ? program.bits<Micros>() : instant_of(program.next());
}

// Each bit of the first two bytes is one condition that is asked.
Predicate predicate_of(Program& program) {
    const auto asked = program.bits<std::uint16_t>();
    unsigned next = 0;
    const auto wanted = [&] { return ((asked >> next++) & 1U) != 0; };
    Predicate where;
    for (std::uint64_t* set : {&where.kinds, &where.categories, &where.states, &where.planes}) {
        if (wanted()) {
            *set = program.bits<std::uint64_t>();
        }
    }
    where.authority_min = wanted() ? program.next() : std::uint8_t{0};
    where.flags_all = wanted() ? program.next() : std::uint8_t{0};
    where.flags_none = wanted() ? program.next() : std::uint8_t{0};
    if (wanted()) {
        const auto any = program.bits<float>();
        where.quality_min =
            program.next() % 8 != 0 || !std::isfinite(any) ? unit_of(program.next()) : any;
    }
    if (wanted()) {
        where.event_from_us = window_end(program);
    }
    if (wanted()) {
        where.event_to_us = window_end(program);
    }
    if (wanted()) {
        ids(program, where.scopes, scope_of);
    }
    if (wanted()) {
        const std::size_t stride = 1 + program.next() % 100;
        ids(program, where.keys, [&](std::uint8_t byte) { return key_of(stride * byte); });
    }
    if (wanted()) {
        where.remembered = std::make_shared<Remembered>();
    }
    return where;
}

// The predicate read literally.
class Definition {
  public:
    Definition(const Table& table, const Predicate& where) : table_(&table), where_(&where) {
        if (where.scopes) {
            scopes_.insert(where.scopes->begin(), where.scopes->end());
        }
        if (where.keys) {
            keys_.insert(where.keys->begin(), where.keys->end());
        }
    }

    [[nodiscard]] bool named(Slot slot) const {
        const RowId key = table_->columns().key[slot];
        return table_->find(key) == slot && (!where_->keys || keys_.count(key) != 0);
    }

    [[nodiscard]] bool operator()(Slot slot) const {
        const Columns& rows = table_->columns();
        const auto coded = [slot](std::uint64_t set, const AlignedArray<std::uint8_t>& column) {
            return ((set >> column[slot]) & 1U) != 0;
        };
        return named(slot) && (!where_->scopes || scopes_.count(rows.scope[slot]) != 0) &&
               coded(where_->kinds, rows.kind) && coded(where_->categories, rows.category) &&
               coded(where_->states, rows.state) && coded(where_->planes, rows.plane) &&
               rows.authority[slot] >= where_->authority_min &&
               (rows.flags[slot] & where_->flags_all) == where_->flags_all &&
               (rows.flags[slot] & where_->flags_none) == 0 &&
               !(rows.quality[slot] < where_->quality_min) &&
               rows.event_us[slot] >= where_->event_from_us &&
               (!where_->event_to_us || rows.event_us[slot] < *where_->event_to_us);
    }

  private:
    const Table* table_;
    const Predicate* where_;
    std::set<std::uint32_t> scopes_;
    std::set<RowId> keys_;
};

void check(const Table& table, const Predicate& where) {
    const Definition definition(table, where);
    std::vector<std::uint64_t> words(table.tiles());
    std::size_t count = 0;
    std::size_t tiles = 0;  // That can hold a match.
    for (std::size_t tile = 0; tile < table.tiles(); ++tile) {
        bool possible = false;
        for (std::size_t i = 0; i < kTileRows; ++i) {
            const auto slot = static_cast<Slot>(tile * kTileRows + i);
            possible = possible || definition.named(slot);
            if (definition(slot)) {
                words[tile] |= std::uint64_t{1} << i;
                ++count;
            }
        }
        tiles += possible ? 1U : 0U;
    }
    for (const kernels::Isa isa : kernels::supported_isas()) {
        Selection selection(table, where, isa);
        const std::size_t estimate = selection.estimate();
        require(estimate <= table.live() && (count > 0 || estimate == 0));
        require(tiles > Selection::kSampledTiles || estimate == count);
        for (const bool settled : {false, true}) {
            for (std::size_t tile = 0; tile < table.tiles(); ++tile) {
                require(selection.word(tile) == words[tile]);
                for (std::size_t i = 0; i < kTileRows; ++i) {
                    const bool expected = ((words[tile] >> i) & 1U) != 0;
                    require(selection.matches(static_cast<Slot>(tile * kTileRows + i)) == expected);
                }
            }
            if (!settled) {
                selection.settle();
            }
        }
        require(selection.settled() && selection.count() == count);
        require(where.remembered == nullptr || Selection(table, where, isa).settled());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Program program({data, size});
    World world(program);
    for (std::size_t asked = 0; asked == 0 || (asked < kMostPredicates && !program.over());
         ++asked) {
        const Predicate where = predicate_of(program);
        check(world.table(), where);
        switch (program.next() % 4) {
            case 0:
                world.remove(program);
                break;
            case 1:
                world.add(program, program.next() % 70);
                break;
            case 2:
                world.rewrite(program);
                break;
            default:
                continue;
        }
        check(world.table(), where);
    }
    return 0;
}
