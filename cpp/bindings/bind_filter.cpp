// The kernel family filter.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "arrays.h"
#include "register.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/filter.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using IsaName = std::optional<std::string>;

// Every row passes until a condition says otherwise; rows beyond the last whole tile are refused by
// the kernel, which compares lengths.
template <class T, class Kernel>
py::array words_of(const char* fn, const py::handle& column, const IsaName& isa, Kernel kernel) {
    constexpr std::size_t kTile = 64;
    const auto values = vector_in<T>(fn, "column", column);
    const auto result = output<std::uint64_t>(fn, py::none(), {values.size() / kTile});
    std::fill(result.values.begin(), result.values.end(), ~std::uint64_t{0});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernel(values, result.values, chosen);
    }
    return result.array;
}

py::array codes(const py::handle& column, std::uint64_t allowed, const IsaName& isa) {
    return words_of<std::uint8_t>("filter_codes", column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_codes(in, allowed, out, set);
    });
}

std::uint8_t byte_of(const char* fn, const char* arg, double value) {
    if (!(value >= 0.0 && value <= 255.0) || value != std::floor(value)) {
        throw Error(Errc::unit_out_of_range, std::string(fn) + ": " + arg +
                                                 " is out of range, got " + std::to_string(value) +
                                                 ", expected an integer from 0 to 255");
    }
    return static_cast<std::uint8_t>(value);
}

// The column's dtype chooses the form; anything else is refused as not float32.
py::array at_least(const py::handle& column, double least, const IsaName& isa) {
    constexpr const char* fn = "filter_at_least";
    if (py::isinstance<py::array_t<std::uint8_t>>(column)) {
        const std::uint8_t bar = byte_of(fn, "least", least);
        return words_of<std::uint8_t>(fn, column, isa, [=](auto in, auto out, auto set) {
            kernels::filter_at_least(in, bar, out, set);
        });
    }
    return words_of<float>(fn, column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_at_least(in, static_cast<float>(least), out, set);
    });
}

py::array bits(const py::handle& column, std::uint8_t mask, std::uint8_t value,
               const IsaName& isa) {
    return words_of<std::uint8_t>("filter_bits", column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_bits(in, mask, value, out, set);
    });
}

py::array window(const py::handle& column, Micros from, Micros to, const IsaName& isa) {
    return words_of<Micros>("filter_window", column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_window(in, from, to, out, set);
    });
}

py::array among(const py::handle& column, const py::handle& members, const IsaName& isa) {
    constexpr const char* fn = "filter_among";
    const auto wanted = vector_in<std::uint32_t>(fn, "members", members);
    return words_of<std::uint32_t>(fn, column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_among(in, wanted, out, set);
    });
}

py::array folded(const py::handle& column, const py::handle& map, std::uint32_t most,
                 const IsaName& isa) {
    constexpr const char* fn = "filter_folded";
    const auto bitmap = vector_in<std::uint32_t>(fn, "map", map);
    return words_of<std::uint32_t>(fn, column, isa, [=](auto in, auto out, auto set) {
        kernels::filter_folded(in, bitmap, most, out, set);
    });
}

}  // namespace

void bind_filter(py::module_& module) {
    const auto isa = py::arg("isa") = py::none();
    module.def("filter_codes", &codes, py::arg("column"), py::arg("allowed"), py::kw_only(), isa);
    module.def("filter_at_least", &at_least, py::arg("column"), py::arg("least"), py::kw_only(),
               isa);
    module.def("filter_bits", &bits, py::arg("column"), py::kw_only(), py::arg("mask"),
               py::arg("value"), isa);
    module.def("filter_window", &window, py::arg("column"), py::kw_only(), py::arg("from_us"),
               py::arg("to_us"), isa);
    module.def("filter_among", &among, py::arg("column"), py::arg("members"), py::kw_only(), isa);
    module.def("filter_folded", &folded, py::arg("column"), py::arg("map"), py::kw_only(),
               py::arg("most"), isa);
}

}  // namespace scrubjay::bindings
