// The bytes of header and entries, shared by writer and reader.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/kernels/checksum.h"

namespace scrubjay::index::format {

static_assert(std::endian::native == std::endian::little,
              "arrays are stored as they lie in memory");

inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kEntryBytes = 64;
inline constexpr std::size_t kNameBytes = 32;
inline constexpr std::size_t kAlignment = 64;
inline constexpr std::uint32_t kMostEntries = 4096;

// As in PNG: a high bit, a carriage return and a line feed show what transfers as text would break.
inline constexpr std::array<unsigned char, 8> kMagic{0x89, 'S', 'J', 'A', 'Y', '\r', '\n', 0x1A};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kWordBytes = 8;
inline constexpr char kScalar = 's';

// Places in the header.
inline constexpr std::size_t kVersionAt = 8;
inline constexpr std::size_t kByteOrderAt = 12;
inline constexpr std::size_t kWordBytesAt = 16;
inline constexpr std::size_t kEntriesAt = 20;
inline constexpr std::size_t kFileBytesAt = 24;
inline constexpr std::size_t kHeaderZerosAt = 32;
inline constexpr std::size_t kEntriesChecksumAt = 56;
inline constexpr std::size_t kHeaderChecksumAt = 60;

// Places in an entry.
inline constexpr std::size_t kKindAt = 32;
inline constexpr std::size_t kKindZerosAt = 33;
inline constexpr std::size_t kElementBytesAt = 36;
inline constexpr std::size_t kElementsAt = 40;
inline constexpr std::size_t kOffsetAt = 48;
inline constexpr std::size_t kChecksumAt = 56;
inline constexpr std::size_t kEntryZerosAt = 60;

template <class T>
void put(std::span<std::byte> bytes, std::size_t at, T value) noexcept {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
}

template <class T>
[[nodiscard]] T get(std::span<const std::byte> bytes, std::size_t at) noexcept {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

// Calls take(piece) for pieces of some milliseconds' work, asking `poll` before each.
template <class Take>
void in_pieces(std::span<const std::byte> bytes, const Poll& poll, Take take) {
    constexpr std::size_t kPiece = std::size_t{4} << 20U;
    for (std::size_t first = 0; first < bytes.size(); first += kPiece) {
        poll();
        take(bytes.subspan(first, std::min(kPiece, bytes.size() - first)));
    }
}

[[nodiscard]] inline std::uint32_t checksum_of(std::span<const std::byte> bytes, const Poll& poll) {
    std::uint32_t crc = 0;
    in_pieces(bytes, poll,
              [&crc](std::span<const std::byte> piece) { crc = kernels::crc32c(piece, crc); });
    return crc;
}

[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t offset) noexcept {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace scrubjay::index::format
