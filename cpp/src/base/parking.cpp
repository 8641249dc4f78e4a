// Futexes where there are any, naps elsewhere.
#include "scrubjay/base/parking.h"

#if defined(__linux__)
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#else
#include <poll.h>
#endif

namespace scrubjay {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

#if defined(__linux__)

void park(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
          unsigned max_ms) noexcept {
    constexpr long kNanosPerMilli = 1'000'000;
    const timespec limit{static_cast<time_t>(max_ms / 1000),
                         static_cast<long>(max_ms % 1000) * kNanosPerMilli};
    (void)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, max_ms == 0 ? nullptr : &limit,
                  nullptr, 0);
}

void unpark_one(const std::atomic<std::uint32_t>& word) noexcept {
    (void)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void unpark_all(const std::atomic<std::uint32_t>& word) noexcept {
    (void)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

#else

void park(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
          unsigned /*max_ms*/) noexcept {
    if (word.load() == expected) {
        (void)::poll(nullptr, 0, 1);
    }
}

void unpark_one(const std::atomic<std::uint32_t>& /*word*/) noexcept {}
void unpark_all(const std::atomic<std::uint32_t>& /*word*/) noexcept {}

#endif

}  // namespace scrubjay
