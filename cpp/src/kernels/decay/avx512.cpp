// The family decay on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/decay/body.h"

namespace scrubjay::kernels {

const DecayTable kDecayAvx512 = decay_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
