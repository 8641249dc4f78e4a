// Loops over several threads whose result does not depend on how many there are.
//
// run(count, body) calls body(index, worker, poll) once for each index below count. Chunks of indexes
// are handed out in ascending order to whoever is free. The calling thread works along as worker 0.
//
// Threads begin with the first run that can use them and end with the object, so one long call makes
// one Workers and runs it as often as it likes. Nothing outlives the call: there is nothing to destroy
// at exit, and a forked child finds nothing missing. Starting and joining one thread was measured at
// 44 us, waking it for another run at 12 us: a run pays off from some 200 us of work on.
//
// REQUIRES body(index) writes only what belongs to that index, plus scratch that belongs to `worker`
//          and does not reach the result. Then results are equal for every number of threads.
//          A body that lasts longer than a millisecond asks its `poll` about once in each; before each
//          body run asks for it.
// ENSURES  An exception in a body ends the run: indexes above it are not begun, all below it are
//          finished, and the exception of the lowest failing index is thrown to the caller. When the
//          caller's Poll throws, bodies under way stop at their next question and its exception is
//          thrown. After either no body is running.
//          Where the system grants fewer threads, fewer work.
//
// Thread-safety: run is called by one thread at a time, and never from inside a body.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "scrubjay/base/interrupt.h"

namespace scrubjay {

class Workers {
  public:
    using Body = std::function<void(std::size_t index, std::size_t worker, const Poll& poll)>;

    // CPUs this process may run on, at least 1 (the affinity mask, not the machine).
    [[nodiscard]] static std::size_t available() noexcept;

    // `threads` counts the calling one; 0 means available(). Starts nothing yet.
    explicit Workers(std::size_t threads = 0);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Workers that a body can meet: scratch indexed by `worker` needs so many places.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void run(std::size_t count, const Body& body, const Poll& poll = {});

  private:
    struct Question;

    void start(std::size_t threads);
    void live(std::size_t worker, std::uint32_t seen) noexcept;
    void work(std::size_t worker);
    void work_one(std::size_t index, std::size_t worker);
    void record(std::size_t index) noexcept;
    void await_others() noexcept;
    [[nodiscard]] bool unwanted(std::size_t index) const noexcept {
        return interrupted_.load() || index > failed_.load();
    }

    std::size_t size_;
    std::vector<std::thread> threads_;

    // The run under way; written while no other worker is in it.
    const Body* body_ = nullptr;
    const Poll* poll_ = nullptr;
    std::size_t count_ = 0;
    std::size_t chunk_ = 1;

    std::atomic<std::size_t> next_{0};
    std::atomic<bool> interrupted_{false};
    std::atomic<std::size_t> failed_{SIZE_MAX};  // The lowest failing index.
    std::atomic<std::uint32_t> run_{0};          // Runs begun; workers sleep on it.
    std::atomic<std::uint32_t> busy_{0};         // Other workers still in this run.
    std::atomic<bool> ending_{false};
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
};

}  // namespace scrubjay
