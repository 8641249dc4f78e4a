// The family eviction on AVX-512.
#include "kernels/eviction/body.h"

namespace scrubjay::kernels {

struct EvictionAvx512;

const EvictionTable kEvictionAvx512 = eviction_table<EvictionAvx512>();

}  // namespace scrubjay::kernels
