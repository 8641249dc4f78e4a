// The categories of the module; each is defined in the file of its name.
#pragma once

#include <pybind11/pybind11.h>

namespace scrubjay::bindings {

void bind_errors(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_buffers(pybind11::module_& module);
void bind_filter(pybind11::module_& module);
void bind_search(pybind11::module_& module);
void bind_index(pybind11::module_& module);
void bind_snapshot(pybind11::module_& module);

}  // namespace scrubjay::bindings
