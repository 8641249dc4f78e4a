// The navigable graph over the rows of a table: what a walk needs, and how it changes.
//
// Every change is made in two steps. `plan_*` only reads: it walks, chooses, and writes down which
// lists will look how. `apply` copies those lists into place. Whoever owns the graph lets readers run
// during the long first step and stops them only for the second.
//
// A batch of new rows is planned against the graph as it stands; rows of one batch see each other by
// comparing all pairs, which costs little for a few hundred rows. The links of a batch that lead back
// to it are sorted by the row they start from, and each row merges its own. So every list depends on
// the batch alone and not on who computed it: the graph is the same for any number of threads, and
// every similarity is bit-equal on every instruction set.
//
// Rows that a walk cannot tell apart are one node and its copies, see copies.h.
//
// Erased rows stay as stepping stones until `plan_repair` gives each row that links to one new links,
// chosen among what lay behind the erased row, and its slot can be used again.
//
// Invariants
//   1. Those of Links.
//   2. A slot in the graph has its vector in place; the vector of an erased slot stays until repaired.
//   3. `entry` is the node of highest level, or none if the graph is empty.
//
// Thread-safety: const calls may run together; apply needs the owner's lock.
// Cost: planning a row costs a walk with ef_construction and about as much again to choose links;
// a repair reads all lists once and costs a fraction of an insertion for each row it changes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/hnsw/copies.h"
#include "scrubjay/index/hnsw/links.h"
#include "scrubjay/index/hnsw/walk.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index::hnsw {

inline constexpr std::uint32_t kFewestLinks = 2;
inline constexpr std::uint32_t kMostLinks = 128;
inline constexpr std::uint32_t kMostEfConstruction = 10'000;

struct GraphOptions {
    std::uint32_t links = 32;             // Per upper level; twice as many on level 0.
    std::uint32_t ef_construction = 200;  // At least 1.
    std::uint64_t seed = 0;
};

// Lists as they will be: links[first, first + count) for a slot on a level.
struct Edit {
    Slot slot;
    Level level;
    std::size_t first;
    std::uint32_t count;
};

struct Plan {
    std::vector<Edit> edits;
    std::vector<Slot> links;
    std::vector<Slot> joined;  // Slots that are in the graph afterwards.
    std::vector<Copy> copies;  // Of these, those that follow a node.
    std::vector<Slot> left;    // Slots that are not: theirs to use again.

    [[nodiscard]] std::span<const Slot> links_of(const Edit& edit) const noexcept {
        return {links.data() + edit.first, edit.count};
    }
    void write(Slot slot, Level level, std::span<const Slot> list) {
        edits.push_back({slot, level, links.size(), static_cast<std::uint32_t>(list.size())});
        links.insert(links.end(), list.begin(), list.end());
    }
};

// Copies as they will be, and those among them that follow another node than before.
struct Bequest {
    std::vector<Copy> marks;
    Copies copies;
};

class Graph {
  public:
    // Borrows the vectors, which must outlive it. REQUIRES options within their ranges.
    Graph(const GraphOptions& options, const Vectors& vectors);

    [[nodiscard]] const GraphOptions& options() const noexcept { return options_; }
    [[nodiscard]] std::size_t bytes() const noexcept;
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t erased() const noexcept { return erased_count_; }
    [[nodiscard]] bool contains(Slot slot) const noexcept { return bit(present_, slot); }
    [[nodiscard]] bool is_erased(Slot slot) const noexcept { return bit(erased_, slot); }
    [[nodiscard]] const Links& links() const noexcept { return links_; }
    [[nodiscard]] const Copies& copies() const noexcept { return copies_; }
    [[nodiscard]] Terrain terrain() const noexcept { return {links_, *vectors_, entry_, copies_}; }

    // Makes room for lists of that many slots; needs the owner's lock.
    void grow(std::size_t slots);

    // The same beside readers, see Growth.
    void stage_room(std::size_t slots, Growth& growth);
    void stage_slots(std::size_t slots, Growth& growth);
    void stage_shrink(Growth& growth);  // Gives back spare capacity.

