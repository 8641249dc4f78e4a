// From Errc to the classes of scrubjay.base.errors, in one exhaustive switch.
#include "register.h"
#include "scrubjay/base/error.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

// No default: with -Werror=switch a new code without a class does not build.
const char* class_name(Errc code) {
    switch (code) {
        case Errc::invalid_argument:
            return "InvalidArgumentError";
        case Errc::argument_type:
            return "ArgumentTypeError";
        case Errc::shape_mismatch:
            return "ShapeError";
        case Errc::unit_out_of_range:
            return "UnitError";
        case Errc::not_found:
            return "NotFoundError";
        case Errc::capacity_exceeded:
            return "CapacityError";
        case Errc::conflict:
            return "ConflictError";
        case Errc::corruption:
            return "CorruptionError";
        case Errc::format_version:
            return "FormatVersionError";
        case Errc::storage:
            return "StorageError";
    }
    return "ScrubjayError";
}

void translate(std::exception_ptr pointer) {
    try {
        if (pointer) {
            std::rethrow_exception(pointer);
        }
    } catch (const Error& error) {
        // Imported when needed: the compiled module must load without the package around it.
        const py::object cls =
            py::module_::import("scrubjay.base.errors").attr(class_name(error.code()));
        PyErr_SetString(cls.ptr(), error.what());
    }
}

}  // namespace

void bind_errors(py::module_& /*module*/) { py::register_exception_translator(&translate); }

}  // namespace scrubjay::bindings
