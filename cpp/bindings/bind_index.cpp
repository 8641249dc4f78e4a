// The bare index: tables, exact search, composite search.
#include "register.h"

namespace scrubjay::bindings {

void bind_index(pybind11::module_& /*module*/) {}

}  // namespace scrubjay::bindings
