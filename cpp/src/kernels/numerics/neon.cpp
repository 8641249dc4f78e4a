// The family numerics on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/numerics/body.h"

namespace scrubjay::kernels {

const NumericsTable kNumericsNeon = numerics_table<NeonLanes>();

}  // namespace scrubjay::kernels
