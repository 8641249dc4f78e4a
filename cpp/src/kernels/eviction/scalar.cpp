// The family eviction in plain C++: fallback and definition.
#include "kernels/eviction/body.h"

namespace scrubjay::kernels {

struct EvictionScalar;

const EvictionTable kEvictionScalar = eviction_table<EvictionScalar>();

}  // namespace scrubjay::kernels
