// The exact index: tables of rows in, ranked answers out.
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "arrays.h"
#include "register.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/retention_index.h"
#include "signals.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using index::Hit;
using index::Predicate;
using index::RetentionIndex;

index::Storage storage_of(const std::string& name) {
    if (name == "f32") {
        return index::Storage::f32;
    }
    if (name == "f16") {
        return index::Storage::f16;
    }
    if (name == "i8") {
        return index::Storage::i8;
    }
    throw Error(Errc::invalid_argument,
                "Index: storage is unknown, got '" + name + "', expected 'f32', 'f16' or 'i8'");
}

index::Metric metric_of(const std::string& name) {
    for (const index::Metric metric :
         {index::Metric::cosine, index::Metric::ip, index::Metric::l2}) {
        if (name == index::name_of(metric)) {
            return metric;
        }
    }
    throw Error(Errc::invalid_argument,
                "Index: metric is unknown, got '" + name + "', expected 'cosine', 'ip' or 'l2'");
}

const char* storage_name(const RetentionIndex& self) {
    switch (self.storage()) {
        case index::Storage::f16:
            return "f16";
        case index::Storage::i8:
            return "i8";
        case index::Storage::f32:
            break;
    }
    return "f32";
}

std::unique_ptr<RetentionIndex> make_index(
    std::size_t dim, const std::string& metric, const std::string& storage,
    std::optional<std::uint32_t> frequency_ceiling, bool keep_originals, std::size_t capacity,
    const std::optional<std::string>& isa, std::size_t threads,
    const index::hnsw::GraphOptions& graph, std::optional<std::size_t> exact_below) {
    index::IndexOptions options;
    options.dim = dim;
    options.metric = metric_of(metric);
    options.storage = storage_of(storage);
    options.frequency_ceiling = frequency_ceiling;
    options.keep_originals = keep_originals;
    options.capacity = capacity;
    options.isa = isa_of(isa);
    options.threads = threads;
    options.graph = graph;
    options.exact_below = exact_below;
    return std::make_unique<RetentionIndex>(options);
}

// Vectors as (n, dim); the columns that `columns` names, each (n,).
index::RowBatch batch_of(const char* fn, const RetentionIndex& self, const py::handle& keys,
                         const py::handle& vectors, const py::dict& columns) {
    index::RowBatch batch;
    batch.keys = vector_in<RowId>(fn, "keys", keys);
    if (!vectors.is_none()) {
        const MatrixIn<float> matrix = matrix_in<float>(fn, "vectors", vectors);
        if (matrix.rows != batch.keys.size() || matrix.columns != self.dim()) {
            throw Error(Errc::shape_mismatch,
                        std::string(fn) + ": vectors has the wrong shape, got (" +
                            std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) +
                            "), expected (" + std::to_string(batch.keys.size()) + ", " +
                            std::to_string(self.dim()) + ")");
        }
        batch.vectors = matrix.values;
    }
    index::visit_columns([&](const char* name, auto given, auto /*column*/) {
        if (columns.contains(name)) {
            using Span = std::remove_reference_t<decltype(batch.*given)>;
            batch.*given = vector_in<typename Span::value_type>(fn, name, columns[name]);
        }
    });
    return batch;
}

void add(RetentionIndex& self, const py::handle& keys, const py::handle& vectors,
         const py::dict& columns, bool replace, bool allow_zero) {
    const index::RowBatch batch = batch_of("Index.add", self, keys, vectors, columns);
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.add(batch, replace, allow_zero, signals.poll());
}

void update(RetentionIndex& self, const py::handle& keys, const py::handle& vectors,
            const py::dict& columns, bool allow_zero) {
    const index::RowBatch batch = batch_of("Index.update", self, keys, vectors, columns);
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.update(batch, allow_zero, signals.poll());
}

void reinforce(RetentionIndex& self, const py::handle& keys, Micros now_us, std::uint32_t count) {
    const auto wanted = vector_in<RowId>("Index.reinforce", "keys", keys);
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.reinforce(wanted, now_us, count, signals.poll());
}

std::size_t remove(RetentionIndex& self, const py::handle& keys, bool ignore_missing) {
    const auto wanted = vector_in<RowId>("Index.remove", "keys", keys);
    Signals signals;
    const py::gil_scoped_release unlocked;
    return self.remove(wanted, ignore_missing, signals.poll());
}

void reserve(RetentionIndex& self, std::size_t rows) {
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.reserve(rows, signals.poll());
}

void shrink(RetentionIndex& self) {
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.shrink(signals.poll());
}

template <class T>
std::optional<std::vector<T>> optional_ids(const char* name, const py::handle& ids) {
    if (ids.is_none()) {
        return std::nullopt;
    }
    const auto values = vector_in<T>("Index.search", name, ids);
    return std::vector<T>(values.begin(), values.end());
}

