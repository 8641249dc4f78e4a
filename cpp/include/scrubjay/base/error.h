// The one exception type of the core.
//
// Two kinds of trouble exist: our own mistakes, which are asserted, and mistakes of the caller or
// the world, which are thrown as Error. An Error carries a code, which the bindings turn into a
// Python class in one exhaustive place, and a sentence of the form
//
//     <function>: <what is wrong>, got <value>, expected <value>; <what to do>
//
// Thread-safety: Error is an immutable value.
#pragma once

#include <stdexcept>
#include <string>

namespace scrubjay {

enum class Errc {
    invalid_argument,   // The caller passed something impossible.
    argument_type,      // The value is of the wrong type altogether.
    shape_mismatch,     // Shapes, dtypes or memory layouts disagree.
    unit_out_of_range,  // A value lies outside its declared range, or is NaN or infinite.
    not_found,          // Nothing exists under the given id.
    capacity_exceeded,  // A bounded structure is full.
    conflict,           // An id is already taken.
    corruption,         // Stored bytes do not pass their check.
    format_version,     // Stored bytes were written by another version.
    storage,            // The operating system refused to read or write.
};

class Error : public std::runtime_error {
  public:
    Error(Errc code, const std::string& message) : std::runtime_error(message), code_(code) {}

    [[nodiscard]] Errc code() const noexcept { return code_; }

  private:
    Errc code_;
};

}  // namespace scrubjay
