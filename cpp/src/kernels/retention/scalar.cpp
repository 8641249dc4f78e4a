// The family retention in plain C++: fallback and definition.
#include "kernels/lanes/scalar.h"

#include "kernels/retention/body.h"

namespace scrubjay::kernels {

const RetentionTable kRetentionScalar = retention_table<ScalarLanes>();

}  // namespace scrubjay::kernels