Predicate make_predicate(const py::handle& scopes, const py::handle& keys, std::uint64_t kinds,
                         std::uint64_t categories, std::uint64_t states, std::uint64_t planes,
                         std::uint8_t authority_min, std::uint8_t flags_all,
                         std::uint8_t flags_none, float quality_min,
                         std::optional<Micros> event_from_us, std::optional<Micros> event_to_us) {
    Predicate predicate;
    predicate.scopes = optional_ids<std::uint32_t>("scopes", scopes);
    predicate.keys = optional_ids<RowId>("keys", keys);
    predicate.kinds = kinds;
    predicate.categories = categories;
    predicate.states = states;
    predicate.planes = planes;
    predicate.authority_min = authority_min;
    predicate.flags_all = flags_all;
    predicate.flags_none = flags_none;
    predicate.quality_min = quality_min;
    predicate.event_from_us = event_from_us.value_or(predicate.event_from_us);
    predicate.event_to_us = event_to_us;
    predicate.remembered = std::make_shared<index::Remembered>();
    return predicate;
}

template <class T, class Rows, class Take>
py::array column_of(const Rows& rows, Take take) {
    py::array_t<T> column(static_cast<py::ssize_t>(rows.size()));
    T* out = column.mutable_data();
    for (const auto& row : rows) {
        *out++ = static_cast<T>(take(row));
    }
    return std::move(column);
}

py::tuple answer_tuple(const index::Answer& answer) {
    const auto floats = [&](float Hit::* term) {
        return column_of<float>(answer.hits, [term](const Hit& hit) { return hit.*term; });
    };
    return py::make_tuple(column_of<RowId>(answer.hits, [](const Hit& hit) { return hit.key; }),
                          floats(&Hit::score), floats(&Hit::relevance), floats(&Hit::recency),
                          floats(&Hit::salience), floats(&Hit::frequency), floats(&Hit::similarity),
                          answer.matched, answer.live, answer.certified, answer.bound_met,
                          index::name_of(answer.route));
}

// (m, dim) queries, or None for one search without similarity.
std::span<const float> queries_of(const RetentionIndex& self, const py::handle& queries) {
    if (queries.is_none()) {
        return {};
    }
    const MatrixIn<float> matrix = matrix_in<float>("Index.search", "query", queries);
    if (matrix.columns != self.dim()) {
        throw Error(Errc::shape_mismatch, "Index.search: query has the wrong dimension, got " +
                                              std::to_string(matrix.columns) + ", expected " +
                                              std::to_string(self.dim()));
    }
    return matrix.values;
}

py::list search(const RetentionIndex& self, const py::handle& queries, std::size_t k, Micros now_us,
                const std::array<float, 4>& weights, const Predicate& where, std::size_t ef,
                bool exact) {
    const std::span<const float> wanted = queries_of(self, queries);
    if (wanted.empty() && !queries.is_none()) {
        return py::list();
    }
    const index::SearchOptions options{
        k, now_us, {weights[0], weights[1], weights[2], weights[3]}, ef, exact};
    std::vector<index::Answer> answers;
    Signals signals;
    {
        const py::gil_scoped_release unlocked;
        answers = self.search(wanted, options, where, signals.poll());
    }
    py::list result;
    for (const index::Answer& answer : answers) {
        result.append(answer_tuple(answer));
    }
    return result;
}

py::tuple similarity(const RetentionIndex& self, const py::handle& query, const Predicate& where) {
    const std::span<const float> wanted = queries_of(self, query);
    index::Similarities found;
    Signals signals;
    {
        const py::gil_scoped_release unlocked;
        found = self.similarity(wanted, where, signals.poll());
    }
    return py::make_tuple(column_of<RowId>(found.keys, [](RowId key) { return key; }),
                          column_of<float>(found.values, [](float value) { return value; }));
}

// Runs look(table, vectors) without the GIL, as everything that enters an index must.
template <class Look>
void inspect(const RetentionIndex& self, Look look) {
    const py::gil_scoped_release unlocked;
    self.inspect(look);
}

py::dict columns(const RetentionIndex& self, const py::handle& keys) {
    const auto wanted = vector_in<RowId>("Index.columns", "keys", keys);
    py::dict result;
    std::vector<std::function<void(std::span<const index::Slot>, const index::Columns&)>> copies;
    index::visit_columns([&](const char* name, auto /*given*/, auto column) {
        using T = std::remove_cvref_t<decltype((std::declval<index::Columns>().*column)[0])>;
        py::array_t<T> values(static_cast<py::ssize_t>(wanted.size()));
        copies.emplace_back([out = values.mutable_data(), column](auto slots, const auto& rows) {
            std::transform(slots.begin(), slots.end(), out,
                           [&](index::Slot slot) { return (rows.*column)[slot]; });
        });
        result[name] = std::move(values);
    });
    inspect(self, [&](const index::Table& table, const index::Vectors& /*vectors*/) {
        const auto slots = index::require_slots("Index.columns", table, wanted);
        for (const auto& copy : copies) {
            copy(slots, table.columns());
        }
    });
    return result;
}

