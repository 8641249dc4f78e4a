// How a class says what a snapshot keeps of it.
//
// A class lists its state once, as a member template that calls the visitor with a name and a
// reference for each AlignedArray and each scalar:
//
//     template <class Visit> void visit_state(Visit&& visit) {
//         visit("links.base", base_);         // AlignedArray<T>, T an arithmetic type or Half
//         visit("graph.joined", joined_);     // integer, bool, enum, float or double
//     }
//
// (and the same for const). The writer walks the list to know what to store, the reader walks the
// same list, in the same order, to put arrays back: they then lie in the mapped file. What follows
// from other state (hash tables, derived columns) is not listed but computed by the class's
// `restore`, which also refuses any state that breaks an invariant: after it, no number from the
// file may lead outside an array or make a comparison inconsistent.
//
// REQUIRES names of 1 to 31 characters, distinct within one snapshot, which never change their
//          meaning: a new meaning is a new name and a new format version.
// ENSURES  the listed bytes are a function of the operations so far. Hence spare capacity is never
//          listed, and what was removed is zero.
// Throws   Error(corruption) from restore and from the two checks below.
// Thread-safety: pure functions.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "scrubjay/base/types.h"

namespace scrubjay::index {

template <class T>
concept ArchiveScalar = (std::is_arithmetic_v<T> || std::is_enum_v<T>) && sizeof(T) <= 8;

// What an element is, in one character as NumPy's array interface spells it.
template <class T>
[[nodiscard]] constexpr char kind_of() noexcept {
    if constexpr (std::is_floating_point_v<T> || std::same_as<T, Half>) {
        return 'f';
    } else if constexpr (std::is_signed_v<T>) {
        return 'i';
    } else {
        static_assert(std::is_unsigned_v<T> || std::is_enum_v<T>);
        return 'u';
    }
}

// A scalar as 64 bits and back; floats keep their bits, negative integers their two's complement.
template <ArchiveScalar T>
[[nodiscard]] constexpr std::uint64_t word_of(T value) noexcept {
    if constexpr (std::same_as<T, float>) {
        return std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<std::uint64_t>(value);
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

template <ArchiveScalar T>
[[nodiscard]] constexpr T scalar_of(std::uint64_t word) noexcept {
    if constexpr (std::same_as<T, float>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(word));
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<double>(word);
    } else {
        return static_cast<T>(word);
    }
}

// Throws Error(corruption): "<where>: <what> is damaged, got ..., expected ...; <what to do>". `where`
// is the call and the file.
[[noreturn]] void refuse_damage(const std::string& where, const std::string& what,
                                const std::string& got, const std::string& expected);

// Refuses an array that has not the number of elements that the rest of the state gives it.
void require_elements(const std::string& where, const std::string& name, std::size_t got,
                      std::size_t expected);

}  // namespace scrubjay::index
