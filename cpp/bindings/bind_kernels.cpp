// The kernel families, one function each; arguments are checked here, values in the family.
#include <pybind11/stl.h>

#include "arrays.h"
#include "register.h"
#include "scrubjay/kernels/bandwidth.h"
#include "scrubjay/kernels/decay.h"
#include "scrubjay/kernels/eviction.h"
#include "scrubjay/kernels/numerics.h"
#include "scrubjay/kernels/retention.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using IsaName = std::optional<std::string>;

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

// One float32 array in, one of the same length out.
template <auto Kernel>
py::array map_f32(const char* fn, const py::handle& x, const py::handle& out, const IsaName& isa) {
    const auto in = vector_in<float>(fn, "x", x);
    auto result = output<float>(fn, out, {in.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        Kernel(in, result.values, chosen);
    }
    return result.array;
}

void bind_numerics(py::module_& module) {
    module.def(
        "exp_f32",
        [](const py::handle& x, const py::handle& out, const IsaName& isa) {
            return map_f32<kernels::exp_f32>("exp_f32", x, out, isa);
        },
        py::arg("x"), py::kw_only(), py::arg("out") = py::none(), py::arg("isa") = py::none());
    module.def(
        "log_f32",
        [](const py::handle& x, const py::handle& out, const IsaName& isa) {
            return map_f32<kernels::log_f32>("log_f32", x, out, isa);
        },
        py::arg("x"), py::kw_only(), py::arg("out") = py::none(), py::arg("isa") = py::none());
}

py::array decay_by_item(const py::handle& value, const py::handle& lambda_per_s,
                        const py::handle& dt_s, const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "decay_by_item";
    const auto values = vector_in<float>(fn, "value", value);
    const auto lambdas = vector_in<float>(fn, "lambda_per_s", lambda_per_s);
    const auto durations = vector_in<float>(fn, "dt_s", dt_s);
    auto result = output<float>(fn, out, {values.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::decay_by_item(values, lambdas, durations, result.values, chosen);
    }
    return result.array;
}

py::array decay_by_category(const py::handle& value, const py::handle& category,
                            const py::handle& lambda_per_s, const py::handle& dt_s,
                            const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "decay_by_category";
    const auto values = vector_in<float>(fn, "value", value);
    const auto categories = vector_in<std::uint8_t>(fn, "category", category);
    const auto lambdas = vector_in<float>(fn, "lambda_per_s", lambda_per_s);
    const auto durations = vector_in<float>(fn, "dt_s", dt_s);
    auto result = output<float>(fn, out, {values.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::decay_by_category(values, categories, lambdas, durations, result.values, chosen);
    }
    return result.array;
}

py::array decay_constants(const py::handle& half_life_us, const py::handle& out) {
    constexpr const char* fn = "decay_constants";
    const auto half_lives = vector_in<Micros>(fn, "half_life_us", half_life_us);
    auto result = output<double>(fn, out, {half_lives.size()});
    {
        const py::gil_scoped_release unlocked;
        kernels::decay_constants(half_lives, result.values);
    }
    return result.array;
}

void bind_decay(py::module_& module) {
    module.def("decay_by_item", &decay_by_item, py::arg("value"), py::arg("lambda_per_s"),
               py::arg("dt_s"), py::kw_only(), py::arg("out") = py::none(),
               py::arg("isa") = py::none());
    module.def("decay_by_category", &decay_by_category, py::arg("value"), py::arg("category"),
               py::arg("lambda_per_s"), py::arg("dt_s"), py::kw_only(), py::arg("out") = py::none(),
               py::arg("isa") = py::none());
    module.def("decay_constants", &decay_constants, py::arg("half_life_us"), py::kw_only(),
               py::arg("out") = py::none());
}

py::array triad(const py::handle& b, const py::handle& c, float s, const py::handle& out,
                const IsaName& isa) {
    const auto first = vector_in<float>("triad", "b", b);
    const auto second = vector_in<float>("triad", "c", c);
    auto result = output<float>("triad", out, {first.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::triad(first, second, s, result.values, chosen);
    }
    return result.array;
}

float read_sum(const py::handle& x, const IsaName& isa) {
    const auto in = vector_in<float>("read_sum", "x", x);
    const kernels::Isa chosen = isa_of(isa);
    const py::gil_scoped_release unlocked;
    return kernels::read_sum(in, chosen);
}

void bind_bandwidth(py::module_& module) {
    module.def("triad", &triad, py::arg("b"), py::arg("c"), py::arg("s"), py::kw_only(),
               py::arg("out") = py::none(), py::arg("isa") = py::none());
    module.def("read_sum", &read_sum, py::arg("x"), py::kw_only(), py::arg("isa") = py::none());
}

py::array retention_prior(const py::handle& age_s, const py::handle& lambda_per_s,
                          const py::handle& salience, const py::handle& frequency, double w_recency,
                          double w_salience, double w_frequency,
                          std::optional<double> frequency_ceiling, bool fading,
                          const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "retention_prior";
    const auto ages = vector_in<float>(fn, "age_s", age_s);
    const auto lambdas = vector_in<float>(fn, "lambda_per_s", lambda_per_s);
    const auto saliences = vector_in<float>(fn, "salience", salience);
    const auto frequencies = vector_in<float>(fn, "frequency", frequency);
    auto result = output<float>(fn, out, {ages.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::retention_prior(ages, lambdas, saliences, frequencies,
                                 {w_recency, w_salience, w_frequency}, {frequency_ceiling, fading},
                                 result.values, chosen);
    }
    return result.array;
}

py::array retention_score(const py::handle& similarity, const py::handle& prior, double w_relevance,
                          const py::handle& out, const IsaName& isa) {
    constexpr const char* fn = "retention_score";
    const auto similarities = vector_in<float>(fn, "similarity", similarity);
    const auto priors = vector_in<float>(fn, "prior", prior);
    auto result = output<float>(fn, out, {similarities.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::retention_score(similarities, priors, w_relevance, result.values, chosen);
    }
    return result.array;
}

py::array eviction_delay(const py::handle& lambda_per_s, const py::handle& salience,
                         const py::handle& frequency, double w_recency, double w_salience,
                         double w_frequency, double threshold,
                         std::optional<double> frequency_ceiling, const py::handle& out,
                         const IsaName& isa) {
    constexpr const char* fn = "eviction_delay";
    const auto lambdas = vector_in<double>(fn, "lambda_per_s", lambda_per_s);
    const auto saliences = vector_in<float>(fn, "salience", salience);
    const auto frequencies = vector_in<float>(fn, "frequency", frequency);
    auto result = output<double>(fn, out, {lambdas.size()});
    const kernels::Isa chosen = isa_of(isa);
    {
        const py::gil_scoped_release unlocked;
        kernels::eviction_delay(lambdas, saliences, frequencies,
                                {w_recency, w_salience, w_frequency}, frequency_ceiling, threshold,
                                result.values, chosen);
    }
    return result.array;
}

void bind_retention(py::module_& module) {
    module.def("retention_prior", &retention_prior, py::arg("age_s"), py::arg("lambda_per_s"),
               py::arg("salience"), py::arg("frequency"), py::kw_only(), py::arg("w_recency"),
               py::arg("w_salience"), py::arg("w_frequency"),
               py::arg("frequency_ceiling") = py::none(), py::arg("fading") = false,
               py::arg("out") = py::none(), py::arg("isa") = py::none());
    module.def("retention_score", &retention_score, py::arg("similarity"), py::arg("prior"),
               py::kw_only(), py::arg("w_relevance"), py::arg("out") = py::none(),
               py::arg("isa") = py::none());
    module.def("eviction_delay", &eviction_delay, py::arg("lambda_per_s"), py::arg("salience"),
               py::arg("frequency"), py::kw_only(), py::arg("w_recency"), py::arg("w_salience"),
               py::arg("w_frequency"), py::arg("threshold"),
               py::arg("frequency_ceiling") = py::none(), py::arg("out") = py::none(),
               py::arg("isa") = py::none());
}

}  // namespace

void bind_kernels(py::module_& module) {
    bind_dispatch(module);
    bind_numerics(module);
    bind_decay(module);
    bind_bandwidth(module);
    bind_retention(module);
}

}  // namespace scrubjay::bindings
