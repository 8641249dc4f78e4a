// Handing out indexes, stopping, and the life of the threads.
#include "scrubjay/base/workers.h"

#include <algorithm>
#include <csignal>
#include <system_error>

#include "scrubjay/base/parking.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace scrubjay {
namespace {

// Chunks per worker: enough that the last ones finish together, few enough to be claimed cheaply.
constexpr std::size_t kChunks = 16;

// How long the calling thread, out of work itself, waits for others between two questions.
constexpr unsigned kPollEveryMs = 10;

// Leaves a body whose result is no longer wanted; never leaves run().
struct Abandoned {};

// Signals go to the threads of the host, which know what to do with them.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        (void)pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

}  // namespace

std::size_t Workers::available() noexcept {
#if defined(__linux__)
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof(mask), &mask) == 0) {
        const int count = CPU_COUNT(&mask);
        return count > 0 ? static_cast<std::size_t>(count) : 1;
    }
#endif
    const unsigned count = std::thread::hardware_concurrency();
    return count > 0 ? count : 1;
}

Workers::Workers(std::size_t threads) : size_(threads > 0 ? threads : available()) {}

Workers::~Workers() {
    ending_.store(true);
    run_.fetch_add(1);
    unpark_all(run_);
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

// Brings the number of other threads up to `threads`, or as far as the system allows.
void Workers::start(std::size_t threads) {
    if (threads <= threads_.size()) {
        return;
    }
    threads_.reserve(threads);
    const SignalsBlocked blocked;
    try {
        while (threads_.size() < threads) {
            const std::size_t worker = threads_.size() + 1;
            threads_.emplace_back([this, worker, seen = run_.load()] { live(worker, seen); });
        }
    } catch (const std::system_error&) {
        size_ = threads_.size() + 1;
    }
}

void Workers::run(std::size_t count, const Body& body, const Poll& poll) {
    start(count > 1 ? std::min(size_, count) - 1 : 0);
    body_ = &body;
    poll_ = &poll;
    count_ = count;
    chunk_ = std::max<std::size_t>(1, count / (size_ * kChunks));
    next_.store(0);
    failed_.store(SIZE_MAX);
    interrupted_.store(false);
    failure_ = nullptr;
    // However worker 0 leaves, nobody may be in this run when its arguments are gone.
    struct Join {
        Workers* self;
        ~Join() { self->await_others(); }
    };
    {
        const Join join{this};
        if (count > 1 && !threads_.empty()) {
            busy_.store(static_cast<std::uint32_t>(threads_.size()));
            run_.fetch_add(1);
            unpark_all(run_);
        }
        work(0);
        while (const std::uint32_t busy = busy_.load()) {
            poll();
            park(busy_, busy, kPollEveryMs);
        }
    }
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

void Workers::await_others() noexcept {
    if (busy_.load() != 0) {
        interrupted_.store(true);  // Worker 0 left by an exception.
    }
    while (const std::uint32_t busy = busy_.load()) {
        park(busy_, busy);
    }
}

void Workers::live(std::size_t worker, std::uint32_t seen) noexcept {
    for (;; ++seen) {
        while (run_.load() == seen) {
            park(run_, seen);
        }
        if (ending_.load()) {
            return;
        }
        work(worker);
        if (busy_.fetch_sub(1) == 1) {
            unpark_one(busy_);
        }
    }
}

// What a body's poll leads to: the caller's own on worker 0, and on all whether the index is wanted.
struct Workers::Question {
    Workers* self;
    std::size_t index;
    std::size_t worker;

    static void ask(void* context) {
        const auto& question = *static_cast<const Question*>(context);
        Workers& self = *question.self;
        if (question.worker == 0) {
            try {
                (*self.poll_)();
            } catch (...) {
                self.interrupted_.store(true);
                throw;
            }
        }
        if (self.unwanted(question.index)) {
            throw Abandoned{};
        }
    }
};

void Workers::work(std::size_t worker) {
    for (;;) {
        const std::size_t first = next_.fetch_add(chunk_);
        if (first >= count_) {
            return;
        }
        const std::size_t last = std::min(count_, first + chunk_);
        for (std::size_t index = first; index < last; ++index) {
            if (unwanted(index)) {
                return;
            }
            work_one(index, worker);
        }
    }
}

void Workers::work_one(std::size_t index, std::size_t worker) {
    Question question{this, index, worker};
    try {
        Question::ask(&question);
        (*body_)(index, worker, Poll(&Question::ask, &question));
    } catch (const Abandoned&) {
        return;
    } catch (...) {
        if (worker == 0 && interrupted_.load()) {
            throw;
        }
        record(index);
    }
}

void Workers::record(std::size_t index) noexcept {
    const std::lock_guard lock(failure_mutex_);
    if (index < failed_.load()) {
        failed_.store(index);
        failure_ = std::current_exception();
    }
}

}  // namespace scrubjay
