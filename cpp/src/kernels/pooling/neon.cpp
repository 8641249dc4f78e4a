// The family pooling on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/pooling/body.h"

namespace scrubjay::kernels {

const PoolingTable kPoolingNeon = pooling_table<NeonLanes>();

}  // namespace scrubjay::kernels
