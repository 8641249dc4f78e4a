// The checksum against published values, against itself in pieces, and on every set.
#include "scrubjay/kernels/checksum.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/variants.h"

using namespace scrubjay;
using namespace scrubjay::kernels;
using namespace scrubjay::kernels::testing;

namespace {

std::vector<std::byte> drawn_bytes(std::size_t n) {
    std::vector<std::byte> bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        bytes[i] = static_cast<std::byte>(draw(kSeed, i));
    }
    return bytes;
}

}  // namespace

TEST_CASE("the check values of RFC 3720 come out") {
    std::vector<std::byte> up(32);
    for (std::size_t i = 0; i < up.size(); ++i) {
        up[i] = static_cast<std::byte>(i);
    }
    std::vector<std::byte> down(up.rbegin(), up.rend());
    std::vector<std::byte> digits(9);
    std::memcpy(digits.data(), "123456789", digits.size());
    for (const Isa isa : supported_isas()) {
        CHECK(0x8A9136AAU == crc32c(std::vector<std::byte>(32), 0, isa));
        CHECK(0x62A8AB43U == crc32c(std::vector<std::byte>(32, std::byte{0xFF}), 0, isa));
        CHECK(0x46DD794EU == crc32c(up, 0, isa));
        CHECK(0x113FDB5CU == crc32c(down, 0, isa));
        CHECK(0xE3069283U == crc32c(digits, 0, isa));
        CHECK(0U == crc32c({}, 0, isa));
    }
}

TEST_CASE("a run may be cut anywhere, also between the three streams") {
    const std::vector<std::byte> bytes = drawn_bytes(40'000);
    const std::uint32_t whole = crc32c(bytes, 0, Isa::scalar);
    for (const Isa isa : supported_isas()) {
        for (const std::size_t cut : {0UL, 1UL, 7UL, 4096UL, 12'287UL, 12'288UL, 24'577UL}) {
            const std::span<const std::byte> all(bytes);
            const std::uint32_t head = crc32c(all.first(cut), 0, isa);
            CHECK(whole == crc32c(all.subspan(cut), head, isa));
        }
    }
}

TEST_CASE("every set agrees for every length and place") {
    const std::vector<std::byte> bytes = drawn_bytes(kMost + 16);
    for_each_place([&](Isa isa, std::size_t begin, std::size_t length) {
        const auto run = std::span<const std::byte>(bytes).subspan(begin, length);
        CHECK(crc32c(run, 77, Isa::scalar) == crc32c(run, 77, isa));
    });
}

TEST_CASE("every flipped bit of a long run changes the checksum") {
    std::vector<std::byte> bytes = drawn_bytes(13'000);
    const std::uint32_t good = crc32c(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] ^= std::byte{1} << (i % 8);
        CHECK(good != crc32c(bytes));
        bytes[i] ^= std::byte{1} << (i % 8);
    }
}
