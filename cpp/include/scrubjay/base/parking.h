// Sleeping on a word of memory until another thread changes it.
//
// The two calls under every lock of the core. Unlike std::atomic::wait a sleep can be bounded, so that
// a thread which waits for another's long call still notices an interruption; unlike a condition
// variable nothing here outlives a fork in a broken state.
//
// A waiter tests its condition, then parks on the value it has seen; who changes the word unparks
// afterwards. If the word has changed in between, park returns at once, so no wake-up is lost.
//
// Thread-safety: all. Cost: one system call each; on systems without futexes park is a nap of 1 ms.
#pragma once

#include <atomic>
#include <cstdint>

namespace scrubjay {

// Sleeps while word == expected, until unparked or, if max_ms is not 0, about that long. May return
// early for no reason: callers loop.
void park(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
          unsigned max_ms = 0) noexcept;

void unpark_one(const std::atomic<std::uint32_t>& word) noexcept;
void unpark_all(const std::atomic<std::uint32_t>& word) noexcept;

// Tells the CPU that this is a loop which waits for another core.
inline void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace scrubjay
