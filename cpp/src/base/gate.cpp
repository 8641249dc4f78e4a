// Waiting, waking, and what a fork does to gates.
#include "scrubjay/base/gate.h"

#include <pthread.h>

#include "scrubjay/base/parking.h"

namespace scrubjay {
namespace {

// Turns of a spin before sleeping: a few microseconds, which most publishes do not exceed.
constexpr int kSpins = 128;

// How long a waiting writer sleeps between two questions to its Poll.
constexpr unsigned kPollEveryMs = 20;

}  // namespace

// Holds the list of all gates. Around a fork it keeps every publish out, for a child that inherits
// half a publish would have lost the thread that completes it.
class ForkGuard {
  public:
    static ForkGuard& instance() {
        // Never destroyed: gates of static objects and forks may come later than any destructor.
        static ForkGuard* const guard = [] {
            auto* const made = new ForkGuard;
            (void)pthread_atfork([] { instance().before(); }, [] { instance().after(false); },
                                 [] { instance().after(true); });
            return made;
        }();
        return *guard;
    }

    void add(ReadGate* gate) {
        const std::lock_guard lock(mutex_);
        gate->next_ = first_;
        if (first_ != nullptr) {
            first_->previous_ = gate;
        }
        first_ = gate;
    }

    void remove(ReadGate* gate) {
        const std::lock_guard lock(mutex_);
        (gate->previous_ != nullptr ? gate->previous_->next_ : first_) = gate->next_;
        if (gate->next_ != nullptr) {
            gate->next_->previous_ = gate->previous_;
        }
    }

  private:
    void before() {
        mutex_.lock();
        for (ReadGate* gate = first_; gate != nullptr; gate = gate->next_) {
            gate->publishing_.lock();
        }
    }

    void after(bool child) {
        for (ReadGate* gate = first_; gate != nullptr; gate = gate->next_) {
            if (child) {
                gate->forget_other_threads();
            }
            gate->publishing_.unlock();
        }
        mutex_.unlock();
    }

    std::mutex mutex_;
    ReadGate* first_ = nullptr;
};

ReadGate::ReadGate() { ForkGuard::instance().add(this); }

ReadGate::~ReadGate() { ForkGuard::instance().remove(this); }

void ReadGate::await_phase(std::uint32_t phase) const noexcept {
    const auto passed = [&] { return (entered_.load(std::memory_order_acquire) & kBits) != phase; };
    for (int spin = 0; spin < kSpins; ++spin) {
        if (passed()) {
            return;
        }
        relax();
    }
    sleepers_.fetch_add(1);
    // The same phase cannot come back unnoticed: the publish after this one waits for this reader.
    for (std::uint32_t seen = opened_.load(); !passed(); seen = opened_.load()) {
        park(opened_, seen);
    }
    sleepers_.fetch_sub(1);
}

void ReadGate::wake_publish() const noexcept { unpark_one(left_); }

void ReadGate::take_turn(const Poll& poll) {
    std::uint32_t free = 0;
    if (turn_.compare_exchange_strong(free, 1)) {
        return;
    }
    while (turn_.exchange(2) != 0) {
        poll();
        park(turn_, 2, kPollEveryMs);
    }
}

void ReadGate::end_turn(std::uint32_t life) noexcept {
    if (life == life_.load(std::memory_order_relaxed) && turn_.exchange(0) == 2) {
        unpark_one(turn_);
    }
}

void ReadGate::close() noexcept {
    const std::uint32_t inside = entered_.fetch_or(kAnnounced | phase_);
    const auto drained = [&] { return left_.load() == (inside & ~kBits); };
    for (int spin = 0; spin < kSpins && !drained(); ++spin) {
        relax();
    }
    if (!drained()) {
        draining_.store(1);
        for (std::uint32_t seen = left_.load(); seen != (inside & ~kBits); seen = left_.load()) {
            park(left_, seen);
        }
        draining_.store(0);
    }
    publishing_.lock();
}

void ReadGate::open() noexcept {
    publishing_.unlock();
    phase_ ^= kPhase;
    entered_.fetch_and(~kBits);
    opened_.fetch_add(1);
    if (sleepers_.load() != 0) {
        unpark_all(opened_);
    }
}

void ReadGate::forget_other_threads() noexcept {
    life_.fetch_add(1, std::memory_order_relaxed);
    for (std::atomic<std::uint32_t>* word :
         {&entered_, &left_, &draining_, &opened_, &sleepers_, &turn_}) {
        word->store(0);
    }
    phase_ = 0;
}

}  // namespace scrubjay
