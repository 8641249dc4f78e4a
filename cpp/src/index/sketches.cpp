// Turning, keeping signs, and bounding.
#include "scrubjay/index/sketches.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scrubjay/base/rng.h"

namespace scrubjay::index {
namespace {

using kernels::kSketchRows;

constexpr std::size_t kFewestBits = 64;
constexpr std::size_t kBitsPerGroup = 4;
constexpr std::size_t kEntries = 16;
constexpr std::size_t kPairs = kSketchRows / 2;
constexpr float kStandardErrors = 5.0F;

// Seeds of the two rounds of sign changes; any would do.
constexpr std::array<std::uint64_t, 2> kSeeds{0x5C12, 0xB1A7};

// In place, not scaled: lengths grow by sqrt(count). REQUIRES a power of two.
void hadamard(float* x, std::size_t count) {
    for (std::size_t half = 1; half < count; half *= 2) {
        for (std::size_t first = 0; first < count; first += 2 * half) {
            float* const a = x + first;
            float* const b = a + half;
            for (std::size_t i = 0; i < half; ++i) {
                const float sum = a[i] + b[i];
                b[i] = a[i] - b[i];
                a[i] = sum;
            }
        }
    }
}

void change_signs(float* x, std::size_t count, std::uint64_t seed) {
    for (std::size_t first = 0; first < count; first += 64) {
        const std::uint64_t word = draw(seed, first);
        for (std::size_t i = 0; i < 64; ++i) {
            x[first + i] *= ((word >> i) & 1U) != 0 ? -1.0F : 1.0F;
        }
    }
}

}  // namespace

Sketches::Sketches(std::size_t dim, kernels::Isa isa)
    : bits_(std::max(kFewestBits, std::bit_ceil(dim))), kernel_(&kernels::sketch_table(isa)) {}

void Sketches::grow(std::size_t tiles) {
    codes_.reserve(tiles * bits_ / kBitsPerGroup * kPairs);
    scale_.reserve(tiles * kSketchRows);
    error_.reserve(tiles * kSketchRows);
    codes_.grow(tiles * bits_ / kBitsPerGroup * kPairs);
    scale_.grow(tiles * kSketchRows);
    error_.grow(tiles * kSketchRows);
}

void Sketches::turn(std::span<const float> unit, Turned& out) const noexcept {
    std::copy(unit.begin(), unit.end(), out.begin());
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(unit.size()),
              out.begin() + static_cast<std::ptrdiff_t>(bits_), 0.0F);
    for (const std::uint64_t seed : kSeeds) {
        change_signs(out.data(), bits_, seed);
        hadamard(out.data(), bits_);
    }
    const float scale = 1.0F / static_cast<float>(bits_);
    for (std::size_t i = 0; i < bits_; ++i) {
        out[i] *= scale;
    }
}

void Sketches::put(Tile tile, std::size_t i, std::span<const float> unit) noexcept {
    Turned turned;
    turn(unit, turned);
    float length = 0.0F;  // <row, s> sqrt(bits)
    std::uint8_t* const codes =
        codes_.data() + std::size_t{tile} * (bits_ / kBitsPerGroup) * kPairs;
    const unsigned shift = i < kPairs ? 0 : 4;
    for (std::size_t g = 0; g < bits_ / kBitsPerGroup; ++g) {
        unsigned nibble = 0;
        for (std::size_t b = 0; b < kBitsPerGroup; ++b) {
            const float value = turned[g * kBitsPerGroup + b];
            nibble |= (value > 0.0F ? 1U : 0U) << b;
            length += std::fabs(value);
        }
        std::uint8_t& pair = codes[g * kPairs + i % kPairs];
        pair = static_cast<std::uint8_t>((pair & (0xF0U >> shift)) | (nibble << shift));
    }
    const std::size_t at = std::size_t{tile} * kSketchRows + i;
    if (length <= 0.0F) {
        scale_[at] = 0.0F;  // The zero vector: every cosine is 0.
        error_[at] = 0.0F;
        return;
    }
    const auto bits = static_cast<float>(bits_);
    const float c = length / std::sqrt(bits);
    scale_[at] = 1.0F / length;
    error_[at] = kStandardErrors * std::sqrt(std::max(0.0F, 1.0F - c * c) / (bits - 1.0F)) / c;
}

void Sketches::move(Tile tile, std::size_t from, std::size_t to) noexcept {
    std::uint8_t* const codes =
        codes_.data() + std::size_t{tile} * (bits_ / kBitsPerGroup) * kPairs;
    const unsigned taken = from < kPairs ? 0 : 4;
    const unsigned put = to < kPairs ? 0 : 4;
    for (std::size_t g = 0; g < bits_ / kBitsPerGroup; ++g) {
        const unsigned nibble = (codes[g * kPairs + from % kPairs] >> taken) & 15U;
        std::uint8_t& pair = codes[g * kPairs + to % kPairs];
        pair = static_cast<std::uint8_t>((pair & (0xF0U >> put)) | (nibble << put));
    }
    const std::size_t first = std::size_t{tile} * kSketchRows;
    scale_[first + to] = scale_[first + from];
    error_[first + to] = error_[first + from];
}

SketchQuery Sketches::prepare(std::span<const float> unit) const {
    constexpr int kLargest = 255;
    Turned turned;
    turn(unit, turned);
    const std::size_t groups = bits_ / kBitsPerGroup;
    // Entry e of a group: twice the sum of the coordinates whose sign agrees with e, so at least 0;
    // the sum of all coordinates' sizes is taken off at the end.
    float widest = 0.0F;
    float total = 0.0F;
    for (std::size_t g = 0; g < groups; ++g) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < kBitsPerGroup; ++b) {
            sum += std::fabs(turned[g * kBitsPerGroup + b]);
        }
        widest = std::max(widest, sum);
        total += sum;
    }
    SketchQuery query;
    query.table.grow(groups * kEntries);
    query.base = -total;
    query.step = 2.0F * widest / static_cast<float>(kLargest);
    for (std::size_t g = 0; g < groups && widest > 0.0F; ++g) {
        std::array<float, kEntries> agreeing{};
        for (std::size_t b = 0; b < kBitsPerGroup; ++b) {
            agreeing[0] += std::max(0.0F, -turned[g * kBitsPerGroup + b]);
        }
        for (std::size_t b = 0; b < kBitsPerGroup; ++b) {
            for (std::size_t e = 0; e < (std::size_t{1} << b); ++e) {
                agreeing[e + (std::size_t{1} << b)] = agreeing[e] + turned[g * kBitsPerGroup + b];
            }
        }
        for (std::size_t e = 0; e < kEntries; ++e) {
            const auto entry = static_cast<int>(std::max(0.0F, agreeing[e]) * (2.0F / query.step));
            query.table[g * kEntries + e] =
                static_cast<std::uint8_t>(std::min(entry + 1, kLargest));
        }
    }
    return query;
}

void Sketches::bounds(const SketchQuery& query, Tile tile, float* out) const noexcept {
    std::array<std::uint16_t, kSketchRows> sums;
    const std::size_t groups = bits_ / kBitsPerGroup;
    kernel_->sums(query.table.data(), codes_.data() + std::size_t{tile} * groups * kPairs, groups,
                  sums.data());
    const float* const scale = scale_.data() + std::size_t{tile} * kSketchRows;
    const float* const error = error_.data() + std::size_t{tile} * kSketchRows;
    for (std::size_t i = 0; i < kSketchRows; ++i) {
        out[i] = (query.base + query.step * static_cast<float>(sums[i])) * scale[i] + error[i];
    }
}

}  // namespace scrubjay::index
