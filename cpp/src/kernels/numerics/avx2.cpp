// The family numerics on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/numerics/body.h"

namespace scrubjay::kernels {

const NumericsTable kNumericsAvx2 = numerics_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
