// The family expiry on AVX-512.
#include "kernels/expiry/body.h"

namespace scrubjay::kernels {

struct ExpiryAvx512;

const ExpiryTable kExpiryAvx512 = expiry_table<ExpiryAvx512>();

}  // namespace scrubjay::kernels