py::array vectors(const RetentionIndex& self, const py::handle& keys) {
    const auto wanted = vector_in<RowId>("Index.vectors", "keys", keys);
    const auto dim = static_cast<py::ssize_t>(self.dim());
    py::array_t<float> result({static_cast<py::ssize_t>(wanted.size()), dim});
    float* out = result.mutable_data();
    inspect(self, [&](const index::Table& table, const index::Vectors& rows) {
        for (const index::Slot slot : index::require_slots("Index.vectors", table, wanted)) {
            rows.read(slot, {out, self.dim()});
            out += dim;
        }
    });
    return std::move(result);
}

py::array all_keys(const RetentionIndex& self) {
    std::vector<RowId> found;
    {
        const py::gil_scoped_release unlocked;
        found = self.keys();
    }
    return column_of<RowId>(found, [](RowId key) { return key; });
}

// Reads what a search scans and only adds it up: the sum, the bytes it read (the rows), and the bytes
// a search without a filter reads (rows and columns). Benches divide by it.
py::tuple read_sum(const RetentionIndex& self) {
    std::uint64_t sum = 0;
    std::size_t read = 0;
    std::size_t scanned = 0;
    inspect(self, [&](const index::Table& table, const index::Vectors& rows) {
        sum = rows.read_sum();
        read = rows.row_bytes();
        scanned = read + rows.bound_bytes() + table.scanned_bytes();
    });
    return py::make_tuple(sum, read, scanned);
}

void bind_graph_options(py::module_& module) {
    using index::hnsw::GraphOptions;
    py::class_<GraphOptions>(module, "GraphOptions")
        .def(py::init([](std::uint32_t links, std::uint32_t ef_construction, std::uint64_t seed) {
                 return GraphOptions{links, ef_construction, seed};
             }),
             py::kw_only(), py::arg("links"), py::arg("ef_construction"), py::arg("seed"));
}

void bind_predicate(py::module_& module) {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    py::class_<Predicate>(module, "Predicate")
        .def(py::init(&make_predicate), py::kw_only(), py::arg("scopes") = py::none(),
             py::arg("keys") = py::none(), py::arg("kinds") = kAll, py::arg("categories") = kAll,
             py::arg("states") = kAll, py::arg("planes") = kAll, py::arg("authority_min") = 0,
             py::arg("flags_all") = 0, py::arg("flags_none") = 0, py::arg("quality_min") = 0.0F,
             py::arg("event_from_us") = py::none(), py::arg("event_to_us") = py::none());
}

}  // namespace

void bind_index(py::module_& module) {
    bind_predicate(module);
    bind_graph_options(module);
    using Unlocked = py::call_guard<py::gil_scoped_release>;
    py::class_<RetentionIndex>(module, "RetentionIndex")
        .def(py::init(&make_index), py::arg("dim"), py::kw_only(), py::arg("metric") = "cosine",
             py::arg("storage"), py::arg("frequency_ceiling") = py::none(),
             py::arg("keep_originals") = true, py::arg("capacity") = 0, py::arg("isa") = py::none(),
             py::arg("threads") = 0, py::arg("graph"), py::arg("exact_below") = py::none())
        .def("add", &add, py::arg("keys"), py::arg("vectors"), py::arg("columns"), py::kw_only(),
             py::arg("replace"), py::arg("allow_zero"))
        .def("update", &update, py::arg("keys"), py::arg("vectors"), py::arg("columns"),
             py::kw_only(), py::arg("allow_zero"))
        .def("reinforce", &reinforce, py::arg("keys"), py::kw_only(), py::arg("now_us"),
             py::arg("count"))
        .def("remove", &remove, py::arg("keys"), py::kw_only(), py::arg("ignore_missing"))
        .def("reserve", &reserve, py::arg("rows"))
        .def("shrink", &shrink)
        .def("search", &search, py::arg("queries"), py::arg("k"), py::kw_only(), py::arg("now_us"),
             py::arg("weights"), py::arg("where"), py::arg("ef") = 64, py::arg("exact") = false)
        .def("similarity", &similarity, py::arg("query"), py::arg("where"))
        .def("columns", &columns, py::arg("keys"))
        .def("vectors", &vectors, py::arg("keys"))
        .def("keys", &all_keys)
        .def("read_sum", &read_sum)
        .def_property_readonly("dim", &RetentionIndex::dim)
        .def_property_readonly(
            "metric", [](const RetentionIndex& self) { return index::name_of(self.metric()); })
        .def_property_readonly("storage", &storage_name)
        .def("contains", &RetentionIndex::contains, py::arg("key"), Unlocked())
        .def("size", &RetentionIndex::size, Unlocked())
        .def("bytes", &RetentionIndex::bytes, Unlocked());
}

}  // namespace scrubjay::bindings
