// Dots and cosines against their definition, on every set, at every length and odd place.
#include "scrubjay/kernels/distance.h"

#include <algorithm>
#include <array>

#include "kernels/variants.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/quantise.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

float defined_dot(std::span<const float> a, std::span<const float> b) {
    std::array<float, 16> lane{};
    for (std::size_t i = 0; i < a.size(); ++i) {
        lane[i % 16] += a[i] * b[i];
    }
    for (std::size_t width = 8; width > 0; width /= 2) {
        for (std::size_t i = 0; i < width; ++i) {
            lane[i] += lane[i + width];
        }
    }
    return lane[0];
}

std::vector<Half> halves_of(std::span<const float> values) {
    std::vector<Half> halves(values.size());
    encode_f16(values, halves);
    return halves;
}

}  // namespace

TEST_CASE("dot has the bits of its definition at every length, place and set") {
    const auto a = drawn(kMost + 16, -1.0F, 1.0F, 1);
    const auto b = drawn(kMost + 16, -1.0F, 1.0F, 2);
    const auto half = halves_of(a);
    std::vector<float> widened(half.size());
    std::transform(half.begin(), half.end(), widened.begin(), to_float);
    for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
        const auto y = std::span(b).subspan(begin, length);
        CHECK(defined_dot(std::span(a).subspan(begin, length), y) ==
              dot(std::span(a).subspan(begin, length), y, isa));
        CHECK(defined_dot(std::span(widened).subspan(begin, length), y) ==
              dot(std::span<const Half>(half).subspan(begin, length), y, isa));
    });
}

