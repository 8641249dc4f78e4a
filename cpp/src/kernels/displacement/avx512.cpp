// The family displacement on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/displacement/body.h"

namespace scrubjay::kernels {

const DisplacementTable kDisplacementAvx512 = displacement_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
