// The kernel families distance, top_k and sketch.
#include <pybind11/stl.h>

#include <utility>

#include "arrays.h"
#include "register.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/distance.h"
#include "scrubjay/kernels/quantise.h"
#include "scrubjay/kernels/sketch.h"
#include "scrubjay/kernels/top_k.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using IsaName = std::optional<std::string>;

bool has_dtype(const py::handle& object, const py::dtype& dtype) {
    return py::isinstance<py::array>(object) &&
           py::reinterpret_borrow<py::array>(object).dtype().equal(dtype);
}

// One vector pair. The row's dtype chooses the form; anything else is refused as not float32.
py::object dot(const py::handle& a, const py::handle& b, const IsaName& isa) {
    const kernels::Isa chosen = isa_of(isa);
    if (has_dtype(a, dtype_of<std::int8_t>())) {
        const auto codes = vector_in<std::int8_t>("dot", "a", a);
        return py::int_(kernels::dot(codes, vector_in<std::int16_t>("dot", "b", b), chosen));
    }
    const auto query = vector_in<float>("dot", "b", b);
    if (has_dtype(a, dtype_of<Half>())) {
        return py::float_(kernels::dot(vector_in<Half>("dot", "a", a), query, chosen));
    }
    return py::float_(kernels::dot(vector_in<float>("dot", "a", a), query, chosen));
}

float cosine(const py::handle& a, const py::handle& b, const IsaName& isa) {
    return kernels::cosine(vector_in<float>("cosine", "a", a), vector_in<float>("cosine", "b", b),
                           isa_of(isa));
}

void require_columns(const char* fn, std::size_t columns, std::size_t dim) {
    if (columns != dim) {
        throw Error(Errc::shape_mismatch, std::string(fn) + ": query has the wrong length, got " +
                                              std::to_string(dim) + ", expected " +
                                              std::to_string(columns));
    }
}

template <class T, class Q, class R, auto Kernel>
py::array rows_form(const char* fn, const py::handle& rows, const py::handle& query,
                    const IsaName& isa) {
    const MatrixIn<T> matrix = matrix_in<T>(fn, "rows", rows);
    const auto wanted = vector_in<Q>(fn, "query", query);
    require_columns(fn, matrix.columns, wanted.size());
    const auto result = output<R>(fn, py::none(), {matrix.rows});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        Kernel(matrix.values, wanted, result.values, chosen);
    }
    return result.array;
}

py::array dot_rows(const py::handle& rows, const py::handle& query, const IsaName& isa) {
    if (has_dtype(rows, dtype_of<std::int8_t>())) {
        return rows_form<std::int8_t, std::int16_t, std::int64_t,
                         [](auto r, auto q, auto out, auto set) {
                             kernels::dot_rows(r, q, out, set);
                         }>("dot_rows", rows, query, isa);
    }
    if (has_dtype(rows, dtype_of<Half>())) {
        return rows_form<Half, float, float, [](auto r, auto q, auto out, auto set) {
            kernels::dot_rows(r, q, out, set);
        }>("dot_rows", rows, query, isa);
    }
    return rows_form<float, float, float, [](auto r, auto q, auto out, auto set) {
        kernels::dot_rows(r, q, out, set);
    }>("dot_rows", rows, query, isa);
}

py::array squared_distance_rows(const py::handle& rows, const py::handle& query,
                                const IsaName& isa) {
    return rows_form<float, float, float, &kernels::squared_distance_rows>("squared_distance_rows",
                                                                           rows, query, isa);
}

py::array cosine_rows(const py::handle& rows, const py::handle& query, const IsaName& isa) {
    return rows_form<float, float, float, &kernels::cosine_rows>("cosine_rows", rows, query, isa);
}

py::tuple encode_i8(const py::handle& x) {
    const auto row = vector_in<float>("encode_i8", "x", x);
    kernels::require_finite("encode_i8", "x", row);
    const auto codes = output<std::int8_t>("encode_i8", py::none(), {row.size()});
    const kernels::Coded coded = kernels::encode_i8(row, codes.values);
    return py::make_tuple(codes.array, coded.scale, coded.residual);
}

