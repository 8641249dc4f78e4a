// Which tile kernels run.
#include "kernels/tile/tables.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<TileTable> kVariants = {
    &tile::kScalar,
    SCRUBJAY_IF_AVX2(tile::kAvx2),
    SCRUBJAY_IF_AVX512(tile::kAvx512),
    SCRUBJAY_IF_NEON(tile::kNeon),
};

}  // namespace

const TileTable& tile_table(Isa isa) { return kVariants.of(isa); }

}  // namespace scrubjay::kernels
