// Memory between this process and the machine: what there is not is refused, what is free goes back.
//
// Systems hand out more memory than there is and end a process that uses it, so an allocation that
// succeeds proves nothing. A number of rows asked for at once is therefore compared with the memory
// of the machine before anything is allocated.
//
// The C library in turn keeps what is freed for the next allocation; a process whose index has shrunk
// would then look as large as before.
//
// Thread-safety: any thread may call either.
#pragma once

#include <cstddef>

namespace scrubjay::index {

// Throws Error(capacity_exceeded) if `rows` of `row_bytes` each exceed the memory of the machine.
// `fn` begins the message. Where the system does not tell its memory nothing is refused.
void refuse_beyond_memory(const char* fn, std::size_t rows, std::size_t row_bytes);

// Hands freed memory back to the system, the whole process's; where the C library knows no way to,
// nothing happens. Cost: grows with what is free; other threads' allocations may wait meanwhile.
void hand_back_freed() noexcept;

}  // namespace scrubjay::index
