// Refusing to reserve what the machine does not have.
//
// Systems hand out more memory than there is and end a process that uses it, so an allocation that
// succeeds proves nothing. A number of rows asked for at once is therefore compared with the memory
// of the machine before anything is allocated.
//
// Thread-safety: pure but for asking the system.
#pragma once

#include <cstddef>

namespace scrubjay::index {

// Throws Error(capacity_exceeded) if `rows` of `row_bytes` each exceed the memory of the machine.
// `fn` begins the message. Where the system does not tell its memory nothing is refused.
void refuse_beyond_memory(const char* fn, std::size_t rows, std::size_t row_bytes);

}  // namespace scrubjay::index
