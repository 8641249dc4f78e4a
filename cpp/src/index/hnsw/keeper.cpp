// Promotion, repair and the publishing of plans.
#include "scrubjay/index/hnsw/keeper.h"

#include <algorithm>

namespace scrubjay::index::hnsw {
namespace {

// Lists copied per publish: some tens of microseconds.
constexpr std::size_t kEditsPerPublish = 512;

// Vectors cleared per publish.
constexpr std::size_t kRowsPerPublish = 256;

// Rows that join before somebody looks for unreachable ones, as a share of all.
constexpr std::size_t kRowsPerLook = 8;

}  // namespace

Keeper::Keeper(const GraphOptions& options, std::size_t exact_below, Table& table, Vectors& vectors)
    : options_(options), exact_below_(exact_below), table_(&table), vectors_(&vectors) {}

void Keeper::stage_room(std::size_t slots, Growth& growth) {
    if (graph_) {
        graph_->stage_room(slots, growth);
    }
}

void Keeper::stage_slots(std::size_t slots, Growth& growth) {
    if (graph_) {
        graph_->stage_slots(slots, growth);
    }
}

void Keeper::stage_reserve(std::size_t slots, Growth& growth) {
    stage_room(slots, growth);
    reserved_ = std::max(reserved_, slots);
}

std::size_t Keeper::bytes_per_row(std::size_t rows) const noexcept {
    const bool linked = graph_ != nullptr || rows >= exact_below_;
    return linked ? Links(options_.links, options_.seed).stride() * sizeof(Slot) : 0;
}

std::size_t Keeper::batch_size() const noexcept {
    return graph_ ? Graph::batch_size(graph_->rows()) : SIZE_MAX;
}

Plan Keeper::plan_join(std::span<const Slot> slots, Workers& workers, const Poll& poll) {
    if (!graph_) {
        return {};
    }
    joined_ += slots.size();
    return graph_->plan_insert(slots, workers, poll);
}

void Keeper::publish_edits(const ReadGate::Turn& turn, const Plan& plan) {
    for (std::size_t first = 0; first < plan.edits.size(); first += kEditsPerPublish) {
        const ReadGate::Publish publish(turn);
        graph_->assign(plan, first, std::min(kEditsPerPublish, plan.edits.size() - first));
    }
}

void Keeper::publish_copies(const ReadGate::Turn& turn, const Plan& plan) {
    if (graph_) {
        Growth growth(turn);
        graph_->stage_copies(plan, growth);
        growth.publish();
    }
}

void Keeper::publish_cleared(const ReadGate::Turn& turn, std::span<const Slot> slots) {
    for (std::size_t first = 0; first < slots.size(); first += kRowsPerPublish) {
        const ReadGate::Publish publish(turn);
        for (const Slot slot :
             slots.subspan(first, std::min(kRowsPerPublish, slots.size() - first))) {
            vectors_->clear(slot);
        }
    }
}

bool Keeper::erase(std::span<const Slot> slots) noexcept {
    if (graph_) {
        graph_->erase(slots);
    }
    return graph_ != nullptr;
}

void Keeper::tend(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    if (!graph_) {
        if (table_->live() >= exact_below_) {
            promote(turn, workers, poll);
        }
        return;
    }
    if (table_->live() < exact_below_ / 4) {
        drop(turn);
        return;
    }
    if (graph_->wants_repair()) {
        repair(turn, workers, poll);
    }
    if (joined_ * kRowsPerLook > graph_->rows()) {
        reconnect(turn, workers, poll);
    }
}

void Keeper::repair(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    if (!graph_ || graph_->erased() == 0) {
        return;
    }
    bequeath(turn, workers, poll);
    const Plan plan = graph_->plan_repair(workers, poll);
    Growth growth(turn);
    graph_->stage_repair(plan, growth);
    growth.step([this, &plan] { table_->recycle(plan.left); });
    publish_edits(turn, plan);
    publish_cleared(turn, plan.left);
    growth.publish();
    joined_ = graph_->rows();  // A look that is interrupted is then due at the next tend().
    reconnect(turn, workers, poll);
}

// Erased nodes leave their place to one of their copies before they go.
void Keeper::bequeath(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    const std::vector<Copy> all = graph_->heirs();
    const std::size_t batch = batch_size();
    for (std::size_t at = 0; at < all.size(); at += batch) {
        const auto heirs = std::span(all).subspan(at, std::min(batch, all.size() - at));
        std::vector<Slot> slots;
        for (const Copy& heir : heirs) {
            slots.push_back(heir.slot);
        }
        const Plan plan = graph_->plan_insert(slots, workers, poll);
        Bequest bequest = graph_->plan_bequest(heirs, plan);
        Growth growth(turn);
        graph_->stage_bequest(std::move(bequest.copies), plan, growth);
        publish_edits(turn, plan);
        for (std::size_t first = 0; first < bequest.marks.size(); first += kEditsPerPublish) {
            const ReadGate::Publish publish(turn);
            graph_->assign(
                std::span(bequest.marks)
                    .subspan(first, std::min(kEditsPerPublish, bequest.marks.size() - first)));
        }
        growth.publish();
    }
}

// Repeated because making room for one link can cost another row its only one.
void Keeper::reconnect(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
        const std::vector<Slot> lost = graph_->unreachable(poll);
        if (lost.empty()) {
            break;
        }
        publish_edits(turn, graph_->plan_reconnect(lost, workers, poll));
    }
    joined_ = 0;
}

