// Sketch sums against their definition, on every set.
#include "scrubjay/kernels/sketch.h"

#include <array>
#include <vector>

#include "kernels/variants.h"

using namespace scrubjay;
using namespace scrubjay::kernels;

TEST_CASE("sums are those of single lookups, up to the largest there can be") {
    for (const std::size_t groups : {2UL, 16UL, 64UL, kMostSketchGroups}) {
        std::vector<std::uint8_t> table(16 * groups);
        std::vector<std::uint8_t> tile(32 * groups);
        for (std::size_t i = 0; i < table.size(); ++i) {
            table[i] = draw(1, i) % 3 == 0 ? 255 : static_cast<std::uint8_t>(draw(2, i));
        }
        for (std::size_t i = 0; i < tile.size(); ++i) {
            tile[i] = static_cast<std::uint8_t>(draw(3, i));
        }
        for (const Isa isa : supported_isas()) {
            std::array<std::uint16_t, kSketchRows> sums{};
            sketch_table(isa).sums(table.data(), tile.data(), groups, sums.data());
            for (std::size_t r = 0; r < kSketchRows; ++r) {
                std::size_t expected = 0;
                for (std::size_t g = 0; g < groups; ++g) {
                    const unsigned pair = tile[32 * g + r % 32];
                    expected += table[16 * g + (r < 32 ? pair & 15U : pair >> 4U)];
                }
                CHECK(expected == sums[r]);
            }
        }
    }
    const std::vector<std::uint8_t> table(16 * kMostSketchGroups, 255);
    const std::vector<std::uint8_t> tile(32 * kMostSketchGroups, 0x5A);
    for (const Isa isa : supported_isas()) {
        std::array<std::uint16_t, kSketchRows> sums{};
        sketch_table(isa).sums(table.data(), tile.data(), kMostSketchGroups, sums.data());
        CHECK(255 * kMostSketchGroups == sums[0]);
        CHECK(255 * kMostSketchGroups == sums[63]);
    }
}
