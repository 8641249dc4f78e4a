// The family numerics in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/numerics/body.h"

namespace scrubjay::kernels {

const NumericsTable kNumericsScalar = numerics_table<ScalarLanes>();

}  // namespace scrubjay::kernels
