// The kernel families over buffers: displacement, expiry, pooling of token rows.
#include <pybind11/stl.h>

#include "arrays.h"
#include "register.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/displacement.h"
#include "scrubjay/kernels/expiry.h"
#include "scrubjay/kernels/pooling.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using IsaName = std::optional<std::string>;

template <class A, class B>
void require_same_shape(std::string_view fn, std::string_view arg, const MatrixIn<A>& got,
                        const MatrixIn<B>& expected) {
    const Checked checked{nullptr, {got.rows, got.columns}, got.values.size()};
    check_shape(fn, arg, checked, std::vector<std::size_t>{expected.rows, expected.columns});
}

py::array displace(const py::handle& salience, const py::handle& sequence,
                   const py::handle& incoming, const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "displace";
    const auto saliences = matrix_in<float>(fn, "salience", salience);
    const auto sequences = matrix_in<std::int64_t>(fn, "sequence", sequence);
    require_same_shape(fn, "sequence", sequences, saliences);
    const auto arriving = vector_in<float>(fn, "incoming", incoming);
    if (arriving.size() != saliences.rows) {
        throw Error(Errc::shape_mismatch, "displace: incoming has the wrong length, got " +
                                              std::to_string(arriving.size()) +
                                              ", expected one per buffer, " +
                                              std::to_string(saliences.rows));
    }
    auto result = output<std::int32_t>(fn, out, {saliences.rows});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::displace(saliences.values, sequences.values, saliences.columns, arriving,
                          result.values, chosen);
    }
    return result.array;
}

py::tuple bank_activation(const py::handle& anchor_us, const py::handle& sequence,
                          const py::handle& now_us, double decay_rate_per_s, double threshold,
                          const IsaName& isa) {
    constexpr const char* fn = "bank_activation";
    const auto anchors = matrix_in<Micros>(fn, "anchor_us", anchor_us);
    const auto sequences = matrix_in<std::int64_t>(fn, "sequence", sequence);
    require_same_shape(fn, "sequence", sequences, anchors);
    const Micros now = micros_in(fn, "now_us", now_us);
    auto activation = output<float>(fn, py::none(), {anchors.rows, anchors.columns});
    auto kept = output<bool>(fn, py::none(), {anchors.rows, anchors.columns});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::bank_activation(anchors.values, sequences.values, now, decay_rate_per_s, threshold,
                                 activation.values, kept.values, chosen);
    }
    return py::make_tuple(activation.array, kept.array);
}

py::array expired(const py::handle& created_us, const py::handle& ttl_us, const py::handle& now_us,
                  const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "expired";
    const auto created = vector_in<Micros>(fn, "created_us", created_us);
    const auto lifetimes = vector_in<Micros>(fn, "ttl_us", ttl_us);
    const Micros now = micros_in(fn, "now_us", now_us);
    auto result = output<bool>(fn, out, {created.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::expired(created, lifetimes, now, result.values, chosen);
    }
    return result.array;
}

py::tuple pool_rows(const py::handle& table, const py::handle& ids, const py::handle& offsets,
                    const IsaName& isa) {
    constexpr const char* fn = "pool_rows";
    const auto rows = matrix_in<Half>(fn, "table", table);
    const auto tokens = vector_in<std::int32_t>(fn, "ids", ids);
    const auto bounds = vector_in<std::int64_t>(fn, "offsets", offsets);
    const std::size_t texts = bounds.empty() ? 0 : bounds.size() - 1;
    auto sums = output<float>(fn, py::none(), {texts, rows.columns});
    auto norms = output<float>(fn, py::none(), {texts});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::pool_rows(rows.values, rows.columns, tokens, bounds, sums.values, norms.values,
                           chosen);
    }
    return py::make_tuple(sums.array, norms.array);
}

}  // namespace

void bind_buffers(py::module_& module) {
    module.def("displace", &displace, py::arg("salience"), py::arg("sequence"), py::arg("incoming"),
               py::kw_only(), py::arg("out") = py::none(), py::arg("isa") = py::none());
    module.def("bank_activation", &bank_activation, py::arg("anchor_us"), py::arg("sequence"),
               py::kw_only(), py::arg("now_us"), py::arg("decay_rate_per_s"), py::arg("threshold"),
               py::arg("isa") = py::none());
    module.def("expired", &expired, py::arg("created_us"), py::arg("ttl_us"), py::kw_only(),
               py::arg("now_us"), py::arg("out") = py::none(), py::arg("isa") = py::none());
    module.def("pool_rows", &pool_rows, py::arg("table"), py::arg("ids"), py::arg("offsets"),
               py::kw_only(), py::arg("isa") = py::none());
}

}  // namespace scrubjay::bindings
