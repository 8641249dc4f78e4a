// The family pooling on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/pooling/body.h"

namespace scrubjay::kernels {

const PoolingTable kPoolingAvx512 = pooling_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
