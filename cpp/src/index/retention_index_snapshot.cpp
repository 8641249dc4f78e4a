// Saving and opening the index.
#include <limits>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/retention_index.h"
#include "scrubjay/index/snapshot.h"

namespace scrubjay::index {
namespace {

// Options are bytes of the file like any other.
IndexOptions restored(const std::string& where, const IndexOptions& options) {
    if (options.dim < 1 || options.dim > kernels::kMaxDim) {
        refuse_damage(where, "options.dim", std::to_string(options.dim),
                      "1 to " + std::to_string(kernels::kMaxDim));
    }
    if (options.storage != Storage::f32 && options.storage != Storage::f16 &&
        options.storage != Storage::i8) {
        refuse_damage(where, "options.storage", std::to_string(word_of(options.storage)), "0 to 2");
    }
    if (options.metric > Metric::l2) {
        refuse_damage(where, "options.metric", std::to_string(word_of(options.metric)), "0 to 2");
    }
    if (lacks_originals(options)) {
        refuse_damage(where, "options.keep_originals", "0", "1 with metric 2 and small rows");
    }
    const auto require = [&](const char* name, std::uint64_t got, std::uint64_t least,
                             std::uint64_t most) {
        if (got < least || got > most) {
            refuse_damage(where, name, std::to_string(got),
                          std::to_string(least) + " to " + std::to_string(most));
        }
    };
    require("options.links", options.graph.links, hnsw::kFewestLinks, hnsw::kMostLinks);
    require("options.ef_construction", options.graph.ef_construction, 1, hnsw::kMostEfConstruction);
    require("options.exact_below", options.exact_below.value_or(1), 1,
            std::numeric_limits<std::uint64_t>::max());
    return options;
}

}  // namespace

template <class Self, class Visit>
void RetentionIndex::state(Self& self, Visit& visit, bool graph) {
    self.table_.visit_state(visit);
    self.vectors_.visit_state(visit);
    if (graph) {
        hnsw::Keeper::state(self.keeper_, visit);
    }
}

void RetentionIndex::thaw() {
    if (mapping_ != nullptr) {
        mapping_->thaw();
    }
}

void RetentionIndex::save(const std::string& path, const SnapshotNote& note, const Poll& poll) {
    if (note.epoch.size() > kMostEpochBytes) {
        throw Error(Errc::unit_out_of_range,
                    "Index.save: epoch is too long, got " + std::to_string(note.epoch.size()) +
                        " bytes, expected at most " + std::to_string(kMostEpochBytes));
    }
    const ReadGate::Turn turn(gate_, poll);
    // What was removed is in no file, not even as a stepping stone.
    Workers workers(options_.threads);
    keeper_.repair(turn, workers, poll);
    // An opened index makes its blocks of the rows alone, so this one goes on with such blocks too.
    priors_.renew(turn, poll);
    SnapshotWriter writer;
    SnapshotNote::state(note, writer);
    IndexOptions::state(options_, writer);
    IndexOptions::graph_state(options_, writer);
    state(std::as_const(*this), writer, true);
    writer.write("Index.save: " + path, path, poll);
}

RetentionIndex::Opened RetentionIndex::open(const std::string& path, Verify verify,
                                            const IndexOptions& machine, const Poll& poll) {
    SnapshotReader reader("Index.open: " + path, path, verify, poll);
    return open(reader, machine, poll);
}

RetentionIndex::Opened RetentionIndex::open(SnapshotReader& reader, const IndexOptions& machine,
                                            const Poll& poll) {
    Opened opened;
    IndexOptions options;
    SnapshotNote::state(opened.note, reader);
    IndexOptions::state(options, reader);
    const bool with_graph = reader.version() > 1;
    if (with_graph) {
        IndexOptions::graph_state(options, reader);
    }
    options.isa = machine.isa;
    options.threads = machine.threads;
    opened.index = std::make_unique<RetentionIndex>(restored(reader.where(), options));
    RetentionIndex& self = *opened.index;
    state(self, reader, with_graph);
    reader.finish();
    self.table_.restore(reader.where());
    self.vectors_.restore(reader.where(), self.table_.slots(), reader.verify() == Verify::full);
    self.keeper_.restore(reader.where(), poll);
    self.mapping_ = reader.mapping();
    const ReadGate::Turn turn(self.gate_, poll);
    self.priors_.tend(turn, self.keeper_.graph() != nullptr, poll);
    return opened;
}

}  // namespace scrubjay::index
