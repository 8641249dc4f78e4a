// From NumPy arrays to std::span, without ever converting.
//
// An array is accepted only as it is: exact dtype, C-contiguous, aligned, the given number of
// dimensions. Everything else is an Error that names function and argument, because a silent copy
// would hide both a cost and a loss of precision. The spans borrow the array's memory, so a
// binding keeps the array alive (its own argument does that) while the GIL is released.
//
// `fn` is the name of the Python function as the user knows it; `arg` the argument's name.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scrubjay/base/types.h"
#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::bindings {

// One checked array: where its data lies and its shape.
struct Checked {
    void* data;
    std::vector<std::size_t> shape;
    std::size_t size;
};

// Type-erased check shared by all element types.
Checked check_array(std::string_view fn, std::string_view arg, pybind11::handle object,
                    pybind11::dtype dtype, std::size_t ndim, bool writable);

// The NumPy dtype of T. Half maps to float16, which pybind11 does not know by name.
template <class T>
pybind11::dtype dtype_of() {
    return pybind11::dtype::of<T>();
}
template <>
inline pybind11::dtype dtype_of<Half>() {
    constexpr int kNumpyHalf = 23;  // NPY_HALF, part of NumPy's ABI.
    return pybind11::dtype(kNumpyHalf);
}

// A one-dimensional input of exactly dtype T.
template <class T>
std::span<const T> vector_in(std::string_view fn, std::string_view arg, pybind11::handle object) {
    const Checked checked = check_array(fn, arg, object, dtype_of<T>(), 1, false);
    return {static_cast<const T*>(checked.data), checked.size};
}

// A row-major matrix of exactly dtype T.
template <class T>
struct MatrixIn {
    std::span<const T> values;
    std::size_t rows;
    std::size_t columns;
};

template <class T>
MatrixIn<T> matrix_in(std::string_view fn, std::string_view arg, pybind11::handle object) {
    const Checked checked = check_array(fn, arg, object, dtype_of<T>(), 2, false);
    return {
        {static_cast<const T*>(checked.data), checked.size}, checked.shape[0], checked.shape[1]};
}

// The result array: the caller's `out` where given (checked for dtype, shape and writability), a
// fresh one where it is None.
template <class T>
struct Output {
    pybind11::array array;
    std::span<T> values;
};

// Throws Error(shape_mismatch) unless the array's shape is the expected one.
void check_shape(std::string_view fn, std::string_view arg, const Checked& checked,
                 std::span<const std::size_t> expected);

template <class T>
Output<T> output(std::string_view fn, pybind11::handle out, std::vector<std::size_t> shape,
                 std::string_view arg = "out") {
    if (out.is_none()) {
        pybind11::array fresh(dtype_of<T>(),
                              std::vector<pybind11::ssize_t>(shape.begin(), shape.end()));
        return {fresh,
                {static_cast<T*>(fresh.mutable_data()), static_cast<std::size_t>(fresh.size())}};
    }
    const Checked checked = check_array(fn, arg, out, dtype_of<T>(), shape.size(), true);
    check_shape(fn, arg, checked, shape);
    return {pybind11::reinterpret_borrow<pybind11::array>(out),
            {static_cast<T*>(checked.data), checked.size}};
}

// An instant or duration in microseconds. Throws Error(argument_type) for what is no integer and
// Error(unit_out_of_range) for one beyond 64 bits.
Micros micros_in(std::string_view fn, std::string_view arg, pybind11::handle object);

// The instruction set a test asked for by name, or the active one.
kernels::Isa isa_of(const std::optional<std::string>& name);

}  // namespace scrubjay::bindings