    // Reads other vectors from now on. REQUIRES they hold in every slot of the graph what the ones did
    // that it was made over.
    void settle_on(const Vectors& vectors) noexcept { vectors_ = &vectors; }

    // How many rows the next batch should have while that many are in the graph.
    [[nodiscard]] static std::size_t batch_size(std::size_t rows) noexcept;

    // REQUIRES distinct slots below the size of grow(), no nodes of the graph, vectors in place.
    [[nodiscard]] Plan plan_insert(std::span<const Slot> slots, Workers& workers,
                                   const Poll& poll) const;

    // Marks rows as erased; returns nothing from then on, if the owner's selection says so too.
    // REQUIRES slots in the graph, not erased.
    void erase(std::span<const Slot> slots) noexcept;

    // Whether so many rows are erased that walks notice.
    [[nodiscard]] bool wants_repair() const noexcept;

    // Links around all erased rows, which leave the graph.
    [[nodiscard]] Plan plan_repair(Workers& workers, const Poll& poll) const;

    // Copies some lists of a plan into place; in order, a walk may run between any two calls.
    void assign(const Plan& plan, std::size_t first, std::size_t count) noexcept;

    // Stages the lists of copies with those of a plan; see Growth. Who reads them sees rows that are
    // not live yet. Throws std::bad_alloc; nothing has changed.
    void stage_copies(const Plan& plan, Growth& growth) { copies_.stage(plan.copies, growth); }

    // What a plan changes besides lists of links and of copies. REQUIRES all of them are assigned.
    void finish(const Plan& plan) noexcept;

    // All of it, for an exclusive owner.
    void apply(const Plan& plan);

    // Of the live copies of each erased node the first, which plan_insert finds a place for. Ascending.
    [[nodiscard]] std::vector<Copy> heirs() const;

    // Who follows whom once the plan that was made for those heirs is finished: live copies of what
    // an heir followed, the heir or what it follows then. Erased copies are in no list any more.
    [[nodiscard]] Bequest plan_bequest(std::span<const Copy> heirs, const Plan& plan) const;

    // Copies marks of a bequest into place; a walk may run between any two calls.
    void assign(std::span<const Copy> marks) noexcept;

    // Stages the copies of a bequest and what finish() does. REQUIRES when that is published all lists
    // and marks are assigned. Throws std::bad_alloc; nothing has changed.
    void stage_bequest(Copies copies, const Plan& plan, Growth& growth);

    // The same for a repair. REQUIRES there are no heirs.
    void stage_repair(const Plan& plan, Growth& growth);

    // Nodes at which no base list of another row points; walks cannot find them. Ascending.
    // Reads every base list. Throws what poll throws.
    [[nodiscard]] std::vector<Slot> unreachable(const Poll& poll = {}) const;

    // New links for rows of the graph, and back to them from rows they link to.
    [[nodiscard]] Plan plan_reconnect(std::span<const Slot> slots, Workers& workers,
                                      const Poll& poll) const;

    // Calls visit(name, array) for all that a snapshot keeps of a graph without erased rows: its links.
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        Links::state(self.links_, visit);
    }

    // Makes a graph of those members, one bit a slot, and of the links that were read. Throws
    // Error(corruption), see Links::restore.
    void restore(const std::string& where, std::span<const std::uint64_t> members,
                 const Poll& poll);

  private:
    [[nodiscard]] static bool bit(const AlignedArray<std::uint64_t>& bits, Slot slot) noexcept {
        return slot / 64 < bits.size() && ((bits[slot / 64] >> (slot % 64)) & 1U) != 0;
    }
    void find_entry() noexcept;

    GraphOptions options_;
    const Vectors* vectors_;
    Links links_;
    Entry entry_;
    std::size_t rows_ = 0;  // Erased ones included.
    std::size_t erased_count_ = 0;
    AlignedArray<std::uint64_t> present_;  // One bit a slot.
    AlignedArray<std::uint64_t> erased_;
    Copies copies_;
};

}  // namespace scrubjay::index::hnsw
