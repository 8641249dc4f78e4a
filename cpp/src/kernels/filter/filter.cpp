// Validation and dispatch of the family filter.
#include "scrubjay/kernels/filter.h"

#include <bit>
#include <cmath>

#include "kernels/checks.h"
#include "kernels/filter/tables.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<FilterTable> kVariants = {
    &filter::kScalar,
    SCRUBJAY_IF_AVX2(filter::kAvx2),
    SCRUBJAY_IF_AVX512(filter::kAvx512),
    SCRUBJAY_IF_NEON(filter::kNeon),
};

// The tiles that both have.
template <class T>
std::size_t tiles_of(const char* fn, std::span<const T> column, std::span<std::uint64_t> words) {
    require_length(fn, "column", column.size(), 64 * words.size());
    return words.size();
}

}  // namespace

const FilterTable& filter_table(Isa isa) { return kVariants.of(isa); }

void filter_codes(std::span<const std::uint8_t> column, std::uint64_t allowed,
                  std::span<std::uint64_t> words, Isa isa) {
    const std::size_t tiles = tiles_of("filter_codes", column, words);
    require_each(
        "filter_codes", "column", column, [](std::uint8_t c) { return c < 64; }, "a code below 64");
    filter_table(isa).codes(column.data(), tiles, allowed, words.data());
}

void filter_at_least(std::span<const std::uint8_t> column, std::uint8_t least,
                     std::span<std::uint64_t> words, Isa isa) {
    const std::size_t tiles = tiles_of("filter_at_least", column, words);
    filter_table(isa).at_least_u8(column.data(), tiles, least, words.data());
}

void filter_at_least(std::span<const float> column, float least, std::span<std::uint64_t> words,
                     Isa isa) {
    const auto number = [](float value) { return !std::isnan(value); };
    const std::size_t tiles = tiles_of("filter_at_least", column, words);
    require_scalar(number(least), "filter_at_least", "least", static_cast<double>(least),
                   "a number");
    require_each("filter_at_least", "column", column, number, "a number");
    filter_table(isa).at_least_f32(column.data(), tiles, least, words.data());
}

void filter_bits(std::span<const std::uint8_t> column, std::uint8_t mask, std::uint8_t value,
                 std::span<std::uint64_t> words, Isa isa) {
    const std::size_t tiles = tiles_of("filter_bits", column, words);
    filter_table(isa).bits(column.data(), tiles, mask, value, words.data());
}

void filter_window(std::span<const Micros> column, Micros from, Micros to,
                   std::span<std::uint64_t> words, Isa isa) {
    const std::size_t tiles = tiles_of("filter_window", column, words);
    filter_table(isa).window(column.data(), tiles, from, to, words.data());
}

void filter_among(std::span<const std::uint32_t> column, std::span<const std::uint32_t> members,
                  std::span<std::uint64_t> words, Isa isa) {
    const std::size_t tiles = tiles_of("filter_among", column, words);
    filter_table(isa).among(column.data(), tiles, members.data(), members.size(), words.data());
}

void filter_folded(std::span<const std::uint32_t> column, std::span<const std::uint32_t> map,
                   std::uint32_t most, std::span<std::uint64_t> words, Isa isa) {
    constexpr std::size_t kMostWords = std::size_t{1} << 27U;  // 2^32 bits.
    const std::size_t tiles = tiles_of("filter_folded", column, words);
    require_scalar(std::has_single_bit(map.size()) && map.size() <= kMostWords, "filter_folded",
                   "map", static_cast<double>(map.size()),
                   "a power of two of 32-bit words, at most 2^27");
    const auto fold = static_cast<std::uint32_t>(32 * map.size() - 1);
    filter_table(isa).folded(column.data(), tiles, map.data(), fold, most, words.data());
}

}  // namespace scrubjay::kernels
