// The few scalar types that cross between layers.
//
// Time never enters the core as a time of day. Kernels that compare stored instants take them as
// Micros, together with the caller's now; all others take ages in seconds.
#pragma once

#include <cstdint>

namespace scrubjay {

// Microseconds, either since the epoch (UTC) or as a duration; the name of the variable says which.
using Micros = std::int64_t;

// A local row key as the index and the kernels see it: positive, never reused.
using RowId = std::int64_t;

// One IEEE 754 binary16 number, as bits. Arithmetic happens in float; this is storage only.
struct Half {
    std::uint16_t bits;
};
static_assert(sizeof(Half) == 2);

}  // namespace scrubjay
