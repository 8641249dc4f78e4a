// The family pooling in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/pooling/body.h"

namespace scrubjay::kernels {

const PoolingTable kPoolingScalar = pooling_table<ScalarLanes>();

}  // namespace scrubjay::kernels
