// The tile kernels in plain C++.
#include "kernels/lanes/scalar.h"

#include "kernels/tile/body.h"

namespace scrubjay::kernels::tile {
namespace {

struct Lanes : ScalarLanes {
    SCRUBJAY_LANE static F ages(const Micros* last, Micros now) {
        return each<F>([&](int k) {
            const Micros age = now > last[k] ? now - last[k] : 0;
            return static_cast<float>(static_cast<double>(age) * 1e-6);
        });
    }
    SCRUBJAY_LANE static I load_int(const std::int32_t* p) {
        return each<I>([&](int k) { return p[k]; });
    }
};

}  // namespace

const TileTable kScalar = table_of<Lanes>();

}  // namespace scrubjay::kernels::tile
