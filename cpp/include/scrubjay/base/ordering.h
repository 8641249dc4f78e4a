// The one order of ranked results: higher score first, then smaller id.
//
// REQUIRES scores that are not NaN (refused at the border), so that the order is total.
// ENSURES  two different ids never compare equal; -0.0 and +0.0 tie and fall through to the id.
#pragma once

#include "scrubjay/base/types.h"

namespace scrubjay {

struct Ranked {
    float score;
    RowId id;
};

// True when a stands before b in a ranked answer.
[[nodiscard]] constexpr bool ranks_before(const Ranked& a, const Ranked& b) noexcept {
    if (a.score > b.score) {
        return true;
    }
    if (a.score < b.score) {
        return false;
    }
    return a.id < b.id;
}

}  // namespace scrubjay
