// Folding scope numbers into bits.
#include "scrubjay/index/scope_set.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace scrubjay::index {
namespace {

constexpr std::uint64_t kWordBits = 32;

// One number in so many shares its bit with a member it is not.
constexpr std::uint64_t kBitsPerMember = 64;

}  // namespace

ScopeSet::ScopeSet(std::span<const std::uint32_t> members)
    : members_(members.begin(), members.end()) {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    if (members_.size() <= kFew) {
        return;
    }
    const std::uint64_t sparse = std::bit_ceil(kBitsPerMember * members_.size());
    const std::uint64_t whole = std::bit_ceil(std::uint64_t{members_.back()} + 1);
    const std::uint64_t bits = std::max(std::min(sparse, whole), kWordBits);
    fold_ = static_cast<std::uint32_t>(bits - 1);
    exact_ = members_.back() < bits;
    most_ = exact_ ? fold_ : std::numeric_limits<std::uint32_t>::max();
    map_.resize(bits / kWordBits);
    for (const std::uint32_t member : members_) {
        map_[(member & fold_) / kWordBits] |= std::uint32_t{1} << (member % kWordBits);
    }
}

bool ScopeSet::listed(std::uint32_t scope) const noexcept {
    return std::binary_search(members_.begin(), members_.end(), scope);
}

bool ScopeSet::contains(std::uint32_t scope) const noexcept {
    if (map_.empty()) {
        return std::find(members_.begin(), members_.end(), scope) != members_.end();
    }
    const bool marked = ((map_[(scope & fold_) / kWordBits] >> (scope % kWordBits)) & 1U) != 0;
    return marked && scope <= most_ && (exact_ || listed(scope));
}

void ScopeSet::narrow(const kernels::FilterTable& kernels, const std::uint32_t* column,
                      std::size_t tiles, std::uint64_t* words) const noexcept {
    if (map_.empty()) {
        kernels.among(column, tiles, members_.data(), members_.size(), words);
        return;
    }
    kernels.folded(column, tiles, map_.data(), fold_, most_, words);
    for (std::size_t t = 0; t < tiles && !exact_; ++t) {
        for (std::uint64_t word = words[t]; word != 0; word &= word - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(word));
            const std::uint32_t scope = column[64 * t + i];
            if (!listed(scope)) {
                words[t] &= ~(std::uint64_t{1} << i);
            }
        }
    }
}

}  // namespace scrubjay::index
