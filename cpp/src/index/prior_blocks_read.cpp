// What searches ask of the blocks.
#include "scrubjay/index/prior_blocks.h"

namespace scrubjay::index {

std::size_t PriorBlocks::bytes() const noexcept {
    return rows_.bytes() + place_.bytes() + count_.capacity() + is_fresh_.capacity() +
           sketches_.bytes() + tile_.capacity() * sizeof(Sketches::Tile) + lambda_per_s_.bytes() +
           last_us_.bytes() + anchored_us_.bytes() + salience_.bytes() + log_frequency_.bytes() +
           gain_.bytes() + (unused_.capacity() + fresh_.capacity()) * sizeof(Block);
}

void PriorBlocks::bounds(const kernels::TileTable& kernels, const kernels::TileWeights& weights,
                         std::vector<float>& out) const {
    // The kernel is monotone but for the last bits of its exponential, and lambda times age is
    // rounded: 80 * 2^-23 of e^-80 at worst, below a millionth wherever recency counts.
    constexpr float kSlack = 2e-6F;
    const Micros* const last = weights.now_us >= anchor_us_ ? anchored_us_.data() : last_us_.data();
    out.resize(lambda_per_s_.size());
    for (std::size_t first = 0; first < out.size(); first += kTileRows) {
        kernels.prior({lambda_per_s_.data() + first, last + first, salience_.data() + first,
                       log_frequency_.data() + first},
                      weights, kTileRows, out.data() + first);
    }
    for (float& bound : out) {
        bound += kSlack * (1.0F + bound);
    }
}

}  // namespace scrubjay::index
