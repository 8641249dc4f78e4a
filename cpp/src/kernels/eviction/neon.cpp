// The family eviction on NEON.
#include "kernels/eviction/body.h"

namespace scrubjay::kernels {

struct EvictionNeon;

const EvictionTable kEvictionNeon = eviction_table<EvictionNeon>();

}  // namespace scrubjay::kernels
