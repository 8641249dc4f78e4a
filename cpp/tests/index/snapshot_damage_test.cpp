// Damaged and crafted files: refused, or at the very worst an index whose answers are wrong.
#include <bit>
#include <limits>
#include <memory>

#include "index/damage.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

TEST_CASE("every flipped byte is noticed") {
    for (const auto& [storage, graph] :
         {std::pair{Storage::f32, true}, {Storage::f16, false}, {Storage::i8, false}}) {
        Bytes bytes = small_file(storage, graph);
        REQUIRE(!refused(bytes, Verify::full));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::byte mask = std::byte{1} << (i % 8);
            bytes[i] ^= mask;
            INFO("byte " << i);
            CHECK(refused(bytes, Verify::full));
            (void)refused(bytes, Verify::header);
            bytes[i] ^= mask;
        }
    }
}

TEST_CASE("every file cut short or made longer is noticed, without checksums too") {
    const Bytes whole = small_file(Storage::i8, false);
    for (const Verify verify : {Verify::full, Verify::header}) {
        for (std::size_t length = 0; length < whole.size(); ++length) {
            INFO("length " << length);
            CHECK(refused(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)),
                          verify));
        }
        for (const std::size_t more : {1UL, 64UL, 5000UL}) {
            Bytes longer = whole;
            longer.insert(longer.end(), more, std::byte{0});
            CHECK(refused(longer, verify));
        }
    }
}

TEST_CASE("sections that change places are noticed even where their checksums go with them") {
    const Bytes whole = small_file(Storage::i8);
    for (std::size_t a = 1; a <= entries_in(whole); ++a) {
        for (std::size_t b = a + 1; b <= entries_in(whole); ++b) {
            Bytes bytes = whole;
            std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a * kPart),
                             bytes.begin() + static_cast<std::ptrdiff_t>((a + 1) * kPart),
                             bytes.begin() + static_cast<std::ptrdiff_t>(b * kPart));
            reseal(bytes);
            CHECK(refused(bytes, Verify::full));
        }
    }
}

TEST_CASE("counts that overflow or exceed the file are refused") {
    const Bytes whole = small_file(Storage::f32);
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{1} << 32U, std::uint64_t{1} << 61U,
          (std::uint64_t{1} << 61U) + 128, (std::uint64_t{1} << 62U) + 128,
          std::numeric_limits<std::uint64_t>::max()}) {
        for (std::size_t i = 1; i <= entries_in(whole); ++i) {
            Bytes bytes = whole;
            if (number_at<char>(bytes, i * kPart + 32) != 's' &&
                number_at<std::uint64_t>(bytes, i * kPart + 40) != count) {
                put_number(bytes, i * kPart + 40, count);
                reseal(bytes);
                CHECK(refused(bytes, Verify::full));
            }
        }
    }
}

TEST_CASE("another version and another kind of machine are told apart from damage") {
    const Bytes whole = small_file(Storage::f32);
    const auto code_of = [](const Bytes& bytes) {
        try {
            (void)open_bytes(bytes, Verify::full);
        } catch (const Error& error) {
            return error.code();
        }
        return Errc::invalid_argument;
    };
    for (const std::size_t at : {8UL, 12UL, 16UL}) {
        Bytes bytes = whole;
        put_number(bytes, at, std::uint32_t{0x04030201});
        CHECK(Errc::format_version == code_of(bytes));
        reseal(bytes);
        CHECK(Errc::format_version == code_of(bytes));
    }
    Bytes bytes = whole;
    bytes.back() ^= std::byte{1};
    CHECK(Errc::corruption == code_of(bytes));
}