// Nobody sees the graph before it is whole, so nothing is published on the way.
std::unique_ptr<Graph> Keeper::grown(const Table& table, const Vectors& vectors, std::size_t room,
                                     Workers& workers, const Poll& poll) const {
    auto graph = std::make_unique<Graph>(options_, vectors);
    Growth growth;
    graph->stage_room(std::max(table.slots(), room), growth);
    growth.publish();
    graph->grow(table.slots());
    const std::vector<Slot> live = table.live_slots();
    for (std::size_t at = 0; at < live.size();) {
        const std::size_t count = std::min(live.size() - at, Graph::batch_size(graph->rows()));
        graph->apply(graph->plan_insert(std::span(live).subspan(at, count), workers, poll));
        at += count;
    }
    graph->apply(graph->plan_reconnect(graph->unreachable(poll), workers, poll));
    return graph;
}

void Keeper::promote(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    auto graph = grown(*table_, *vectors_, reserved_, workers, poll);
    const ReadGate::Publish publish(turn);
    graph_ = std::move(graph);
    joined_ = 0;
}

void Keeper::stage_shrink(Growth& growth) {
    reserved_ = 0;
    if (graph_) {
        graph_->stage_shrink(growth);
    }
}

std::unique_ptr<Graph> Keeper::made_of(const Table& table, const Vectors& vectors, Workers& workers,
                                       const Poll& poll) const {
    return table.live() >= exact_below_ ? grown(table, vectors, 0, workers, poll) : nullptr;
}

void Keeper::exchange(std::unique_ptr<Graph>& graph) noexcept {
    if (graph) {
        graph->settle_on(*vectors_);
    }
    std::swap(graph_, graph);
    joined_ = 0;
    reserved_ = 0;
}

void Keeper::restore(const std::string& where, const Poll& poll) {
    if (graph_) {
        graph_->restore(where, table_->occupied(), poll);
    }
}

// Searches scan from the first publish on, and nothing leads to what was parked any more.
void Keeper::drop(const ReadGate::Turn& turn) {
    std::vector<Slot> parked;
    for (std::size_t s = 0; s < graph_->links().slots(); ++s) {
        const auto slot = static_cast<Slot>(s);
        if (graph_->is_erased(slot)) {
            parked.push_back(slot);
        }
    }
    std::unique_ptr<Graph> old;
    {
        const ReadGate::Publish publish(turn);
        old = std::move(graph_);
    }
    publish_cleared(turn, parked);
    const ReadGate::Publish publish(turn);
    table_->recycle(parked);
}

}  // namespace scrubjay::index::hnsw
