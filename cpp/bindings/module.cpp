// Table of contents of scrubjay._core.
#include "register.h"

PYBIND11_MODULE(_core, module) {
    module.doc() = "Compiled core of scrubjay; reached through scrubjay._kernels only.";
    scrubjay::bindings::bind_errors(module);
    scrubjay::bindings::bind_kernels(module);
    scrubjay::bindings::bind_buffers(module);
    scrubjay::bindings::bind_filter(module);
    scrubjay::bindings::bind_search(module);
    scrubjay::bindings::bind_index(module);
    scrubjay::bindings::bind_snapshot(module);
}
