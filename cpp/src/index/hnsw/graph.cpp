// What is in the graph, where walks begin, and how plans take effect.
#include "scrubjay/index/hnsw/graph.h"

#include <algorithm>
#include <bit>
#include <map>

#include "index/hnsw/insert.h"
#include "index/hnsw/repair.h"
#include "scrubjay/index/archive.h"

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
    return links_.bytes() + present_.bytes() + erased_.bytes() + copies_.bytes();
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

void Graph::apply(const Plan& plan) {
    Growth growth;
    stage_copies(plan, growth);
    growth.publish();
    assign(plan, 0, plan.edits.size());
    finish(plan);
}

void Graph::finish(const Plan& plan) noexcept {
    assign(plan.copies);
    for (const Slot slot : plan.joined) {
        std::uint64_t& word = present_[slot / 64];
        const std::uint64_t mask = std::uint64_t{1} << (slot % 64);
        rows_ += (word & mask) == 0 ? 1U : 0U;
        word |= mask;
        const Level level = links_.level(slot);
        if (links_.followed(slot) != kNoSlot) {
            continue;
        }
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
            if ((entry_.slot == kNoSlot || level > entry_.level) &&
                links_.followed(slot) == kNoSlot) {
                entry_ = {slot, level};
            }
        }
    }
}

std::vector<Copy> Graph::heirs() const {
    std::vector<Copy> heirs;
    copies_.each([&](Slot node, std::span<const Slot> copies) {
        if (is_erased(node)) {
            const auto heir = std::find_if(copies.begin(), copies.end(),
                                           [this](Slot slot) { return !is_erased(slot); });
            if (heir != copies.end()) {
                heirs.push_back({*heir, node});
            }
        }
    });
    std::sort(heirs.begin(), heirs.end(),
              [](const Copy& a, const Copy& b) { return a.slot < b.slot; });
    return heirs;
}

Bequest Graph::plan_bequest(std::span<const Copy> heirs, const Plan& plan) const {
    std::map<Slot, Slot>
        to;  // From the node that an heir followed to the one that takes its place.
    for (const Copy& heir : heirs) {
        const auto follows = std::find_if(plan.copies.begin(), plan.copies.end(),
                                          [&](const Copy& copy) { return copy.slot == heir.slot; });
        to[heir.node] = follows == plan.copies.end() ? heir.slot : follows->node;
    }
    Bequest bequest;
    std::vector<Copy> kept;
    for (Copy copy : copies_.all()) {
        const auto moved = to.find(copy.node);
        if (is_erased(copy.slot) || (moved != to.end() && moved->second == copy.slot)) {
            continue;
        }
        if (moved != to.end()) {
            copy.node = moved->second;
            bequest.marks.push_back(copy);
        }
        kept.push_back(copy);
    }
    bequest.copies = Copies::from(std::move(kept));
    return bequest;
}

void Graph::assign(std::span<const Copy> marks) noexcept {
    for (const Copy& copy : marks) {
        links_.follow(copy.slot, copy.node);
    }
}

void Graph::stage_bequest(Copies copies, const Plan& plan, Growth& growth) {
    growth.replace(copies_, std::move(copies));
    growth.step([this, &plan] { finish(plan); });
}

void Graph::stage_repair(const Plan& plan, Growth& growth) {
    if (copies_.size() > 0) {
        std::vector<Copy> kept = copies_.all();
        std::erase_if(kept, [this](const Copy& copy) { return is_erased(copy.slot); });
        growth.replace(copies_, Copies::from(std::move(kept)));
    }
    growth.step([this, &plan] { finish(plan); });
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
            if (slot != entry_.slot && links_.followed(slot) == kNoSlot) {
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
    std::vector<Copy> copies;
    for (std::size_t s = 0; s < links_.slots(); ++s) {
        const auto slot = static_cast<Slot>(s);
        if (s % kListsPerPoll == 0) {
            poll();
        }
        if (const Slot node = links_.followed(slot); node != kNoSlot) {
            if (vectors_->compare_rows(slot, node) != 0) {
                refuse_damage(where, "slot " + std::to_string(slot),
                              "a copy of slot " + std::to_string(node), "one with that vector");
            }
            copies.push_back({slot, node});
        }
    }
    copies_ = Copies::from(std::move(copies));
    find_entry();
}

}  // namespace scrubjay::index::hnsw
