// The family pooling on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/pooling/body.h"

namespace scrubjay::kernels {

const PoolingTable kPoolingAvx2 = pooling_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
