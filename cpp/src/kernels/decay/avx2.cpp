// The family decay on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/decay/body.h"

namespace scrubjay::kernels {

const DecayTable kDecayAvx2 = decay_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
