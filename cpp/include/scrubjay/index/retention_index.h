// The retention-aware index: rows with vectors, and what of them should be remembered now.
//
// It owns the table and the vectors of one tenant and, once rows are many, the graph over them
// and the blocks of their priors.
// planner.h says how a search is carried out; while rows are few, or where a scan is asked for, the
// answer is that of scoring every matching row.
//
// Invariants
//   1. Table, vectors and the lists of the graph have the same slots.
//   2. With a graph there are blocks of all live rows, unless memory for them was short.
//   3. A refused call has changed nothing: whole batches are validated first.
//
// A writer prepares beside the readers and shows its rows in pieces of at most 256, in the order of the
// batch; each row appears, changes or vanishes as a whole. A call that is interrupted by its Poll has
// done a prefix of its batch, whole pieces of it; work on the graph that it left goes to the next call.
//
// Thread-safety: all members may be called from any thread. Writers take turns; readers run beside the
// writer and wait only for its publishes (base/gate.h). A batch of queries goes in groups of at most
// sixteen, each of which sees one state; the answers are the same for every number of threads.
// Cost: a scan is O(matching rows * dim) and reads each matching row once per group of queries; see
// planner.h for the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/base/gate.h"
#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/filter.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/hnsw/keeper.h"
#include "scrubjay/index/planner.h"
#include "scrubjay/index/prior_keeper.h"
#include "scrubjay/index/snapshot.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"
#include "scrubjay/kernels/dispatch.h"
#include "scrubjay/kernels/top_k.h"

namespace scrubjay::index {

struct IndexOptions {
    // Behaviour.
    std::size_t dim = 0;
    Metric metric = Metric::cosine;
    std::optional<std::uint32_t> frequency_ceiling;  // F of the saturating form; none: raw.

    // Memory and speed; no answer depends on these while originals are kept.
    Storage storage = Storage::f32;
    bool keep_originals = true;
    std::size_t capacity = 0;  // Rows to make room for at once.
    hnsw::GraphOptions graph;
    std::optional<std::size_t> exact_below;  // Rows from which on there is a graph; none: by size.
    kernels::Isa isa = kernels::active_isa();
    std::size_t threads = 0;  // For batches and links; 0: every CPU this process may use.

    // What a snapshot keeps: all that answers depend on, and how rows are stored. A file of version 1
    // has only the first four.
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        std::uint32_t ceiling = self.frequency_ceiling.value_or(0);
        visit("options.dim", self.dim);
        visit("options.frequency_ceiling", ceiling);
        visit("options.storage", self.storage);
        visit("options.keep_originals", self.keep_originals);
        if constexpr (!std::is_const_v<Self>) {
            self.frequency_ceiling = ceiling == 0 ? std::nullopt : std::optional(ceiling);
        }
    }
    template <class Self, class Visit>
    static void graph_state(Self& self, Visit& visit) {
        std::uint64_t exact_below = self.exact_below.value_or(0);
        visit("options.metric", self.metric);
        visit("options.links", self.graph.links);
        visit("options.ef_construction", self.graph.ef_construction);
        visit("options.seed", self.graph.seed);
        visit("options.exact_below", exact_below);
        if constexpr (!std::is_const_v<Self>) {
            self.exact_below = exact_below;
        }
    }
};

// Whether the metric would have to measure by small rows alone.
[[nodiscard]] constexpr bool lacks_originals(const IndexOptions& options) noexcept {
    return options.metric == Metric::l2 && options.storage != Storage::f32 &&
           !options.keep_originals;
}

struct Similarities {
    std::vector<RowId> keys;    // Ascending.
    std::vector<float> values;  // gain * similarity
};

class RetentionIndex {
  public:
    // Throws Error(unit_out_of_range) for a dim outside [1, kMaxDim] or a ceiling of 0, and
    // Error(invalid_argument) for l2 without the originals of small rows.
    explicit RetentionIndex(const IndexOptions& options);

    [[nodiscard]] std::size_t dim() const noexcept { return options_.dim; }
    [[nodiscard]] Storage storage() const noexcept { return options_.storage; }
    [[nodiscard]] Metric metric() const noexcept { return options_.metric; }
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool contains(RowId key) const;
    [[nodiscard]] std::vector<RowId> keys() const;  // Ascending.

    // Adds rows; every column of the batch is given. A known key is an Error(conflict), or with
    // `replace` is overwritten. A key twice in one batch is always a conflict.
    void add(const RowBatch& batch, bool replace, bool allow_zero, const Poll& poll = {});

    // Overwrites what the batch gives. An unknown key is an Error(not_found).
    void update(const RowBatch& batch, bool allow_zero, const Poll& poll = {});

    // Records uses: last = max(last, now), frequency += count. Error(not_found) as above.
    void reinforce(std::span<const RowId> keys, Micros now_us, std::uint32_t count,
                   const Poll& poll = {});

    // Removes rows and returns how many there were. An unknown key is an Error(not_found), or with
    // `ignore_missing` is passed over.
    std::size_t remove(std::span<const RowId> keys, bool ignore_missing, const Poll& poll = {});

