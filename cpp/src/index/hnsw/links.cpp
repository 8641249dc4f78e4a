// Places of lists and the levels of slots.
#include "scrubjay/index/hnsw/links.h"

#include <algorithm>
#include <bit>

#include "scrubjay/base/rng.h"

namespace scrubjay::index::hnsw {
namespace {

constexpr std::size_t kTile = 64;
constexpr std::size_t kLinksPerLine = 64 / sizeof(Slot);

// Levels are drawn from 1 to this.
constexpr std::uint64_t kDraws = std::uint64_t{1} << 53U;

}  // namespace

Links::Links(std::uint32_t width, std::uint64_t seed) noexcept
    : width_(width),
      seed_(seed),
      stride_((std::size_t{2} * width + kLinksPerLine - 1) / kLinksPerLine * kLinksPerLine) {
    std::uint64_t reach = kDraws;
    for (std::uint64_t& most : reach_) {
        reach /= width;
        most = reach;
    }
}

std::size_t Links::bytes() const noexcept {
    return base_.bytes() + upper_.bytes() + tiles_.bytes();
}

Level Links::level(Slot slot) const noexcept {
    const std::uint64_t drawn = kDraws - (draw(seed_, slot) >> 11U);
    Level level = 0;
    while (level < kTopLevel && drawn <= reach_[level]) {
        ++level;
    }
    return level;
}

std::size_t Links::index_tiles(std::size_t first, std::size_t slots, std::size_t lists,
                               UpperTile* out) const noexcept {
    for (std::size_t tile = first; tile * kTile < slots; ++tile) {
        UpperTile made;
        made.first = static_cast<std::uint32_t>(lists);
        for (std::size_t i = 0; i < kTile; ++i) {
            const Level level_of = level(static_cast<Slot>(tile * kTile + i));
            made.mask |= static_cast<std::uint64_t>(level_of > 0 ? 1U : 0U) << i;
            lists += level_of;
        }
        if (out != nullptr) {
            out[tile - first] = made;
        }
    }
    return lists;
}

void Links::grow(std::size_t slots) {
    Growth growth;
    stage_room(slots, growth);
    growth.publish();
    stage_slots(slots, growth);
    growth.publish();
}

void Links::stage_room(std::size_t slots, Growth& growth) {
    slots = whole_tiles(slots);
    if (slots > slots_) {
        growth.room(tiles_, slots / kTile);
        growth.room(upper_, index_tiles(tiles_.size(), slots, lists_, nullptr) * width_);
        growth.room(base_, slots * stride_);
    }
}

void Links::stage_slots(std::size_t slots, Growth& growth) {
    slots = whole_tiles(slots);
    if (slots <= slots_) {
        return;
    }
    const std::size_t tiles = tiles_.size();
    const std::size_t upper = upper_.size();
    const std::size_t base = base_.size();
    growth.extend(tiles_, slots / kTile);
    const std::size_t lists = index_tiles(tiles, slots, lists_, tiles_.data() + tiles);
    growth.extend(upper_, lists * width_);
    growth.extend(base_, slots * stride_);
    // Behind the sizes that readers see; extend has left zeros there, which would be slot 0.
    std::fill_n(upper_.data() + upper, lists * width_ - upper, kNoSlot);
    std::fill_n(base_.data() + base, slots * stride_ - base, kNoSlot);
    growth.replace(lists_, lists);
    growth.replace(slots_, slots);
}

void Links::stage_shrink(Growth& growth) {
    growth.tighten(tiles_);
    growth.tighten(upper_);
    growth.tighten(base_);
}

const Slot* Links::upper(Slot slot, Level level_wanted) const noexcept {
    const UpperTile& tile = tiles_[slot / kTile];
    std::size_t at = tile.first + level_wanted - 1;
    std::uint64_t before = tile.mask & ((std::uint64_t{1} << (slot % kTile)) - 1);
    for (; before != 0; before &= before - 1) {
        at += level(static_cast<Slot>(slot / kTile * kTile) +
                    static_cast<Slot>(std::countr_zero(before)));
    }
    return upper_.data() + at * width_;
}

std::span<const Slot> Links::links(Slot slot, Level level_wanted) const noexcept {
    const Slot* const first = list(slot, level_wanted);
    const Slot* const end = std::find(first, first + room(level_wanted), kNoSlot);
    return {first, end};
}

void Links::assign(Slot slot, Level level_wanted, std::span<const Slot> links) noexcept {
    const std::size_t offset =
        level_wanted == 0 ? std::size_t{slot} * stride_
                          : static_cast<std::size_t>(upper(slot, level_wanted) - upper_.data());
    Slot* const out = (level_wanted == 0 ? base_ : upper_).data() + offset;
    std::copy(links.begin(), links.end(), out);
    std::fill(out + links.size(), out + room(level_wanted), kNoSlot);
}

void Links::fetch(Slot slot) const noexcept {
    const Slot* const first = base_.data() + std::size_t{slot} * stride_;
    for (std::size_t i = 0; i < stride_; i += kLinksPerLine) {
        __builtin_prefetch(first + i);
    }
}

}  // namespace scrubjay::index::hnsw
