// What the machine has.
#include "scrubjay/index/room.h"

#include <limits>
#include <string>

#include "scrubjay/base/error.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace scrubjay::index {
namespace {

std::size_t machine_bytes() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) {
        return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
    }
#endif
    return std::numeric_limits<std::size_t>::max();
}

}  // namespace

void refuse_beyond_memory(const char* fn, std::size_t rows, std::size_t row_bytes) {
    const std::size_t most = machine_bytes() / row_bytes;
    if (rows > most) {
        throw Error(Errc::capacity_exceeded,
                    std::string(fn) + ": rows need more memory than this machine has, got " +
                        std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                        " bytes, expected at most " + std::to_string(most) +
                        "; reserve fewer, or split them over several indexes");
    }
}

void hand_back_freed() noexcept {
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

}  // namespace scrubjay::index
