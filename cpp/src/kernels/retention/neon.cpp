// The family retention on NEON.
#include "kernels/lanes/neon.h"

#include "kernels/retention/body.h"

namespace scrubjay::kernels {

const RetentionTable kRetentionNeon = retention_table<NeonLanes>();

}  // namespace scrubjay::kernels
