// The family expiry on AVX2.
#include "kernels/expiry/body.h"

namespace scrubjay::kernels {

struct ExpiryAvx2;

const ExpiryTable kExpiryAvx2 = expiry_table<ExpiryAvx2>();

}  // namespace scrubjay::kernels