py::tuple encode_query(const py::handle& query) {
    const auto wanted = vector_in<float>("encode_query", "query", query);
    kernels::require_finite("encode_query", "query", wanted);
    if (wanted.size() > kernels::kMaxDim) {
        throw Error(Errc::shape_mismatch,
                    "encode_query: query is too long, got " + std::to_string(wanted.size()) +
                        ", expected at most " + std::to_string(kernels::kMaxDim));
    }
    const auto codes = output<std::int16_t>("encode_query", py::none(), {wanted.size()});
    const kernels::CodedQuery coded = kernels::encode_query(wanted, codes.values);
    const kernels::EstimateBound bound = kernels::bound_i8(coded, wanted.size());
    return py::make_tuple(codes.array, coded.step, bound.per_residual, bound.fixed);
}

py::array top_k(const py::handle& scores, std::size_t k, const py::handle& ids,
                const IsaName& isa) {
    const auto ranked = vector_in<float>("top_k", "scores", scores);
    std::span<const RowId> keys;
    if (!ids.is_none()) {
        keys = vector_in<RowId>("top_k", "ids", ids);
        if (keys.empty() != ranked.empty()) {
            throw Error(Errc::shape_mismatch, "top_k: ids has the wrong length, got " +
                                                  std::to_string(keys.size()) + ", expected " +
                                                  std::to_string(ranked.size()));
        }
    }
    const kernels::Isa chosen = isa_of(isa);
    std::vector<std::uint32_t> positions;
    {
        const py::gil_scoped_release unlocked;
        positions = kernels::top_k(ranked, keys, k, chosen);
    }
    py::array_t<std::int64_t> result(static_cast<py::ssize_t>(positions.size()));
    std::copy(positions.begin(), positions.end(), result.mutable_data());
    return std::move(result);
}

py::array sketch_sums(const py::handle& table, const py::handle& tile, const IsaName& isa) {
    constexpr const char* kFn = "sketch_sums";
    constexpr std::size_t kEntries = 16;
    constexpr std::size_t kPairs = kernels::kSketchRows / 2;
    const auto entries = vector_in<std::uint8_t>(kFn, "table", table);
    const auto pairs = vector_in<std::uint8_t>(kFn, "tile", tile);
    const std::size_t groups = entries.size() / kEntries;
    if (entries.size() % (2 * kEntries) != 0 || groups > kernels::kMostSketchGroups) {
        throw Error(Errc::shape_mismatch,
                    std::string(kFn) + ": table has the wrong length, got " +
                        std::to_string(entries.size()) + ", expected a multiple of 32, at most " +
                        std::to_string(kEntries * kernels::kMostSketchGroups));
    }
    if (pairs.size() != kPairs * groups) {
        throw Error(Errc::shape_mismatch, std::string(kFn) + ": tile has the wrong length, got " +
                                              std::to_string(pairs.size()) + ", expected " +
                                              std::to_string(kPairs * groups));
    }
    const auto sums = output<std::uint16_t>(kFn, py::none(), {kernels::kSketchRows});
    const kernels::SketchTable& kernel = kernels::sketch_table(isa_of(isa));
    {
        const py::gil_scoped_release unlocked;
        kernel.sums(entries.data(), pairs.data(), groups, sums.values.data());
    }
    return sums.array;
}

}  // namespace

void bind_search(py::module_& module) {
    const py::arg_v any_isa = py::arg("isa") = py::none();
    module.def("dot", &dot, py::arg("a"), py::arg("b"), py::kw_only(), any_isa);
    module.def("cosine", &cosine, py::arg("a"), py::arg("b"), py::kw_only(), any_isa);
    module.def("dot_rows", &dot_rows, py::arg("rows"), py::arg("query"), py::kw_only(), any_isa);
    module.def("squared_distance_rows", &squared_distance_rows, py::arg("rows"), py::arg("query"),
               py::kw_only(), any_isa);
    module.def("cosine_rows", &cosine_rows, py::arg("rows"), py::arg("query"), py::kw_only(),
               any_isa);
    module.def("encode_i8", &encode_i8, py::arg("x"));
    module.def("encode_query", &encode_query, py::arg("query"));
    module.def("top_k", &top_k, py::arg("scores"), py::arg("k"), py::kw_only(),
               py::arg("ids") = py::none(), any_isa);
    module.def("sketch_sums", &sketch_sums, py::arg("table"), py::arg("tile"), py::kw_only(),
               any_isa);
}

}  // namespace scrubjay::bindings
