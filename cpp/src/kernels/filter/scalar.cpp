// The filters in plain C++: fallback and definition. All 64 rows are looked at without a branch.
#include "kernels/filter/body.h"

namespace scrubjay::kernels::filter {
namespace {

struct Tile {
    template <class T, class Pass>
    SCRUBJAY_LANE static std::uint64_t word(const T* p, Pass pass) {
        std::uint64_t passed = 0;
        for (unsigned i = 0; i < kRows; ++i) {
            passed |= static_cast<std::uint64_t>(pass(p[i]) ? 1U : 0U) << i;
        }
        return passed;
    }
    SCRUBJAY_LANE static std::uint64_t codes(const std::uint8_t* p, std::uint64_t allowed) {
        return word(p, [=](std::uint8_t c) { return ((allowed >> (c % kRows)) & 1U) != 0; });
    }
    template <class T>
    SCRUBJAY_LANE static std::uint64_t at_least(const T* p, T least) {
        return word(p, [=](T c) { return c >= least; });
    }
    SCRUBJAY_LANE static std::uint64_t bits(const std::uint8_t* p, std::uint8_t mask,
                                            std::uint8_t value) {
        return word(p, [=](std::uint8_t c) { return (c & mask) == value; });
    }
    SCRUBJAY_LANE static std::uint64_t window(const Micros* p, Micros from, Micros to) {
        return word(p, [=](Micros c) { return c >= from && c < to; });
    }
    SCRUBJAY_LANE static std::uint64_t equal(const std::uint32_t* p, std::uint32_t member) {
        return word(p, [=](std::uint32_t c) { return c == member; });
    }
    SCRUBJAY_LANE static std::uint64_t folded(const std::uint32_t* p, const std::uint32_t* map,
                                              std::uint32_t fold, std::uint32_t most) {
        return word(p, [=](std::uint32_t c) {
            return c <= most && ((map[(c & fold) >> 5U] >> (c & 31U)) & 1U) != 0;
        });
    }
};

}  // namespace

const FilterTable kScalar = table_of<Tile>();

}  // namespace scrubjay::kernels::filter
