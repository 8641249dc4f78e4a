// The family bandwidth in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/bandwidth/body.h"

namespace scrubjay::kernels {

const BandwidthTable kBandwidthScalar = bandwidth_table<ScalarLanes>();

}  // namespace scrubjay::kernels
