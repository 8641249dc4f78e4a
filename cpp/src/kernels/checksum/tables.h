// Remainders computed while compiling: what each byte of a register becomes further on.
//
// kAhead[k][b] is byte b followed by k more zero bytes, so eight look-ups take in eight bytes.
// kPast[k][b] is byte k of a register, worth b, followed by kStream zero bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

// Bytes of one of the three streams; a power of two.
inline constexpr std::size_t kStream = 4096;

struct ByteTables {
    std::uint32_t at[8][256];
};

struct Matrix {
    std::uint32_t column[32];  // What each bit of a register becomes.

    [[nodiscard]] constexpr std::uint32_t times(std::uint32_t vector) const noexcept {
        std::uint32_t sum = 0;
        for (std::size_t bit = 0; bit < 32; ++bit) {
            sum ^= ((vector >> bit) & 1U) != 0 ? column[bit] : 0U;
        }
        return sum;
    }
};

[[nodiscard]] constexpr std::uint32_t after_zero_byte(std::uint32_t crc) noexcept {
    constexpr std::uint32_t kReversed = 0x82F63B78U;  // P, lowest power in the highest bit.
    for (int bit = 0; bit < 8; ++bit) {
        crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kReversed : 0U);
    }
    return crc;
}

[[nodiscard]] constexpr ByteTables ahead() noexcept {
    ByteTables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (auto& table : tables.at) {
            crc = after_zero_byte(crc);
            table[byte] = crc;
        }
    }
    return tables;
}

[[nodiscard]] constexpr ByteTables past_a_stream() noexcept {
    Matrix shift{};
    for (std::size_t bit = 0; bit < 32; ++bit) {
        shift.column[bit] = after_zero_byte(std::uint32_t{1} << bit);
    }
    for (std::size_t bytes = 1; bytes < kStream; bytes *= 2) {
        Matrix twice{};
        for (std::size_t bit = 0; bit < 32; ++bit) {
            twice.column[bit] = shift.times(shift.column[bit]);
        }
        shift = twice;
    }
    ByteTables tables{};
    for (std::uint32_t place = 0; place < 4; ++place) {
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            tables.at[place][byte] = shift.times(byte << (8 * place));
        }
    }
    return tables;
}

inline constexpr ByteTables kAhead = ahead();
inline constexpr ByteTables kPast = past_a_stream();

}  // namespace scrubjay::kernels
