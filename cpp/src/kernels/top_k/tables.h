// Names of the per-ISA tables; each is defined in the file of its instruction set.
#pragma once

#include "scrubjay/kernels/top_k.h"

namespace scrubjay::kernels::best {

extern const TopKTable kScalar;
extern const TopKTable kAvx2;
extern const TopKTable kAvx512;
extern const TopKTable kNeon;

}  // namespace scrubjay::kernels::best
