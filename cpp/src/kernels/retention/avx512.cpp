// The family retention on AVX-512.
#include "kernels/lanes/avx512.h"

#include "kernels/retention/body.h"

namespace scrubjay::kernels {

const RetentionTable kRetentionAvx512 = retention_table<Avx512Lanes>();

}  // namespace scrubjay::kernels
