// Saving and opening the exact index.
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/index/flat.h"
#include "scrubjay/index/snapshot.h"

namespace scrubjay::index {
namespace {

// Options are bytes of the file like any other.
FlatOptions restored(const std::string& where, const FlatOptions& options) {
    if (options.dim < 1 || options.dim > kernels::kMaxDim) {
        refuse_damage(where, "options.dim", std::to_string(options.dim),
                      "1 to " + std::to_string(kernels::kMaxDim));
    }
    if (options.storage != Storage::f32 && options.storage != Storage::f16 &&
        options.storage != Storage::i8) {
        refuse_damage(where, "options.storage", std::to_string(word_of(options.storage)), "0 to 2");
    }
    return options;
}

}  // namespace

template <class Self, class Visit>
void FlatIndex::state(Self& self, Visit& visit) {
    self.table_.visit_state(visit);
    self.vectors_.visit_state(visit);
}

void FlatIndex::thaw() {
    if (mapping_ != nullptr) {
        mapping_->thaw();
    }
}

void FlatIndex::save(const std::string& path, const SnapshotNote& note, const Poll& poll) {
    if (note.epoch.size() > kMostEpochBytes) {
        throw Error(Errc::unit_out_of_range,
                    "Index.save: epoch is too long, got " + std::to_string(note.epoch.size()) +
                        " bytes, expected at most " + std::to_string(kMostEpochBytes));
    }
    const ReadGate::Turn turn(gate_, poll);
    SnapshotWriter writer;
    SnapshotNote::state(note, writer);
    FlatOptions::state(options_, writer);
    state(*this, writer);
    writer.write("Index.save: " + path, path, poll);
}

FlatIndex::Opened FlatIndex::open(const std::string& path, Verify verify,
                                  const FlatOptions& machine, const Poll& poll) {
    SnapshotReader reader("Index.open: " + path, path, verify, poll);
    return open(reader, machine);
}

FlatIndex::Opened FlatIndex::open(SnapshotReader& reader, const FlatOptions& machine) {
    Opened opened;
    FlatOptions options;
    SnapshotNote::state(opened.note, reader);
    FlatOptions::state(options, reader);
    options.isa = machine.isa;
    options.threads = machine.threads;
    opened.index = std::make_unique<FlatIndex>(restored(reader.where(), options));
    FlatIndex& self = *opened.index;
    state(self, reader);
    reader.finish();
    self.table_.restore(reader.where());
    self.vectors_.restore(reader.where(), self.table_.slots(), reader.verify() == Verify::full);
    self.mapping_ = reader.mapping();
    return opened;
}

}  // namespace scrubjay::index