TEST_CASE("integer dots are exact, also of the extremes") {
    std::vector<std::int8_t> codes(70'000, -128);
    std::vector<std::int16_t> words(codes.size(), -32768);
    for (const Isa isa : supported_isas()) {
        for (const std::size_t length : {0UL, 1UL, 15UL, 2047UL, 2048UL, 2049UL, 70'000UL}) {
            const auto expected = static_cast<std::int64_t>(length) << 22U;
            CHECK(expected == dot(std::span<const std::int8_t>(codes).first(length),
                                  std::span<const std::int16_t>(words).first(length), isa));
        }
    }
}

TEST_CASE("scans equal single dots, also over rows with a stride and in any order") {
    constexpr std::size_t kRows = 11;
    const auto rows = drawn(kRows * 160, -1.0F, 1.0F, 3);
    const auto query = drawn(160, -1.0F, 1.0F, 4);
    const std::vector<std::uint32_t> slots{10, 0, 3, 3, 7, 1, 9};
    for (const Isa isa : supported_isas()) {
        const DistanceTable& table = distance_table(isa);
        for (const std::size_t dim : {1UL, 16UL, 31UL, 160UL}) {
            std::vector<float> all(kRows);
            std::vector<float> some(slots.size());
            table.scan_f32(query.data(), rows.data(), 160, dim, kRows, all.data());
            table.at_f32(query.data(), rows.data(), 160, dim, slots.data(), slots.size(),
                         some.data());
            for (std::size_t r = 0; r < kRows; ++r) {
                CHECK(table.dot_f32(rows.data() + r * 160, query.data(), dim) == all[r]);
            }
            for (std::size_t i = 0; i < slots.size(); ++i) {
                CHECK(all[slots[i]] == some[i]);
            }
        }
    }
}

TEST_CASE("integer scans equal single dots, also of the extremes and of long rows") {
    constexpr std::size_t kRows = 9;
    const std::vector<std::uint32_t> slots{8, 0, 3, 3, 7};
    for (const std::size_t dim : {1UL, 63UL, 64UL, 256UL, 2048UL, 2112UL}) {
        const auto largest = static_cast<std::int16_t>(query_amplitude(dim));
        std::vector<std::int8_t> rows(kRows * dim);
        std::vector<std::int16_t> query(dim);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = static_cast<std::int8_t>(i < dim ? 127 : draw(5, i) % 255 - 127);
        }
        for (std::size_t i = 0; i < dim; ++i) {
            query[i] = dim % 2 == 0 ? largest : static_cast<std::int16_t>(-largest);
        }
        query[dim / 2] = 1;
        for (const Isa isa : supported_isas()) {
            const DistanceTable& table = distance_table(isa);
            std::vector<std::int32_t> all(kRows);
            std::vector<std::int32_t> some(slots.size());
            table.scan_i8(query.data(), rows.data(), dim, dim, kRows, all.data());
            table.at_i8(query.data(), rows.data(), dim, dim, slots.data(), slots.size(),
                        some.data());
            for (std::size_t r = 0; r < kRows; ++r) {
                CHECK(table.dot_i8(rows.data() + r * dim, query.data(), dim) == all[r]);
            }
            for (std::size_t i = 0; i < slots.size(); ++i) {
                CHECK(all[slots[i]] == some[i]);
            }
        }
    }
}

TEST_CASE("cosine is defined for zero, huge and tiny vectors") {
    const std::vector<float> zero(3, 0.0F);
    const std::vector<float> huge{3e38F, 0.0F, 3e38F};
    const std::vector<float> tiny{1e-45F, 1e-45F, 0.0F};
    for (const Isa isa : supported_isas()) {
        CHECK(0.0F == cosine(zero, huge, isa));
        CHECK(std::abs(cosine(huge, tiny, isa) - 0.5F) < 1e-6F);
    }
}

TEST_CASE("what is not finite is refused with its place") {
    std::vector<float> a(40, 1.0F);
    const std::vector<float> b(40, 1.0F);
    a[17] = std::numeric_limits<float>::quiet_NaN();
    try {
        (void)dot(a, b);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(Errc::unit_out_of_range == error.code());
        CHECK(std::string(error.what()).starts_with("dot: a[17] is out of range, got nan"));
    }
    CHECK_THROWS_AS((void)dot(std::span(b).first(3), std::span(b).first(4)), Error);
}

TEST_CASE("halves round trip exactly and floats round to the nearest half, ties to even") {
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        const Half half{static_cast<std::uint16_t>(bits)};
        if ((bits & 0x7C00U) != 0x7C00U) {
            CHECK(bits == to_half(to_float(half)).bits);
        }
    }
    CHECK(0x3C00 == to_half(1.0F + 0x1.0p-11F).bits);         // A tie, down to even.
    CHECK(0x3C02 == to_half(1.0F + 3.0F * 0x1.0p-11F).bits);  // A tie, up to even.
    CHECK(0x7C00 == to_half(65520.0F).bits);                  // Beyond the largest: infinity.
    CHECK(0x0000 == to_half(0x1.0p-25F).bits);                // A tie with the smallest: to 0.
    CHECK(0x8001 == to_half(-0x1.8p-25F).bits);
}

TEST_CASE("the estimate of a coded row is within its bound") {
    for (std::uint64_t key = 0; key < 200; ++key) {
        const std::size_t dim = 1 + key % kMost;
        auto row = drawn(dim, -1.0F, 1.0F, 10 + key);
        auto query = drawn(dim, -1.0F, 1.0F, 500 + key);
        for (auto* v : {&row, &query}) {
            const double length = length_of(*v);
            for (float& x : *v) {
                x = static_cast<float>(static_cast<double>(x) / length);
            }
        }
        std::vector<std::int8_t> codes(dim);
        std::vector<std::int16_t> words(dim);
        const Coded coded = encode_i8(row, codes);
        const CodedQuery asked = encode_query(query, words);
        const EstimateBound bound = bound_i8(asked, dim);
        const auto whole = static_cast<double>(
            dot(std::span<const std::int8_t>(codes), std::span<const std::int16_t>(words)));
        const double estimate =
            static_cast<double>(coded.scale) * static_cast<double>(asked.step) * whole;
        CHECK(std::abs(estimate - static_cast<double>(dot(row, query))) <=
              static_cast<double>(bound.per_residual * coded.residual + bound.fixed));
    }
}
