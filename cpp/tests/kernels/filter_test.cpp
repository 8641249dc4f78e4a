// The filters: every set gives the words of the scalar form, and a word that is 0 costs nothing.
#include "scrubjay/kernels/filter.h"

#include "kernels/variants.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

constexpr std::size_t kTiles = 5;
constexpr std::size_t kRows = 64 * kTiles;

template <class T>
std::vector<T> drawn_below(std::uint64_t key, std::uint64_t bound) {
    std::vector<T> column(kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
        column[i] = static_cast<T>(draw(key, i) % bound);
    }
    return column;
}

using Words = std::vector<std::uint64_t>;

// The words of each set, starting from what some earlier condition left.
template <class Filter>
void same_on_every_set(Filter filter) {
    const Words before{~std::uint64_t{0}, 0, 1, 0xF0F0F0F0F0F0F0F0U, draw(9, 9)};
    Words expected = before;
    filter(std::span(expected), Isa::scalar);
    CHECK(expected != before);
    for (const Isa isa : supported_isas()) {
        Words words = before;
        filter(std::span(words), isa);
        CHECK(expected == words);
        for (std::size_t t = 0; t < kTiles; ++t) {
            CHECK((words[t] & ~before[t]) == 0);
        }
    }
}

}  // namespace

TEST_CASE("filters only ever narrow, alike on every instruction set") {
    const auto codes = drawn_below<std::uint8_t>(1, 64);
    const auto bytes = drawn_below<std::uint8_t>(2, 256);
    const auto numbers = drawn_below<std::uint32_t>(3, 900);
    const auto instants = drawn_below<Micros>(4, 1000);
    const auto floats = drawn(kRows, 0.0F, 1.0F, 5);
    const std::vector<std::uint32_t> members{1, 5, 8, 700};
    const auto map = drawn_below<std::uint32_t>(6, 1ULL << 32U);
    const std::span<const std::uint32_t> half(map.data(), 16);
    same_on_every_set([&](auto words, Isa isa) { filter_codes(codes, draw(7, 7), words, isa); });
    same_on_every_set([&](auto words, Isa isa) {
        filter_at_least(std::span(bytes), std::uint8_t{130}, words, isa);
    });
    same_on_every_set([&](auto words, Isa isa) { filter_at_least(floats, 0.5F, words, isa); });
    same_on_every_set([&](auto words, Isa isa) { filter_bits(bytes, 3, 1, words, isa); });
    same_on_every_set([&](auto words, Isa isa) { filter_window(instants, 200, 800, words, isa); });
    same_on_every_set([&](auto words, Isa isa) { filter_among(numbers, members, words, isa); });
    same_on_every_set([&](auto words, Isa isa) { filter_folded(numbers, half, 800, words, isa); });
}

TEST_CASE("rows of a tile that is already out are not read") {
    Words words{0};
    // A column of no rows at all: reading it would be found by the sanitizers.
    const FilterTable& table = filter_table();
    table.codes(nullptr, 1, 1, words.data());
    table.at_least_u8(nullptr, 1, 1, words.data());
    table.at_least_f32(nullptr, 1, 1.0F, words.data());
    table.bits(nullptr, 1, 1, 1, words.data());
    table.window(nullptr, 1, 1, 2, words.data());
    table.among(nullptr, 1, nullptr, 0, words.data());
    table.folded(nullptr, 1, nullptr, 31, 31, words.data());
    CHECK(0 == words[0]);
}
