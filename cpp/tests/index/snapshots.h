// What the tests and the fuzz target of snapshots share: files as bytes, and checksums made right
// again after a change, so that the change reaches what lies behind them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/kernels/checksum.h"

namespace scrubjay::index::testing {

using Bytes = std::vector<std::byte>;

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

template <class T>
void put_number(Bytes& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
}

inline constexpr std::size_t kPart = 64;  // Bytes of the header and of an entry.

inline std::size_t entries_in(const Bytes& bytes) {
    return std::min<std::size_t>(number_at<std::uint32_t>(bytes, 20), bytes.size() / kPart - 1);
}

// Where the entry of that name begins. REQUIRES there is one.
inline std::size_t entry_at(const Bytes& bytes, const std::string& name) {
    for (std::size_t i = 1; i <= entries_in(bytes); ++i) {
        if (name == reinterpret_cast<const char*>(bytes.data() + i * kPart)) {
            return i * kPart;
        }
    }
    std::abort();
}

// Where the elements of an array begin, and how many there are.
inline std::size_t section_at(const Bytes& bytes, const std::string& name) {
    return static_cast<std::size_t>(number_at<std::uint64_t>(bytes, entry_at(bytes, name) + 48));
}

inline std::size_t elements_of(const Bytes& bytes, const std::string& name) {
    return static_cast<std::size_t>(number_at<std::uint64_t>(bytes, entry_at(bytes, name) + 40));
}

// Makes every checksum that can be computed the right one. REQUIRES at least a header.
inline void reseal(Bytes& bytes) {
    const std::span<const std::byte> all(bytes);
    for (std::size_t i = 1; i <= entries_in(bytes); ++i) {
        const std::size_t at = i * kPart;
        const auto kind = number_at<char>(bytes, at + 32);
        const std::uint64_t element = number_at<std::uint32_t>(bytes, at + 36);
        const auto count = number_at<std::uint64_t>(bytes, at + 40);
        const auto offset = number_at<std::uint64_t>(bytes, at + 48);
        if (kind != 's' && offset <= bytes.size() && element >= 1 &&
            count <= (bytes.size() - offset) / element) {
            put_number(bytes, at + 56, kernels::crc32c(all.subspan(offset, count * element)));
        }
    }
    put_number(bytes, 56, kernels::crc32c(all.subspan(kPart, entries_in(bytes) * kPart)));
    put_number(bytes, 60, kernels::crc32c(all.first(60)));
}

inline Bytes read_file(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        std::abort();
    }
    Bytes bytes;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
        bytes.push_back(static_cast<std::byte>(c));
    }
    std::fclose(file);
    return bytes;
}

}  // namespace scrubjay::index::testing
