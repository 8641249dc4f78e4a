// One writer and many readers, where readers wait for short publishes and never for long work.
//
// A writer takes its turn, does all that takes long (searching neighbours, encoding vectors, copying
// grown arrays, validating) while readers run, and opens a Publish only to make the result visible.
//
//     const ReadGate::Turn turn(gate, poll);       // one writer at a time
//     ... prepare beside the readers ...
//     { const ReadGate::Publish publish(turn); ... a bounded number of stores ... }
//
//     const ReadGate::Read read(gate);             // a reader
//
// Invariants
//   1. While a Publish lives, no Read does, and no other Publish.
//   2. State that readers see changes only inside a Publish. The writer itself may read that state at
//      any time during its turn, for nobody else changes it.
//
// ENSURES  Phases alternate: a publish waits for the reads under way and for none that come later;
//          a read that came while a publish was announced goes in before the next one. So a steady
//          stream of either starves nobody. A read waits at most for the reads before the publish and
//          for the publish, hence long reads should leave and enter again between parts.
// REQUIRES A thread that holds a Read opens no second one and takes no turn, and waits for no thread
//          that may do so: a publish between the two would never begin. No Read, Turn or Publish is
//          entered with a lock held that the holder of another may want (in Python: the GIL).
//          A Publish runs tens to hundreds of microseconds and neither polls nor allocates much.
//
// Forking: a fork waits for publishes under way, so the child inherits what readers could have seen.
// In the child turns and reads of threads that did not come along are gone. What the forking thread
// itself holds (it forked while asking a Poll) goes on there without protection.
//
// Thread-safety: all. Cost: Read 20 ns without contention; Publish some 50 ns and the reads it awaits.
// Source: phase-fair ticket lock, Brandenburg and Anderson, "Spin-based reader-writer synchronization
// for multiprocessor real-time systems", Real-Time Systems 46(1), 2010; sleeping added here.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "scrubjay/base/interrupt.h"

namespace scrubjay {

class ReadGate {
  public:
    ReadGate();
    ~ReadGate();
    ReadGate(const ReadGate&) = delete;
    ReadGate& operator=(const ReadGate&) = delete;

    // A reader's stay.
    class Read {
      public:
        explicit Read(const ReadGate& gate) noexcept
            : gate_(&gate), life_(gate.life_.load(std::memory_order_relaxed)) {
            gate.enter();
        }
        ~Read() { gate_->leave(life_); }
        Read(const Read&) = delete;
        Read& operator=(const Read&) = delete;

      private:
        const ReadGate* gate_;
        std::uint32_t life_;
    };

    // The writer's turn. Waits for the turn of another thread, asking `poll` meanwhile.
    class Turn {
      public:
        explicit Turn(ReadGate& gate, const Poll& poll = {})
            : gate_(&gate), life_(gate.life_.load(std::memory_order_relaxed)) {
            gate.take_turn(poll);
        }
        ~Turn() { gate_->end_turn(life_); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        friend class ReadGate;
        ReadGate* gate_;
        std::uint32_t life_;
    };

    // The short section that readers do not see into.
    class Publish {
      public:
        explicit Publish(const Turn& turn) noexcept : gate_(turn.gate_) { gate_->close(); }
        ~Publish() { gate_->open(); }
        Publish(const Publish&) = delete;
        Publish& operator=(const Publish&) = delete;

      private:
        ReadGate* gate_;
    };

  private:
    friend class ForkGuard;  // In gate.cpp: stops publishes around a fork.

    // The low bits of entered_ say whether a publish is announced and which of two phases it is.
    static constexpr std::uint32_t kAnnounced = 1;
    static constexpr std::uint32_t kPhase = 2;
    static constexpr std::uint32_t kBits = kAnnounced | kPhase;
    static constexpr std::uint32_t kReader = 4;

    void enter() const noexcept {
        const std::uint32_t before = entered_.fetch_add(kReader, std::memory_order_acquire);
        if ((before & kAnnounced) != 0) [[unlikely]] {
            await_phase(before & kBits);
        }
    }
    void leave(std::uint32_t life) const noexcept {
        if (life != life_.load(std::memory_order_relaxed)) [[unlikely]] {
            return;  // Entered before a fork, of which this is the child.
        }
        left_.fetch_add(kReader);
        if (draining_.load() != 0) [[unlikely]] {
            wake_publish();
        }
    }
    void await_phase(std::uint32_t phase) const noexcept;
    void wake_publish() const noexcept;
    void take_turn(const Poll& poll);
    void end_turn(std::uint32_t life) noexcept;
    void close() noexcept;
    void open() noexcept;
    void forget_other_threads() noexcept;

    // Counts of readers in and out, in units of kReader, modulo 2^32; on lines of their own.
    alignas(64) mutable std::atomic<std::uint32_t> entered_{0};
    alignas(64) mutable std::atomic<std::uint32_t> left_{0};
    mutable std::atomic<std::uint32_t> draining_{0};  // A publish sleeps until left_ moves.
    std::atomic<std::uint32_t> life_{0};              // Forks survived.

    alignas(64) std::atomic<std::uint32_t> opened_{0};  // Publishes ended; readers sleep on it.
    mutable std::atomic<std::uint32_t> sleepers_{0};
    std::atomic<std::uint32_t> turn_{0};  // 0 free, 1 taken, 2 taken and waited for.
    std::uint32_t phase_ = 0;             // Of the next publish.
    std::mutex publishing_;               // Held while a publish changes something.

    ReadGate* next_ = nullptr;  // All gates, for forks.
    ReadGate* previous_ = nullptr;
};

}  // namespace scrubjay
