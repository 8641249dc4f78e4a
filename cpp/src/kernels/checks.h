// Refusals shared by the kernel families: each throws the typed Error with the house grammar.
//
// `fn` is the name of the Python function, `arg` the argument's name. Not for per-ISA files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "scrubjay/base/error.h"

namespace scrubjay::kernels {

// A number as a message shows it.
std::string shown(double value);

// Throws Error(shape_mismatch) unless got == expected.
void require_length(std::string_view fn, std::string_view arg, std::size_t got,
                    std::size_t expected);

// Throws Error(unit_out_of_range) naming arg[index] and its value.
[[noreturn]] void refuse_element(std::string_view fn, std::string_view arg, std::size_t index,
                                 double value, std::string_view expected);

// Throws Error(unit_out_of_range) unless the scalar argument holds the condition.
void require_scalar(bool holds, std::string_view fn, std::string_view arg, double value,
                    std::string_view expected);

// Throws for the first element that fails the predicate; returns if there is none. Whole stretches
// are tested without a branch, which compilers vectorise, before any element is looked at alone.
template <class T, class Predicate>
void require_each(std::string_view fn, std::string_view arg, std::span<const T> values,
                  Predicate holds, std::string_view expected) {
    constexpr std::size_t kStretch = 1024;
    for (std::size_t begin = 0; begin < values.size(); begin += kStretch) {
        const auto stretch = values.subspan(begin, std::min(kStretch, values.size() - begin));
        unsigned failures = 0;
        for (const T value : stretch) {
            failures |= static_cast<unsigned>(!holds(value));
        }
        for (std::size_t i = 0; failures != 0 && i < stretch.size(); ++i) {
            if (!holds(stretch[i])) {
                refuse_element(fn, arg, begin + i, static_cast<double>(stretch[i]), expected);
            }
        }
    }
}

// True if the two spans share a byte.
template <class A, class B>
[[nodiscard]] bool overlap(std::span<A> a, std::span<B> b) noexcept {
    const std::less<const void*> before;
    return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

// Results of at least this many bytes are written past the cache. They do not fit into a core's
// own cache with their inputs, so reading each line before overwriting it would only cost traffic.
inline constexpr std::size_t kStreamBytes = std::size_t{4} << 20U;

}  // namespace scrubjay::kernels
