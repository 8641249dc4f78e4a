// The family displacement on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/displacement/body.h"

namespace scrubjay::kernels {

const DisplacementTable kDisplacementNeon = displacement_table<NeonLanes>();

}  // namespace scrubjay::kernels
