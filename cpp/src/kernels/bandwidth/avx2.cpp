// The family bandwidth on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/bandwidth/body.h"

namespace scrubjay::kernels {

const BandwidthTable kBandwidthAvx2 = bandwidth_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
