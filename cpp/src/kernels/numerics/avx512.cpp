// The family numerics on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/numerics/body.h"

namespace scrubjay::kernels {

const NumericsTable kNumericsAvx512 = numerics_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