TEST_CASE("impossible values behind right checksums are refused") {
    struct Craft {
        Storage storage;
        const char* name;
        std::size_t element;
        std::uint64_t value;
        std::size_t bytes;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto bits = [](float value) {
        return std::uint64_t{std::bit_cast<std::uint32_t>(value)};
    };
    const std::uint64_t low = std::uint64_t{1} << 63U;
    const std::vector<Craft> crafts{
        {Storage::f32, "table.free", 0, 5, 4},   // Live.
        {Storage::f32, "table.free", 0, 64, 4},  // Twice.
        {Storage::f32, "table.free", 0, 4'000'000'000, 4},
        {Storage::f32, "table.free", 1, 100, 4},  // Never used.
        {Storage::f32, "table.occupied", 1, ~std::uint64_t{0}, 8},
        {Storage::f32, "table.occupied", 0, ~std::uint64_t{0}, 8},
        {Storage::f32, "table.occupied", 0, 1, 8},
        {Storage::f32, "table.key", 3, 1, 8},  // The key of slot 0.
        {Storage::f32, "table.key", 2, 9, 8},  // Of a free slot.
        {Storage::f32, "table.kind", 3, 64, 1},
        {Storage::f32, "table.category", 3, 255, 1},
        {Storage::f32, "table.state", 3, 64, 1},
        {Storage::f32, "table.plane", 3, 64, 1},
        {Storage::f32, "table.quality", 3, bits(nan), 4},
        {Storage::f32, "table.quality", 3, bits(1.5F), 4},
        {Storage::f32, "table.salience", 3, bits(-0.5F), 4},
        {Storage::f32, "table.half_life_us", 3, 0, 8},
        {Storage::f32, "table.half_life_us", 3, low, 8},
        {Storage::f32, "table.last_us", 3, low, 8},
        {Storage::f32, "table.event_us", 3, low, 8},
        {Storage::f32, "table.gain", 3, bits(0.0F), 4},
        {Storage::f32, "table.gain", 3, bits(nan), 4},
        {Storage::f32, "table.scope", 2, 1, 4},  // Of a free slot.
        {Storage::f32, "vectors.f32", 7, bits(nan), 4},
        {Storage::f32, "vectors.f32", 7, bits(std::numeric_limits<float>::infinity()), 4},
        {Storage::f32, "vectors.f32", 7, bits(-3.0F), 4},
        {Storage::f16, "vectors.f16", 7, 0x7E00, 2},
        {Storage::f16, "vectors.f16", 7, 0xFC00, 2},
        {Storage::i8, "vectors.i8", 7, 0x80, 1},
        {Storage::i8, "vectors.scale", 7, bits(nan), 4},
        {Storage::i8, "vectors.residual", 7, bits(nan), 4},
    };
    for (const Craft& craft : crafts) {
        Bytes bytes = small_file(craft.storage);
        REQUIRE(craft.element < elements_of(bytes, craft.name));
        std::memcpy(bytes.data() + section_at(bytes, craft.name) + craft.element * craft.bytes,
                    &craft.value, craft.bytes);
        reseal(bytes);
        INFO(craft.name << "[" << craft.element << "] = " << craft.value);
        CHECK(refused(bytes, Verify::full));
    }
}

TEST_CASE("lengths and bounds that no row has are refused behind right checksums") {
    const auto refuses = [](const Bytes& whole, const char* name, float value) {
        Bytes bytes = whole;
        put_number(bytes, section_at(bytes, name) + 3 * sizeof(float), value);
        reseal(bytes);
        INFO(name << "[3] = " << value);
        CHECK(refused(bytes, Verify::full));
        (void)refused(bytes, Verify::header);
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const Storage storage : {Storage::f16, Storage::i8}) {
        const Bytes whole = small_file(storage, true, Metric::l2);
        REQUIRE(!refused(whole, Verify::full));
        for (const float value : {kNan, -kNan, kInfinity, -kInfinity, -1.0F, -0x1.0p-149F}) {
            for (const char* name : {"vectors.length", "vectors.square", "vectors.residual"}) {
                refuses(whole, name, value);
            }
        }
        refuses(whole, "vectors.length", 0x1.000002p60F);
        refuses(whole, "vectors.square", 0x1.000002p121F);
        refuses(whole, "vectors.residual", 0x1.000002p1F);
    }
    const Bytes coded = small_file(Storage::i8);
    for (const float value : {-1.0F / 127.0F, kNan, 2.0F}) {
        refuses(coded, "vectors.scale", value);
    }
}

TEST_CASE("a length that is not the row's can hide rows, but never changes what is said of one") {
    const auto check = [](const Bytes& whole, const char* name, float value) {
        Bytes bytes = whole;
        for (std::size_t slot = 3; slot < 70; slot += 4) {
            put_number(bytes, section_at(bytes, name) + slot * sizeof(float), value);
        }
        reseal(bytes);
        INFO(name << " = " << value);
        REQUIRE(!refused(bytes, Verify::full));
        const std::vector<float> query = World(1, 3, 5).query(1);
        const auto truth = open_bytes(whole, Verify::full).index->similarity(query, {});
        const auto opened = open_bytes(bytes, Verify::full);
        for (const bool exact : {false, true}) {
            const SearchOptions options{10, kNow, {1, 0, 0, 0}, 64, exact};
            const Answer answer = opened.index->search(query, options, {}).front();
            CHECK(10 == answer.hits.size());
            for (const Hit& hit : answer.hits) {
                const auto at = std::find(truth.keys.begin(), truth.keys.end(), hit.key);
                REQUIRE(at != truth.keys.end());
                CHECK(truth.values[static_cast<std::size_t>(at - truth.keys.begin())] ==
                      hit.similarity);
            }
        }
    };
    for (const Storage storage : {Storage::f16, Storage::i8}) {
        const Bytes whole = small_file(storage, true, Metric::l2);
        for (const float value : {0.0F, 0x1.0p-149F, 0x1.0p60F}) {
            check(whole, "vectors.length", value);
            check(whole, "vectors.square", value);
        }
    }
}

TEST_CASE("impossible scalars behind right checksums are refused") {
    for (const auto& [name, value] : std::vector<std::pair<const char*, std::uint64_t>>{
             {"options.dim", 0},
             {"options.dim", 65'537},
             {"options.dim", 200},
             {"options.storage", 3},
             {"options.storage", 1},
             {"options.storage", ~std::uint64_t{0}},
             {"options.keep_originals", 2},
             {"options.frequency_ceiling", std::uint64_t{1} << 32U},
             {"options.metric", 3},
             {"options.metric", 256},
             {"options.links", 1},
             {"options.links", 3},
             {"options.links", 129},
             {"options.ef_construction", 0},
             {"options.ef_construction", 10'001},
             {"options.seed", 4},
             {"options.exact_below", 0},
             {"graph.exists", 0},
             {"graph.exists", 2},
             {"table.used", 69},
             {"table.used", 1000},
             {"table.used", std::uint64_t{1} << 32U},
         }) {
        Bytes bytes = small_file(Storage::f32);
        put_number(bytes, entry_at(bytes, name) + 48, value);
        reseal(bytes);
        INFO(name << " = " << value);
        CHECK(refused(bytes, Verify::full));
        CHECK(refused(bytes, Verify::header));
    }
}
