// Greedy descent, the plain walk and the walk over matches.
#include "scrubjay/index/hnsw/walk.h"

#include <algorithm>
#include <array>

namespace scrubjay::index::hnsw {
namespace {

// The most links of any list, and so the most rows looked at behind one row.
constexpr std::size_t kMostLinks = 256;

// Matches collected behind one row before the second hop stops: looking further costs more than
// another row of the pool would.
constexpr std::size_t kEnoughMatches = 48;

float similarity_of(const Terrain& terrain, const WalkQuery& query, Slot slot) {
    float value = 0.0F;
    terrain.vectors.similarities(query, &slot, 1, &value);
    return value;
}

void offer_all(const Terrain& terrain, const WalkQuery& query, std::span<const Slot> slots,
               Pool& pool) {
    std::array<float, kMostLinks> similarity;
    terrain.vectors.similarities(query, slots.data(), slots.size(), similarity.data());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        pool.offer(similarity[i], slots[i]);
    }
}

}  // namespace

void Scratch::forget(std::size_t slots) { seen_.assign((slots + 63) / 64, 0); }

Slot descend(const Terrain& terrain, const WalkQuery& query, Level level) {
    Slot best = terrain.entry.slot;
    float best_value = similarity_of(terrain, query, best);
    std::array<float, kMostLinks> similarity;
    for (Level at = terrain.entry.level; at > level; --at) {
        for (bool moved = true; moved;) {
            moved = false;
            const std::span<const Slot> links = terrain.links.links(best, at);
            terrain.vectors.similarities(query, links.data(), links.size(), similarity.data());
            for (std::size_t i = 0; i < links.size(); ++i) {
                if (similarity[i] > best_value) {
                    best = links[i];
                    best_value = similarity[i];
                    moved = true;
                }
            }
        }
    }
    return best;
}

void walk_through(const Terrain& terrain, const WalkQuery& query, std::span<const Slot> from,
                  Level level, Scratch& scratch) {
    const Links& links = terrain.links;
    Pool& pool = scratch.pool;
    scratch.forget(links.slots());
    for (const Slot start : from) {
        (void)scratch.first_sight(start);
        pool.offer(similarity_of(terrain, query, start), start);
    }
    std::array<Slot, kMostLinks> fresh;
    const std::size_t room = links.room(level);
    for (Slot at = pool.take(); at != kNoSlot; at = pool.take()) {
        const Slot* const list = links.list(at, level);
        std::size_t count = 0;
        for (std::size_t i = 0; i < room && list[i] != kNoSlot; ++i) {
            fresh[count] = list[i];
            count += scratch.first_sight(list[i]) ? 1U : 0U;
        }
        if (const Slot next = pool.upcoming(); next != kNoSlot && level == 0) {
            links.fetch(next);
        }
        offer_all(terrain, query, {fresh.data(), count}, pool);
    }
}

void approach(const Terrain& terrain, const WalkQuery& query, std::size_t count, Scratch& scratch,
              std::vector<Slot>& from) {
    from.clear();
    if (terrain.entry.level == 0) {
        from.push_back(terrain.entry.slot);
        return;
    }
    const Slot start = descend(terrain, query, 1);
    scratch.pool.reset(count);
    walk_through(terrain, query, {&start, 1}, 1, scratch);
    for (std::size_t i = 0; i < scratch.pool.size(); ++i) {
        from.push_back(scratch.pool.slot(i));
    }
}

void walk_two_hop(const Terrain& terrain, const WalkQuery& query, std::span<const Slot> from,
                  const Selection& allowed, Scratch& scratch) {
    const Links& links = terrain.links;
    Pool& pool = scratch.pool;
    scratch.forget(links.slots());
    std::array<Slot, kMostLinks> matches;
    std::array<Slot, kMostLinks> others;
    const std::size_t room = links.room(0);
    const auto look_behind = [&](Slot at) {
        std::size_t found = 0;
        std::size_t passed = 0;
        for (const Slot near : links.links(at, 0)) {
            if (!scratch.first_sight(near)) {
                continue;
            }
            if (terrain.admits(allowed, near)) {
                matches[found++] = near;
            } else {
                others[passed++] = near;
                links.fetch(near);
            }
        }
        for (std::size_t o = 0; o < passed && found < kEnoughMatches; ++o) {
            const Slot* const second = links.list(others[o], 0);
            for (std::size_t i = 0; i < room && second[i] != kNoSlot && found < kMostLinks; ++i) {
                if (terrain.admits(allowed, second[i]) && scratch.first_sight(second[i])) {
                    matches[found++] = second[i];
                }
            }
        }
        offer_all(terrain, query, {matches.data(), found}, pool);
    };
    for (const Slot start : from) {
        if (scratch.first_sight(start)) {
            if (terrain.admits(allowed, start)) {
                pool.offer(similarity_of(terrain, query, start), start);
            } else {
                look_behind(start);
            }
        }
    }
    for (Slot at = pool.take(); at != kNoSlot; at = pool.take()) {
        look_behind(at);
    }
}

}  // namespace scrubjay::index::hnsw
