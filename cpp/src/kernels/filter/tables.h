// Names of the per-ISA tables; each is defined in the file of its instruction set.
#pragma once

#include "scrubjay/kernels/filter.h"

namespace scrubjay::kernels::filter {

extern const FilterTable kScalar;
extern const FilterTable kAvx2;
extern const FilterTable kAvx512;
extern const FilterTable kNeon;

}  // namespace scrubjay::kernels::filter
