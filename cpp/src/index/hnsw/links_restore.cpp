// Links from a state that was read: every list is looked at before anybody walks along it.
#include <algorithm>
#include <bitset>
#include <string>

#include "scrubjay/index/archive.h"
#include "scrubjay/index/hnsw/links.h"

namespace scrubjay::index::hnsw {
namespace {

constexpr std::size_t kTile = 64;

bool is_member(std::span<const std::uint64_t> members, Slot slot) {
    return ((members[slot / kTile] >> (slot % kTile)) & 1U) != 0;
}

std::string name_of(Slot slot, Level level) {
    return "the list of slot " + std::to_string(slot) + " on level " + std::to_string(level);
}

}  // namespace

void Links::restore(const std::string& where, std::size_t slots,
                    std::span<const std::uint64_t> members, const Poll& poll) {
    slots_ = slots;
    tiles_ = {};
    tiles_.grow(slots_ / kTile);
    lists_ = index_tiles(0, slots_, 0, tiles_.data());
    require_elements(where, "links.base", base_.size(), slots_ * stride_);
    require_elements(where, "links.upper", upper_.size(), lists_ * width_);
    constexpr std::size_t kSlotsPerPoll = 4096;
    bool copies = false;
    for (std::size_t s = 0; s < slots_; ++s) {
        const auto slot = static_cast<Slot>(s);
        if (s % kSlotsPerPoll == 0) {
            poll();
        }
        for (Level of = 0, top = level(slot); of <= top; ++of) {
            refuse_bad_list(where, slot, of, members);
        }
        copies = copies || followed(slot) != kNoSlot;
    }
    for (std::size_t s = 0; copies && s < slots_; ++s) {
        if (s % kSlotsPerPoll == 0) {
            poll();
        }
        refuse_link_to_copy(where, static_cast<Slot>(s));
    }
}

// Neither a link nor a copy may lead to a copy. REQUIRES links below slots().
void Links::refuse_link_to_copy(const std::string& where, Slot slot) const {
    for (Level of = 0, top = level(slot); of <= top; ++of) {
        for (const Slot link : links(slot, of)) {
            if (followed(link) != kNoSlot) {
                refuse_damage(where, name_of(slot, of),
                              "a link to the copy " + std::to_string(link), "links to nodes");
            }
        }
    }
    if (const Slot node = followed(slot); node != kNoSlot && followed(node) != kNoSlot) {
        refuse_damage(where, name_of(slot, 0), "a copy of the copy " + std::to_string(node),
                      "a copy of a node");
    }
}

void Links::refuse_bad_list(const std::string& where, Slot slot, Level level_of,
                            std::span<const std::uint64_t> members) const {
    const Slot* const first = list(slot, level_of);
    const Slot* const end = first + (level_of == 0 ? stride_ : width_);
    const Slot* const behind = std::find(first, first + room(level_of), kNoSlot);
    const auto refuse = [&](const std::string& got, const char* expected) {
        refuse_damage(where, name_of(slot, level_of), got, expected);
    };
    const bool follows = level_of == 0 && behind == first && first[1] != kNoSlot;
    if (follows && (!is_member(members, slot) || first[1] >= slots_ || first[1] == slot ||
                    !is_member(members, first[1]))) {
        refuse("a copy of " + std::to_string(first[1]), "a copy of another row");
    }
    if (level_of > 0 && behind != first && followed(slot) != kNoSlot) {
        refuse("links", "none, for it is a copy");
    }
    if (!std::all_of(follows ? first + 2 : behind, end,
                     [](Slot empty) { return empty == kNoSlot; })) {
        refuse("a link behind its end", "links at its front alone");
    }
    if (behind != first && !is_member(members, slot)) {
        refuse("links", "none, for no row is there");
    }
    // Most links differ in these bits; only those that do not are compared one by one.
    std::bitset<4096> seen;
    for (const Slot* link = first; link != behind; ++link) {
        if (*link >= slots_ || *link == slot || !is_member(members, *link) ||
            (level_of > 0 && level(*link) < level_of)) {
            refuse(std::to_string(*link), "links to other rows of that level");
        }
        const std::size_t bit = *link % seen.size();
        if (seen.test(bit) && std::find(first, link, *link) != link) {
            refuse(std::to_string(*link) + " twice", "every link once");
        }
        seen.set(bit);
    }
}

}  // namespace scrubjay::index::hnsw
