// The kernel families, one function each; arguments are checked here, values in the family.
#include <pybind11/stl.h>

#include "arrays.h"
#include "register.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

std::vector<std::string> supported_isas() {
    std::vector<std::string> names;
    for (const kernels::Isa isa : kernels::supported_isas()) {
        names.emplace_back(kernels::isa_name(isa));
    }
    return names;
}

void bind_dispatch(py::module_& module) {
    module.def("active_isa", [] { return std::string(kernels::isa_name(kernels::active_isa())); });
    module.def("supported_isas", &supported_isas);
}

}  // namespace

void bind_kernels(py::module_& module) {
    bind_dispatch(module);
}

}  // namespace scrubjay::bindings
