// The family bandwidth on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/bandwidth/body.h"

namespace scrubjay::kernels {

const BandwidthTable kBandwidthAvx512 = bandwidth_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
