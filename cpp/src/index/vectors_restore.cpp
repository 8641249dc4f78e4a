// Rows from a state that was read: sizes, and numbers in the range in which no dot can overflow.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "scrubjay/index/archive.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index {
namespace {

// The largest number set() can leave: 1, and what rounding adds to it.
constexpr float kMostUnit = 1.0F + 0x1.0p-20F;
constexpr float kMostNearUnit = 1.0F + static_cast<float>(kUnitTolerance);
constexpr auto kMostGiven = static_cast<float>(kMostLength);
constexpr float kMostResidual = 2.0F;
constexpr std::size_t kBlock = 4096;

// What of a number's bits is compared: without the sign, or with it, which is above every magnitude.
enum class Sign { any, none };

// The first element whose bits exceed `most`, or n. Infinities and NaN are larger than any number in
// that order. Blocks without a branch run at the speed of memory.
template <class Bits, class T>
std::size_t first_beyond(const T* values, std::size_t n, Bits most, Sign sign) {
    const auto compared =
        static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> (sign == Sign::any ? 1U : 0U));
    const auto bits = [values, compared](std::size_t i) {
        return static_cast<Bits>(std::bit_cast<Bits>(values[i]) & compared);
    };
    for (std::size_t first = 0; first < n; first += kBlock) {
        const std::size_t end = std::min(first + kBlock, n);
        bool beyond = false;
        for (std::size_t i = first; i < end; ++i) {
            beyond |= bits(i) > most;
        }
        for (std::size_t i = first; beyond && i < end; ++i) {
            if (bits(i) > most) {
                return i;
            }
        }
    }
    return n;
}

template <class Bits, class T>
void require_below(const std::string& where, const char* name, const AlignedArray<T>& array,
                   Bits most, Sign sign, const char* expected) {
    const std::size_t bad = first_beyond<Bits>(array.data(), array.size(), most, sign);
    if (bad != array.size()) {
        refuse_damage(where, std::string(name) + "[" + std::to_string(bad) + "]",
                      "bits " + std::to_string(std::bit_cast<Bits>(array[bad])), expected);
    }
}

}  // namespace

void Vectors::restore(const std::string& where, std::size_t slots, bool rows) const {
    const auto elements = [&](const char* name, const auto& array, bool kept, std::size_t stride) {
        require_elements(where, name, array.size(), kept ? slots * stride : 0);
    };
    elements("vectors.f32", f32_, originals_, f32_stride_);
    elements("vectors.f16", f16_, storage_ == Storage::f16, stride_);
    elements("vectors.i8", i8_, storage_ == Storage::i8, stride_);
    elements("vectors.scale", scale_, storage_ == Storage::i8, 1);
    elements("vectors.residual", residual_, storage_ != Storage::f32, 1);
    elements("vectors.length", length_, measured(), 1);
    elements("vectors.square", square_, measured(), 1);
    if (!rows) {
        return;
    }
    // 1, and the next half, which is the nearest to the longest row of ip.
    const std::uint16_t most_half = metric_ == Metric::ip ? 0x3C01 : 0x3C00;
    const float most_small = metric_ == Metric::ip ? kMostNearUnit : kMostUnit;
    const float most = metric_ == Metric::l2 ? kMostGiven : most_small;
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    require_below(where, "vectors.f32", f32_, bits(most), Sign::any,
                  "a magnitude that the metric allows");
    require_below(where, "vectors.f16", f16_, most_half, Sign::any, "a magnitude of at most 1");
    require_below(where, "vectors.scale", scale_, bits(most_small), Sign::none, "0 to 1");
    // Bounds are made of these: with a sign they would rule out rows that belong into an answer.
    require_below(where, "vectors.residual", residual_, bits(kMostResidual), Sign::none, "0 to 2");
    // A decoded row may be a little longer than the row it stands for.
    require_below(where, "vectors.length", length_, bits(kMostGiven), Sign::none, "0 to 2^60");
    require_below(where, "vectors.square", square_, bits(2.0F * kMostGiven * kMostGiven),
                  Sign::none, "0 to 2^121");
    const std::int8_t* const end = i8_.data() + i8_.size();
    const std::int8_t* const bad = std::find(i8_.data(), end, std::int8_t{-128});
    if (bad != end) {
        refuse_damage(where, "vectors.i8[" + std::to_string(bad - i8_.data()) + "]", "-128",
                      "a code in [-127, 127]");
    }
}

}  // namespace scrubjay::index
