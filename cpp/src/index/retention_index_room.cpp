// Taking memory for rows to come.
#include <new>
#include <string>

#include "scrubjay/base/error.h"
#include "scrubjay/index/retention_index.h"
#include "scrubjay/index/room.h"

namespace scrubjay::index {

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

}  // namespace scrubjay::index
