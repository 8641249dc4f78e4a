// Graphs that no index has, behind right checksums.
#include "index/damage.h"

using namespace scrubjay;
using namespace scrubjay::index;
using namespace scrubjay::index::testing;

TEST_CASE("impossible links behind right checksums are refused, whether rows are verified or not") {
    constexpr std::size_t kStride =
        16;  // Of the base list of a graph of width 2: four links and room.
    const Bytes whole = small_file(Storage::f32);
    const std::size_t base = section_at(whole, "links.base");
    const auto link = [&](Slot slot, std::size_t i) {
        return number_at<Slot>(whole, base + (slot * kStride + i) * sizeof(Slot));
    };
    Slot full = 0;
    Slot part = 0;
    while (link(full, 3) == kNoSlot) {
        ++full;
    }
    while (link(part, 0) == kNoSlot || link(part, 3) != kNoSlot) {
        ++part;
    }
    struct Craft {
        const char* what;
        Slot slot;
        std::size_t place;
        Slot value;
    };
    const std::vector<Craft> crafts{
        {"beyond the slots", full, 1, 128},
        {"far beyond", full, 1, 0xFFFF'FFFE},
        {"to itself", full, 1, full},
        {"to a free slot", full, 1, 2},
        {"to a slot never used", full, 1, 100},
        {"twice", full, 1, link(full, 0)},
        {"an empty place before a link", full, 1, kNoSlot},
        {"behind the end", part, 3, link(part, 0)},
        {"behind the room of a list", full, 4, link(full, 0)},
        {"from a free slot", 2, 0, full},
        {"from a slot never used", 100, 0, full},
    };
    const auto check = [](Bytes bytes, std::size_t at, Slot value, const char* what) {
        put_number(bytes, at, value);
        reseal(bytes);
        INFO(what);
        CHECK(refused(bytes, Verify::full));
        CHECK(refused(bytes, Verify::header));
    };
    for (const auto& [what, slot, place, value] : crafts) {
        check(whole, base + (slot * kStride + place) * sizeof(Slot), value, what);
    }
    // On an upper level, a link to a row that does not reach it.
    const hnsw::Links levels(2, 3);
    Slot low = 0;
    while (low == 2 || levels.level(low) > 0) {
        ++low;
    }
    const std::size_t upper = section_at(whole, "links.upper");
    std::size_t at = upper;
    while (number_at<Slot>(whole, at) == kNoSlot) {
        at += sizeof(Slot);
    }
    check(whole, at, low, "to a row of a lower level");
}

TEST_CASE(
    "impossible copies behind right checksums are refused, whether rows are verified or not") {
    constexpr std::size_t kStride = 16;
    const Bytes whole = small_file(Storage::f32, true, Metric::cosine, true);
    const std::size_t base = section_at(whole, "links.base");
    const auto place = [&](Slot slot, std::size_t i) {
        return base + (slot * kStride + i) * sizeof(Slot);
    };
    const auto at = [&](Slot slot, std::size_t i) {
        return number_at<Slot>(whole, place(slot, i));
    };
    for (Slot slot = 11; slot < 20; ++slot) {
        REQUIRE(at(slot, 0) == kNoSlot);
        REQUIRE(at(slot, 1) == 10);
    }
    struct Craft {
        const char* what;
        Slot slot;
        std::size_t place;
        Slot value;
    };
    for (const auto& [what, slot, i, value] : std::vector<Craft>{
             {"of another row", 12, 1, 20},
             {"of a slot beyond the file", 12, 1, 128},
             {"of itself", 12, 1, 12},
             {"of a free slot", 12, 1, 2},
             {"of a copy", 12, 1, 13},
             {"of two rows", 12, 2, 10},
             {"in a free slot", 2, 1, 10},
             {"with a link that leads to it", 10, 0, 12},
         }) {
        Bytes bytes = whole;
        put_number(bytes, place(slot, i), value);
        reseal(bytes);
        INFO(what);
        CHECK(refused(bytes, Verify::full));
        CHECK(refused(bytes, Verify::header));
    }
    CHECK(!refused(whole, Verify::full));
}
