// Making arrays larger while readers use them.
//
// Memory is taken and copied beside the readers; all they wait for is one publish that puts the fresh
// arrays in place. What was there before is freed after the publish. So:
//
//     Growth growth(turn);
//     growth.room(array, wanted);      // stages a copy with room, where there is too little
//     growth.publish();                // swaps what was staged
//     growth.extend(array, wanted);    // zeroes spare elements, stages the new size; cannot fail
//     growth.publish();
//
// Room for everything comes before the first extend: running out of memory then changes nothing that
// anyone can see, and sizes that belong together change in one publish.
//
// A Growth without a turn serves an exclusive owner: nobody else has the arrays.
//
// REQUIRES readers look at no element beyond what the published table says exists.
// Thread-safety: of the writer's turn. Cost: O(1) per array that is large enough, else O(size).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scrubjay/base/gate.h"
#include "scrubjay/index/aligned.h"

namespace scrubjay::index {

class Growth {
  public:
    Growth() = default;
    // Borrows the turn.
    explicit Growth(const ReadGate::Turn& turn) : turn_(&turn) {}

    // Capacity for `wanted` elements, more by half than before where a copy is needed.
    // Throws std::bad_alloc; nothing has changed.
    template <class T>
    void room(AlignedArray<T>& array, std::size_t wanted) {
        if (wanted > array.capacity()) {
            const std::size_t by_half = array.capacity() + array.capacity() / 2;
            replace(array, array.copied(wanted > by_half ? wanted : by_half));
        }
    }

    // Size `wanted`, new elements zero. REQUIRES wanted <= array.capacity().
    template <class T>
    void extend(AlignedArray<T>& array, std::size_t wanted) {
        if (wanted > array.size()) {
            array.zero_spare(wanted);
            staged_.push_back([&array, wanted] { array.take_spare(wanted); });
        }
    }

    // Capacity as large as the size, published at once, so that only one array exists twice.
    // Throws std::bad_alloc; nothing has changed.
    template <class T>
    void tighten(AlignedArray<T>& array) {
        if (array.capacity() > array.size()) {
            replace(array, array.copied(array.size()));
            publish();
        }
    }

    // Puts `fresh` in the place of `current`.
    template <class T>
    void replace(T& current, T fresh) {
        auto held = std::make_shared<T>(std::move(fresh));
        staged_.push_back([&current, held] { std::swap(current, *held); });
    }

    // Runs `change`, which must not throw, among the rest.
    void step(std::function<void()> change) { staged_.push_back(std::move(change)); }

    // Everything staged so far, in that order.
    void publish() {
        if (staged_.empty()) {
            return;
        }
        {
            std::optional<ReadGate::Publish> closed;
            if (turn_ != nullptr) {
                closed.emplace(*turn_);
            }
            for (const std::function<void()>& step : staged_) {
                step();
            }
        }
        staged_.clear();  // Frees what was replaced, beside the readers.
    }

  private:
    const ReadGate::Turn* turn_ = nullptr;
    std::vector<std::function<void()>> staged_;
};

}  // namespace scrubjay::index
