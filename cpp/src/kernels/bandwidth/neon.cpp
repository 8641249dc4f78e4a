// The family bandwidth on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/bandwidth/body.h"

namespace scrubjay::kernels {

const BandwidthTable kBandwidthNeon = bandwidth_table<NeonLanes>();

}  // namespace scrubjay::kernels
