// The family eviction on AVX2.
#include "kernels/eviction/body.h"

namespace scrubjay::kernels {

struct EvictionAvx2;

const EvictionTable kEvictionAvx2 = eviction_table<EvictionAvx2>();

}  // namespace scrubjay::kernels
