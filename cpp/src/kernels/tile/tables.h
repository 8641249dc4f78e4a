// Names of the per-ISA tables; each is defined in the file of its instruction set.
#pragma once

#include "scrubjay/kernels/tile.h"

namespace scrubjay::kernels::tile {

extern const TileTable kScalar;
extern const TileTable kAvx2;
extern const TileTable kAvx512;
extern const TileTable kNeon;

}  // namespace scrubjay::kernels::tile
