// The family retention on AVX2.
#include "kernels/lanes/avx2.h"

#include "kernels/retention/body.h"

namespace scrubjay::kernels {

const RetentionTable kRetentionAvx2 = retention_table<Avx2Lanes>();

}  // namespace scrubjay::kernels
