// Python's answer to a Poll of the core: pending signals, Ctrl-C first of all.
//
//     const Signals signals;
//     const py::gil_scoped_release unlocked;
//     self.add(batch, replace, allow_zero, signals.poll());
//
// A question costs a look at a steady clock; every 50 ms one takes the GIL and runs Python's signal
// handlers. What a handler raises (KeyboardInterrupt) leaves the core as that very exception.
// Python runs handlers on its main thread alone; on others the question is never answered "stop".
//
// REQUIRES Asked without the GIL, on the thread that made it. Nobody may wait for what the core holds
//          while holding the GIL: every call that enters an index releases it first.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

#include "scrubjay/base/interrupt.h"

namespace scrubjay::bindings {

class Signals {
  public:
    // The Poll borrows this object.
    [[nodiscard]] Poll poll() noexcept { return {&ask, this}; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kEvery{50};

    static void ask(void* context) {
        auto& self = *static_cast<Signals*>(context);
        const Clock::time_point now = Clock::now();
        if (now < self.next_) {
            return;
        }
        self.next_ = now + kEvery;
        const pybind11::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) {
            throw pybind11::error_already_set();
        }
    }

    Clock::time_point next_ = Clock::now() + kEvery;
};

}  // namespace scrubjay::bindings
