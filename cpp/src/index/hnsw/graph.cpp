// What is in the graph, where walks begin, and how plans take effect.
#include "scrubjay/index/hnsw/graph.h"

#include <algorithm>
#include <bit>

#include "index/hnsw/insert.h"
#include "index/hnsw/repair.h"

namespace scrubjay::index::hnsw {
namespace {

// A batch is planned against a graph at least four times its size, so that its rows find their place;
// larger batches than this would compare more pairs than they walk.
constexpr std::size_t kSmallestBatch = 64;
constexpr std::size_t kLargestBatch = 512;

// Repairs begin when this share of the rows is erased, and not for a handful.
constexpr std::size_t kRowsPerErased = 12;
constexpr std::size_t kFewErased = 64;

// Lists read between two questions to a Poll.
constexpr std::size_t kListsPerPoll = 4096;

}  // namespace

Graph::Graph(const GraphOptions& options, const Vectors& vectors)
    : options_(options), vectors_(&vectors), links_(options.links, options.seed) {}

std::size_t Graph::bytes() const noexcept {
    return links_.bytes() + present_.bytes() + erased_.bytes();
}

void Graph::grow(std::size_t slots) {
    Growth growth;
    stage_room(slots, growth);
    growth.publish();
    stage_slots(slots, growth);
    growth.publish();
}

std::size_t Graph::batch_size(std::size_t rows) noexcept {
    return std::clamp(rows / 4, kSmallestBatch, kLargestBatch);
}

Plan Graph::plan_insert(std::span<const Slot> slots, Workers& workers, const Poll& poll) const {
    return plan_rows({terrain(), options_, erased_, slots, workers, poll, false});
}

Plan Graph::plan_reconnect(std::span<const Slot> slots, Workers& workers, const Poll& poll) const {
    return plan_rows({terrain(), options_, erased_, slots, workers, poll, true});
}

void Graph::erase(std::span<const Slot> slots) noexcept {
    for (const Slot slot : slots) {
        erased_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    erased_count_ += slots.size();
}

bool Graph::wants_repair() const noexcept {
    return erased_count_ > kFewErased && erased_count_ * kRowsPerErased > rows_;
}

Plan Graph::plan_repair(Workers& workers, const Poll& poll) const {
    return plan_around({terrain(), present_, erased_, workers, poll});
}

void Graph::stage_room(std::size_t slots, Growth& growth) {
    links_.stage_room(slots, growth);
    growth.room(present_, Links::whole_tiles(slots) / 64);
    growth.room(erased_, Links::whole_tiles(slots) / 64);
}

void Graph::stage_slots(std::size_t slots, Growth& growth) {
    links_.stage_slots(slots, growth);
    growth.extend(present_, Links::whole_tiles(slots) / 64);
    growth.extend(erased_, Links::whole_tiles(slots) / 64);
}

void Graph::stage_shrink(Growth& growth) {
    links_.stage_shrink(growth);
    growth.tighten(present_);
    growth.tighten(erased_);
}

void Graph::assign(const Plan& plan, std::size_t first, std::size_t count) noexcept {
    for (std::size_t e = first; e < first + count; ++e) {
        links_.assign(plan.edits[e].slot, plan.edits[e].level, plan.links_of(plan.edits[e]));
    }
}

void Graph::finish(const Plan& plan) noexcept {
    for (const Slot slot : plan.joined) {
        std::uint64_t& word = present_[slot / 64];
        const std::uint64_t mask = std::uint64_t{1} << (slot % 64);
        rows_ += (word & mask) == 0 ? 1U : 0U;
        word |= mask;
        const Level level = links_.level(slot);
        if (entry_.slot == kNoSlot || level > entry_.level ||
            (level == entry_.level && slot < entry_.slot)) {
            entry_ = {slot, level};
        }
    }
    for (const Slot slot : plan.left) {
        present_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        erased_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
    rows_ -= plan.left.size();
    erased_count_ -= plan.left.size();
    if (entry_.slot != kNoSlot && !contains(entry_.slot)) {
        find_entry();
    }
}

void Graph::find_entry() noexcept {
    entry_ = {};
    for (std::size_t tile = 0; tile < present_.size(); ++tile) {
        for (std::uint64_t word = present_[tile]; word != 0; word &= word - 1) {
            const auto slot =
                static_cast<Slot>(tile * 64) + static_cast<Slot>(std::countr_zero(word));
            const Level level = links_.level(slot);
            if (entry_.slot == kNoSlot || level > entry_.level) {
                entry_ = {slot, level};
            }
        }
    }
}

std::vector<Slot> Graph::unreachable(const Poll& poll) const {
    std::vector<std::uint64_t> reached(present_.size());
    for (std::size_t s = 0; s < links_.slots(); ++s) {
        if (s % kListsPerPoll == 0) {
            poll();
        }
        for (const Slot to : links_.links(static_cast<Slot>(s), 0)) {
            reached[to / 64] |= std::uint64_t{1} << (to % 64);
        }
    }
    std::vector<Slot> lost;
    for (std::size_t tile = 0; tile < present_.size(); ++tile) {
        for (std::uint64_t word = present_[tile] & ~erased_[tile] & ~reached[tile]; word != 0;
             word &= word - 1) {
            const auto slot =
                static_cast<Slot>(tile * 64) + static_cast<Slot>(std::countr_zero(word));
            if (slot != entry_.slot) {
                lost.push_back(slot);
            }
        }
    }
    return lost;
}

void Graph::restore(const std::string& where, std::span<const std::uint64_t> members,
                    const Poll& poll) {
    links_.restore(where, members.size() * 64, members, poll);
    present_ = {};
    present_.grow(members.size());
    std::copy(members.begin(), members.end(), present_.data());
    erased_ = {};
    erased_.grow(members.size());
    rows_ = 0;
    erased_count_ = 0;
    for (const std::uint64_t word : members) {
        rows_ += static_cast<std::size_t>(std::popcount(word));
    }
    find_entry();
}

}  // namespace scrubjay::index::hnsw
