// The checksum over any step that takes in eight bytes or one.
#pragma once

#include "kernels/checksum/tables.h"
#include "kernels/checksum/variants.h"

namespace scrubjay::kernels {

inline constexpr std::size_t kWord = 8;

inline std::uint64_t word_at(const unsigned char* bytes) noexcept {
    std::uint64_t word = 0;
    __builtin_memcpy(&word, bytes, kWord);
    return word;
}

// The register kStream zero bytes further on.
inline std::uint32_t past(std::uint32_t crc) noexcept {
    return kPast.at[0][crc & 0xFFU] ^ kPast.at[1][(crc >> 8U) & 0xFFU] ^
           kPast.at[2][(crc >> 16U) & 0xFFU] ^ kPast.at[3][crc >> 24U];
}

template <class Step>
std::uint32_t crc32c_streams(std::uint32_t crc, const unsigned char* bytes,
                             std::size_t n) noexcept {
    for (; n >= 3 * kStream; n -= 3 * kStream, bytes += 3 * kStream) {
        std::uint32_t second = 0;
        std::uint32_t third = 0;
        for (std::size_t i = 0; i < kStream; i += kWord) {
            crc = Step::word(crc, word_at(bytes + i));
            second = Step::word(second, word_at(bytes + kStream + i));
            third = Step::word(third, word_at(bytes + 2 * kStream + i));
        }
        crc = past(past(crc) ^ second) ^ third;
    }
    for (; n >= kWord; n -= kWord, bytes += kWord) {
        crc = Step::word(crc, word_at(bytes));
    }
    for (; n > 0; --n, ++bytes) {
        crc = Step::byte(crc, *bytes);
    }
    return crc;
}

}  // namespace scrubjay::kernels
