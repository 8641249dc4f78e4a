// The graph of one index through its life: made when rows are many, kept in step with them, dropped
// when they are few again.
//
// A Keeper works during the writer's turn: it plans beside the readers and publishes pieces of a plan
// that a reader may see half done. New lists lead to new rows before these are live, and rows that
// left keep their lists until nothing leads to them, so a walk at any moment arrives somewhere, and
// the table alone says which rows exist.
//
// Invariants, outside a publish
//   1. With a graph, every live row is in it, and every row of it that is not live is erased there and
//      parked in the table.
//   2. Without one, no slot is parked.
//
// Thread-safety: graph() and shelf() inside a Read; the rest during the writer's turn.
// Cost: promotion builds the whole graph, see graph.h; tend() is amortised over what came and left.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "scrubjay/base/gate.h"
#include "scrubjay/base/interrupt.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/growth.h"
#include "scrubjay/index/hnsw/graph.h"
#include "scrubjay/index/hnsw/neighbours.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index::hnsw {

class Keeper {
  public:
    // Rows below `exact_below` get no graph; one that has shrunk below a quarter of it loses its own.
    // Borrows table and vectors.
    Keeper(const GraphOptions& options, std::size_t exact_below, Table& table, Vectors& vectors);

    [[nodiscard]] const Graph* graph() const noexcept { return graph_.get(); }
    [[nodiscard]] Shelf& shelf() const noexcept { return shelf_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return graph_ ? graph_->bytes() : 0; }

    // Room for lists of so many slots, where there is a graph; see Growth.
    void stage_room(std::size_t slots, Growth& growth);
    void stage_slots(std::size_t slots, Growth& growth);

    // Room for lists of so many slots in all, at once or, where there is no graph yet, when it is made.
    void stage_reserve(std::size_t slots, Growth& growth);

    // Gives back spare capacity, and forgets what was reserved.
    void stage_shrink(Growth& growth);

    // The graph that promotion would make of other rows; none if they are too few for one.
    // Throws what poll throws.
    [[nodiscard]] std::unique_ptr<Graph> made_of(const Table& table, const Vectors& vectors,
                                                 Workers& workers, const Poll& poll) const;

    // Exchanges the graph for one that was made so, and forgets what was reserved. Inside the publish
    // that puts those rows into table and vectors.
    void exchange(std::unique_ptr<Graph>& graph) noexcept;

    // Bytes of the links of each of so many rows; 0 if that few have no graph.
    [[nodiscard]] std::size_t bytes_per_row(std::size_t rows) const noexcept;

    // How many rows to join at once.
    [[nodiscard]] std::size_t batch_size() const noexcept;

    // Links rows whose vectors are in place and whose slots are not live yet, then calls show() inside
    // the last publish; without a graph that is all it does. Throws what poll throws; the rows are
    // then not linked, show() was not called, and the slots may be claimed.
    template <class Show>
    void join(const ReadGate::Turn& turn, std::span<const Slot> slots, Workers& workers,
              const Poll& poll, Show show) {
        const Plan plan = plan_join(slots, workers, poll);
        publish_copies(turn, plan);
        publish_edits(turn, plan);
        const ReadGate::Publish publish(turn);
        if (graph_) {
            graph_->finish(plan);
        }
        show();
    }

    // The rows in parked slots have just left; true if the keeper will recycle the slots itself.
    // Inside a publish.
    bool erase(std::span<const Slot> slots) noexcept;

    // Makes, mends or drops the graph as the number of rows wants it. Throws what poll throws; the
    // rows are then as they were and the next call takes it up again.
    void tend(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);

    // Links around all that was erased and clears it from memory.
    void repair(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);

    // Calls visit(name, array or scalar) for all that a snapshot keeps; see index/archive.h. REQUIRES
    // nothing is erased: a repair() came before.
    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        bool exists = self.graph_ != nullptr;
        visit("graph.exists", exists);
        if (!exists) {
            return;
        }
        if constexpr (!std::is_const_v<Self>) {
            self.graph_ = std::make_unique<Graph>(self.options_, *self.vectors_);
        }
        visit("graph.joined", self.joined_);
        Graph::state(*self.graph_, visit);
    }

    // Checks a graph that was read, if there is one, against the table, which is restored already.
    // Throws Error(corruption), naming the list; nobody has seen the graph.
    void restore(const std::string& where, const Poll& poll);

  private:
    [[nodiscard]] Plan plan_join(std::span<const Slot> slots, Workers& workers, const Poll& poll);
    void publish_edits(const ReadGate::Turn& turn, const Plan& plan);
    void publish_copies(const ReadGate::Turn& turn, const Plan& plan);
    void bequeath(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    void publish_cleared(const ReadGate::Turn& turn, std::span<const Slot> slots);
    void reconnect(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    void promote(const ReadGate::Turn& turn, Workers& workers, const Poll& poll);
    void drop(const ReadGate::Turn& turn);
    [[nodiscard]] std::unique_ptr<Graph> grown(const Table& table, const Vectors& vectors,
                                               std::size_t room, Workers& workers,
                                               const Poll& poll) const;

    GraphOptions options_;
    std::size_t exact_below_;
    Table* table_;
    Vectors* vectors_;
    std::unique_ptr<Graph> graph_;
    std::size_t reserved_ = 0;  // Slots that a graph made later has room for.
    std::size_t joined_ = 0;    // Rows since the last look for unreachable ones.
    mutable Shelf shelf_;
};

}  // namespace scrubjay::index::hnsw
