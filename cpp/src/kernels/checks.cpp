// The texts of the refusals.
#include "kernels/checks.h"

#include <array>
#include <cstdio>

namespace scrubjay::kernels {

std::string shown(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

void require_length(std::string_view fn, std::string_view arg, std::size_t got,
                    std::size_t expected) {
    if (got != expected) {
        throw Error(Errc::shape_mismatch, std::string(fn) + ": " + std::string(arg) +
                                              " has the wrong length, got " + std::to_string(got) +
                                              ", expected " + std::to_string(expected));
    }
}

void refuse_element(std::string_view fn, std::string_view arg, std::size_t index, double value,
                    std::string_view expected) {
    throw Error(Errc::unit_out_of_range, std::string(fn) + ": " + std::string(arg) + "[" +
                                             std::to_string(index) + "] is out of range, got " +
                                             shown(value) + ", expected " + std::string(expected));
}

void require_scalar(bool holds, std::string_view fn, std::string_view arg, double value,
                    std::string_view expected) {
    if (!holds) {
        throw Error(Errc::unit_out_of_range, std::string(fn) + ": " + std::string(arg) +
                                                 " is out of range, got " + shown(value) +
                                                 ", expected " + std::string(expected));
    }
}

}  // namespace scrubjay::kernels
