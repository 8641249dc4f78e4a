// How every lane operation is declared: inlined even in a debug build, so that no out-of-line copy
// with one set's instructions exists.
#pragma once

#define SCRUBJAY_LANE __attribute__((always_inline)) inline
#define SCRUBJAY_LANE_LAMBDA __attribute__((always_inline))
