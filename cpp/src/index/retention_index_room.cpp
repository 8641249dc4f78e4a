// Taking memory for rows to come, and giving back what rows that went have left.
#include <new>
#include <string>
#include <utility>

#include "scrubjay/base/error.h"
#include "scrubjay/base/workers.h"
#include "scrubjay/index/retention_index.h"
#include "scrubjay/index/room.h"

namespace scrubjay::index {
namespace {

// Rows of vectors copied between two questions to a Poll.
constexpr std::size_t kRowsPerPoll = 256;

// A graph is made anew once more than one slot in so many would be given back.
constexpr std::size_t kSlotsPerWaste = 4;

}  // namespace

// All memory is taken before the first row is written, so running out of it changes nothing.
void RetentionIndex::make_room(const ReadGate::Turn& turn, std::size_t fresh) {
    Growth growth(turn);
    const std::size_t slots = table_.slots_for(fresh);
    vectors_.stage_room(slots, growth);
    table_.stage_room(fresh, growth);
    keeper_.stage_room(slots, growth);
    growth.publish();
    vectors_.stage_slots(slots, growth);
    table_.stage_slots(fresh, growth);
    keeper_.stage_slots(slots, growth);
    growth.publish();
}

void RetentionIndex::take_room(const char* fn, std::size_t rows, Growth growth) {
    if (rows <= table_.live()) {
        return;
    }
    const std::size_t bytes =
        Table::row_bytes() + vectors_.slot_bytes() + keeper_.bytes_per_row(rows);
    refuse_beyond_memory(fn, rows, bytes);
    const std::size_t more = rows - table_.live();
    const std::size_t slots = table_.slots_for(more);
    try {
        vectors_.stage_room(slots, growth);
        table_.stage_room(more, growth);
        if (keeper_.bytes_per_row(rows) > 0) {
            table_.stage_release(more, growth);  // What a linked write asks for.
        }
        keeper_.stage_reserve(slots, growth);
    } catch (const std::bad_alloc&) {
        throw Error(Errc::capacity_exceeded,
                    std::string(fn) + ": the system grants no memory for so many rows, got " +
                        std::to_string(rows) + " rows of " + std::to_string(bytes) +
                        " bytes, expected what fits beside what is in use; reserve fewer");
    }
    growth.publish();
}

void RetentionIndex::reserve(std::size_t rows, const Poll& poll) {
    const ReadGate::Turn turn(gate_, poll);
    take_room("Index.reserve", rows, Growth(turn));
}

bool RetentionIndex::wants_packing() const noexcept {
    const std::size_t needed = hnsw::Links::whole_tiles(table_.live());
    const std::size_t waste = table_.slots() - needed;
    return keeper_.graph() != nullptr ? waste * kSlotsPerWaste > table_.slots() : waste > 0;
}

// Links and levels belong to slots, so rows that move take no graph along.
void RetentionIndex::pack(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    Table table = table_.packed(poll);
    Vectors vectors = empty_rows();
    vectors.grow(table.slots());
    const std::vector<Slot> from = table_.live_slots();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (i % kRowsPerPoll == 0) {
            poll();
        }
        vectors.copy_row(static_cast<Slot>(i), vectors_, from[i]);
    }
    std::unique_ptr<hnsw::Graph> graph = keeper_.made_of(table, vectors, workers, poll);
    std::unique_ptr<PriorBlocks> blocks = graph ? priors_.made_of(table, vectors, poll) : nullptr;
    {
        const ReadGate::Publish publish(turn);
        std::swap(table_, table);
        vectors_.swap_rows(vectors);
        keeper_.exchange(graph);
        priors_.exchange(blocks);
    }
    mapping_.reset();  // Nothing lies in the file any more.
}

void RetentionIndex::tighten(const ReadGate::Turn& turn, Workers& workers, const Poll& poll) {
    keeper_.repair(turn, workers, poll);
    Growth growth(turn);
    vectors_.stage_shrink(growth);
    poll();
    table_.stage_shrink(growth);
    keeper_.stage_shrink(growth);
    growth.publish();
    priors_.renew(turn, poll);
}

void RetentionIndex::shrink(const Poll& poll) {
    {
        const ReadGate::Turn turn(gate_, poll);
        thaw();
        Workers workers(options_.threads);
        tend(turn, workers, poll);  // What an interrupted call has left comes first.
        if (wants_packing()) {
            pack(turn, workers, poll);
        } else {
            tighten(turn, workers, poll);
        }
    }
    hand_back_freed();
}

}  // namespace scrubjay::index
