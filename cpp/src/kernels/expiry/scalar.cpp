// The family expiry in plain C++: fallback and definition.
#include "kernels/expiry/body.h"

namespace scrubjay::kernels {

struct ExpiryScalar;

const ExpiryTable kExpiryScalar = expiry_table<ExpiryScalar>();

}  // namespace scrubjay::kernels
