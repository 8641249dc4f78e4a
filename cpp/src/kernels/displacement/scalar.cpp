// The family displacement in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/displacement/body.h"

namespace scrubjay::kernels {

const DisplacementTable kDisplacementScalar = displacement_table<ScalarLanes>();

}  // namespace scrubjay::kernels
