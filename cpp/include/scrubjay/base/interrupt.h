// How a long call learns that nobody wants its result any more.
//
// A Poll is a question the caller's side answers: a long call asks it every so often, and the answer
// "stop" is an exception. The bindings ask Python for pending signals, so that Ctrl-C raises
// KeyboardInterrupt; a C++ host throws Interrupted; a default Poll never stops anything.
//
// Whoever takes a Poll promises
//   1. to ask on the calling thread only, never on a worker of its own;
//   2. to ask about once per millisecond of work (asking costs some 30 ns), never inside a publish;
//   3. to leave its structure consistent when the answer is an exception, and to say in its contract
//      which part of the work is then done.
//
// Thread-safety: a Poll is a small value; whether it may be asked on a thread is its maker's to say.
#pragma once

#include <exception>

namespace scrubjay {

// The call was stopped from outside. Not an Error: nothing was wrong.
class Interrupted : public std::exception {
  public:
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

class Poll {
  public:
    // Returns to go on, throws to stop: Interrupted or an exception of the host.
    using Check = void (*)(void* context);

    // Never stops.
    constexpr Poll() noexcept = default;

    // Borrows context, which must outlive the Poll.
    constexpr Poll(Check check, void* context) noexcept : check_(check), context_(context) {}

    void operator()() const {
        if (check_ != nullptr) {
            check_(context_);
        }
    }

  private:
    Check check_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace scrubjay
