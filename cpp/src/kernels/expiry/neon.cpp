// The family expiry on NEON.
#include "kernels/expiry/body.h"

namespace scrubjay::kernels {

struct ExpiryNeon;

const ExpiryTable kExpiryNeon = expiry_table<ExpiryNeon>();

}  // namespace scrubjay::kernels
