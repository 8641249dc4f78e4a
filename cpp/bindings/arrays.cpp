// Array checks with messages a user can act on.
#include "arrays.h"

#include <cstdint>

#include "scrubjay/base/error.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

std::string prefix(std::string_view fn, std::string_view arg) {
    return std::string(fn) + ": " + std::string(arg) + " ";
}

std::string type_name(py::handle object) {
    return py::str(py::type::of(object).attr("__name__")).cast<std::string>();
}

std::string text_of(const py::dtype& dtype) { return py::str(dtype).cast<std::string>(); }

// NumPy's own comparison costs a microsecond; two built-in types are equal when their normalised
// numbers and their byte orders are.
bool same_dtype(const py::dtype& a, const py::dtype& b) {
    const char order = a.byteorder();
    return a.normalized_num() == b.normalized_num() && (order == '=' || order == '|');
}

std::string shape_text(std::span<const std::size_t> shape) {
    std::string text = "(";
    for (const std::size_t extent : shape) {
        text += std::to_string(extent) + ",";
    }
    return text + ")";
}

}  // namespace

Checked check_array(std::string_view fn, std::string_view arg, py::handle object, py::dtype dtype,
                    std::size_t ndim, bool writable) {
    if (!py::isinstance<py::array>(object)) {
        throw Error(Errc::argument_type, prefix(fn, arg) + "is not a NumPy array, got " +
                                             type_name(object) + ", expected a " + text_of(dtype) +
                                             " array");
    }
    const auto array = py::reinterpret_borrow<py::array>(object);
    if (!same_dtype(array.dtype(), dtype)) {
        throw Error(Errc::shape_mismatch, prefix(fn, arg) + "has the wrong dtype, got " +
                                              text_of(array.dtype()) + ", expected " +
                                              text_of(dtype) +
                                              "; nothing is converted silently, so use astype");
    }
    if (static_cast<std::size_t>(array.ndim()) != ndim) {
        throw Error(Errc::shape_mismatch,
                    prefix(fn, arg) + "has the wrong number of dimensions, got " +
                        std::to_string(array.ndim()) + ", expected " + std::to_string(ndim));
    }
    if ((array.flags() & py::array::c_style) == 0) {
        throw Error(Errc::shape_mismatch,
                    prefix(fn, arg) +
                        "is not C-contiguous, got a strided view, expected one block of "
                        "memory; use numpy.ascontiguousarray");
    }
    const auto address = reinterpret_cast<std::uintptr_t>(array.data());
    if (address % static_cast<std::uintptr_t>(dtype.itemsize()) != 0) {
        throw Error(Errc::shape_mismatch,
                    prefix(fn, arg) + "is not aligned to its item size, got address modulo " +
                        std::to_string(address % static_cast<std::uintptr_t>(dtype.itemsize())) +
                        ", expected 0; copy it first");
    }
    if (writable && !array.writeable()) {
        throw Error(
            Errc::invalid_argument,
            prefix(fn, arg) + "cannot be written, got a read-only array, expected a writable one");
    }
    Checked checked{const_cast<void*>(array.data()), {}, static_cast<std::size_t>(array.size())};
    for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
        checked.shape.push_back(static_cast<std::size_t>(array.shape(axis)));
    }
    return checked;
}

void check_shape(std::string_view fn, std::string_view arg, const Checked& checked,
                 std::span<const std::size_t> expected) {
    if (!std::equal(checked.shape.begin(), checked.shape.end(), expected.begin(), expected.end())) {
        throw Error(Errc::shape_mismatch, prefix(fn, arg) + "has the wrong shape, got " +
                                              shape_text(checked.shape) + ", expected " +
                                              shape_text(expected));
    }
}

Micros micros_in(std::string_view fn, std::string_view arg, py::handle object) {
    if (PyIndex_Check(object.ptr()) == 0 || PyBool_Check(object.ptr()) != 0) {
        throw Error(Errc::argument_type, prefix(fn, arg) + "is not an integer, got " +
                                             type_name(object) +
                                             ", expected microseconds as an int");
    }
    const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!integer) {
        throw py::error_already_set();
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow != 0) {
        throw Error(Errc::unit_out_of_range, prefix(fn, arg) + "is out of range, got " +
                                                 py::str(integer).cast<std::string>() +
                                                 ", expected microseconds that fit 64 bits");
    }
    return value;
}

kernels::Isa isa_of(const std::optional<std::string>& name) {
    return name ? kernels::parse_isa(*name) : kernels::active_isa();
}

}  // namespace scrubjay::bindings
