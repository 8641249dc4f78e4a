// Names of the per-ISA tables; each is defined in the file of its instruction set.
#pragma once

#include "scrubjay/kernels/sketch.h"

namespace scrubjay::kernels::sketch {

extern const SketchTable kScalar;
extern const SketchTable kAvx2;
extern const SketchTable kAvx512;
extern const SketchTable kNeon;

}  // namespace scrubjay::kernels::sketch
