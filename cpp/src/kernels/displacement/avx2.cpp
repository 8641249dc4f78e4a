// The family displacement on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/displacement/body.h"

namespace scrubjay::kernels {

const DisplacementTable kDisplacementAvx2 = displacement_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
