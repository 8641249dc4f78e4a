// Names of the per-ISA tables; each is defined in the file of its instruction set.
#pragma once

#include "scrubjay/kernels/distance.h"

namespace scrubjay::kernels::distance {

extern const DistanceTable kScalar;
extern const DistanceTable kAvx2;
extern const DistanceTable kAvx512;
extern const DistanceTable kNeon;

}  // namespace scrubjay::kernels::distance
