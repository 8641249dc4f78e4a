// The family decay in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/decay/body.h"

namespace scrubjay::kernels {

const DecayTable kDecayScalar = decay_table<ScalarLanes>();

}  // namespace scrubjay::kernels