    // Room for that many rows in all: until there are so many, adding rows moves no array of table, key
    // map, vectors and graph, nor of a graph that is made meanwhile. Memory is not touched before it
    // is used. Fewer rows than there are change nothing. Not covered are blocks of priors, which are made
    // anew as rows come, and one place more for each row of a graph whose vector is replaced, until
    // the next repair. Throws Error(capacity_exceeded) for more than the machine or one table holds, and
    // where the system grants no memory: no row has changed, and what had got room keeps it.
    // Cost: O(rows there are), once; searches go on meanwhile.
    void reserve(std::size_t rows, const Poll& poll = {});

    // Gives back the memory of rows that went, and all that was reserved. Answers stay what they are,
    // apart from those of a graph that is made anew.
    //
    // Without a graph, rows move up into free slots wherever that saves a tile. A graph keeps its rows
    // where they are while at most a quarter of its slots would be given back: what was erased is
    // mended first, and spare capacity goes. Beyond that rows move, and since levels and links
    // belong to slots the graph is made anew, or none if they are too few for one by now. An index whose
    // rows have moved is byte for byte the one that adding them in one call would make.
    //
    // New arrays are made beside the readers, who wait for one exchange of pointers. A call that is
    // interrupted, or finds no memory (std::bad_alloc), leaves every row where it was.
    // Cost: O(rows * dim) and meanwhile the memory of the shrunk index besides; with a graph of which
    // more than a quarter went, that of growing it, see hnsw/graph.h.
    void shrink(const Poll& poll = {});

    // The best k of the matching rows for each of m queries, (m, dim) row-major; an empty span asks
    // once, without similarity. Fewer than k only if fewer match. Throws Error(unit_out_of_range | shape_mismatch).
    [[nodiscard]] std::vector<Answer> search(std::span<const float> queries,
                                             const SearchOptions& options, const Predicate& where,
                                             const Poll& poll = {}) const;

    // gain * similarity of every matching row.
    [[nodiscard]] Similarities similarity(std::span<const float> query, const Predicate& where,
                                          const Poll& poll = {}) const;

    // Writes the index and a note into one file, replacing it as a whole; see snapshot.h. Searches go
    // on meanwhile, writers wait. Throws Error(storage | unit_out_of_range).
    void save(const std::string& path, const SnapshotNote& note, const Poll& poll = {});

    // The index as it was when it was saved, on the mapped file: its arrays are read from there until
    // they change, and the file never changes. Throws Error(storage | format_version | corruption).
    struct Opened;
    // Of `machine`, isa and threads are taken.
    static Opened open(const std::string& path, Verify verify, const IndexOptions& machine,
                       const Poll& poll = {});
    static Opened open(SnapshotReader& reader, const IndexOptions& machine, const Poll& poll = {});

    // Rows from which on there is a graph.
    [[nodiscard]] std::size_t exact_below() const noexcept { return exact_below_; }

    // Runs look(table, vectors) while no writer publishes. It must not keep references to them, nor
    // call this index.
    template <class Look>
    auto inspect(Look look) const {
        const ReadGate::Read read(gate_);
        return look(table_, vectors_);
    }

  private:
    void refuse_bad_batch(const char* fn, const RowBatch& batch, bool allow_zero,
                          const Poll& poll) const;
    void thaw();
    [[nodiscard]] Vectors empty_rows() const;
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit, bool graph);
    void make_room(const ReadGate::Turn& turn, std::size_t fresh);
    [[nodiscard]] bool wants_packing() const noexcept;
    void pack(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    void tighten(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    void take_room(const char* fn, std::size_t rows, Growth growth);
    void write_linked(const ReadGate::Turn& turn, const RowBatch& batch, const Poll& poll);
    void tend(const ReadGate::Turn& turn, const Poll& poll);
    void tend(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    [[nodiscard]] std::size_t rows_per_publish() const noexcept;
    template <class SlotOf>
    void write(const ReadGate::Turn& turn, const RowBatch& batch, const Poll& poll, SlotOf slot_of);
    [[nodiscard]] std::size_t threads_for(std::size_t queries) const;
    void search_group(std::span<const float> queries, const SearchOptions& options,
                      const Predicate& where, std::span<Answer> answers, const Poll& poll) const;

    IndexOptions options_;
    const kernels::TileTable* kernels_;
    const kernels::TopKTable* selector_;
    Table table_;
    Vectors vectors_;
    std::shared_ptr<Mapping> mapping_;  // Of the file that was opened, if any.
    std::size_t exact_below_;
    hnsw::Keeper keeper_;
    PriorKeeper priors_;
    ReadGate gate_;
};

struct RetentionIndex::Opened {
    std::unique_ptr<RetentionIndex> index;
    SnapshotNote note;
};

// The slots of keys, in their order. Throws Error(not_found), naming the first unknown key.
[[nodiscard]] std::vector<Slot> require_slots(const char* fn, const Table& table,
                                              std::span<const RowId> keys);

}  // namespace scrubjay::index
