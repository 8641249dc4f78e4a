// The family decay on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/decay/body.h"

namespace scrubjay::kernels {

const DecayTable kDecayNeon = decay_table<NeonLanes>();

}  // namespace scrubjay::kernels
