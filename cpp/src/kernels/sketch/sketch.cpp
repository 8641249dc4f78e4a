// Choice of the instruction set.
#include "kernels/checks.h"
#include "kernels/sketch/tables.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<SketchTable> kVariants = {
    &sketch::kScalar,
    SCRUBJAY_IF_AVX2(sketch::kAvx2),
    SCRUBJAY_IF_AVX512(sketch::kAvx512),
    SCRUBJAY_IF_NEON(sketch::kNeon),
};

}  // namespace

const SketchTable& sketch_table(Isa isa) { return kVariants.of(isa); }

}  // namespace scrubjay::kernels
