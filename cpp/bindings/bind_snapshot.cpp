// Snapshots of an index, and the checksum that guards them.
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "arrays.h"
#include "register.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/retention_index.h"
#include "scrubjay/index/snapshot.h"
#include "scrubjay/kernels/checksum.h"
#include "signals.h"

namespace py = pybind11;

namespace scrubjay::bindings {
namespace {

using index::RetentionIndex;
using index::SnapshotNote;

std::uint32_t crc32c(const py::handle& data, std::uint32_t seed,
                     const std::optional<std::string>& isa) {
    const auto run = vector_in<std::uint8_t>("crc32c", "data", data);
    const kernels::Isa chosen = isa_of(isa);
    const py::gil_scoped_release unlocked;
    return kernels::crc32c(std::as_bytes(run), seed, chosen);
}

void save(RetentionIndex& self, const std::string& path, std::uint64_t watermark,
          const std::string& epoch) {
    SnapshotNote note;
    note.watermark = watermark;
    note.epoch.grow(epoch.size());
    std::copy(epoch.begin(), epoch.end(), note.epoch.data());
    Signals signals;
    const py::gil_scoped_release unlocked;
    self.save(path, note, signals.poll());
}

// The index, its watermark and its epoch.
py::tuple open(const std::string& path, bool full, const std::optional<std::string>& isa,
               std::size_t threads) {
    index::IndexOptions machine;
    machine.isa = isa_of(isa);
    machine.threads = threads;
    const index::Verify verify = full ? index::Verify::full : index::Verify::header;
    Signals signals;
    RetentionIndex::Opened opened;
    {
        const py::gil_scoped_release unlocked;
        opened = RetentionIndex::open(path, verify, machine, signals.poll());
    }
    const auto& epoch = std::as_const(opened.note.epoch);
    return py::make_tuple(std::move(opened.index), opened.note.watermark,
                          py::bytes(reinterpret_cast<const char*>(epoch.data()), epoch.size()));
}

}  // namespace

void bind_snapshot(py::module_& module) {
    module.def("crc32c", &crc32c, py::arg("data"), py::kw_only(), py::arg("seed") = 0,
               py::arg("isa") = py::none());
    auto index = py::reinterpret_borrow<py::class_<RetentionIndex>>(module.attr("RetentionIndex"));
    index.def("save", &save, py::arg("path"), py::kw_only(), py::arg("watermark"),
              py::arg("epoch"));
    index.def_static("open", &open, py::arg("path"), py::kw_only(), py::arg("full"),
                     py::arg("isa") = py::none(), py::arg("threads") = 0);
}

}  // namespace scrubjay::bindings
