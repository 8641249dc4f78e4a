// Halving rows into blocks of like priors, and keeping the bounds true while rows change.
#include "scrubjay/index/prior_blocks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scrubjay/index/composite.h"

namespace scrubjay::index {
namespace {

// So many fresh blocks are left as they are; more are halved.
constexpr std::size_t kFreshBlocks = 8;

// Blocks are to be made anew when more than one row in sixteen, and at least so many, have moved.
constexpr std::size_t kMovedShare = 16;
constexpr std::size_t kFewestMoved = 1024;

// Blocks are told apart by the default score; any other weights stretch it, which costs speed alone.
constexpr float kRecencyUnit = 0.2F;
constexpr float kSalienceUnit = 0.2F;
constexpr float kUseUnit = 0.1F;

// After these seconds, four days and sixty, rows of one recency have drifted apart by their half-lives.
constexpr double kSoonS = 4.0 * 86'400.0;
constexpr double kLateS = 60.0 * 86'400.0;

// Of rows in order of last use, the share at whose end the anchor is put: one row with a clock that
// runs far ahead must not leave the others without one.
constexpr std::size_t kAnchorShare = 255;
constexpr std::size_t kAnchorOf = 256;

constexpr double kMicrosPerSecond = 1e6;

// One block in four has sketches, of the first 2,048 every other one, of the first 64 all; an eighth of
// the room is left to blocks that come later.
constexpr std::size_t kSketchedShare = 4;
constexpr std::size_t kHalfSketched = 2048;
constexpr std::size_t kAllSketched = 64;
constexpr std::size_t kLaterShare = 8;

// Blocks sketched between two questions to a Poll: half a millisecond or so.
constexpr std::size_t kBlocksPerPoll = 8;

// lambda times age at an instant; beyond 100 there is nothing left to tell apart.
double faded(const Columns& columns, Slot slot, Micros now_us) {
    constexpr double kGone = 100.0;
    const Micros age_us = std::max<Micros>(0, now_us - columns.last_us[slot]);
    return std::min(kGone, static_cast<double>(columns.lambda_per_s[slot]) *
                               (static_cast<double>(age_us) / kMicrosPerSecond));
}

Micros anchor_of(const Columns& columns, const std::vector<Slot>& slots) {
    if (slots.empty()) {
        return -kLatestUs;
    }
    std::vector<Micros> last(slots.size());
    std::transform(slots.begin(), slots.end(), last.begin(),
                   [&](Slot slot) { return columns.last_us[slot]; });
    const auto at =
        last.begin() + static_cast<std::ptrdiff_t>((last.size() - 1) * kAnchorShare / kAnchorOf);
    std::nth_element(last.begin(), at, last.end());
    return *at;
}

// The coordinate in which the points lie farthest apart.
template <class Points>
std::size_t widest(const Points& points) {
    auto low = points.front().at;
    auto high = low;
    for (const auto& point : points) {
        for (std::size_t d = 0; d < low.size(); ++d) {
            low[d] = std::min(low[d], point.at[d]);
            high[d] = std::max(high[d], point.at[d]);
        }
    }
    std::size_t best = 0;
    for (std::size_t d = 1; d < low.size(); ++d) {
        best = high[d] - low[d] > high[best] - low[best] ? d : best;
    }
    return best;
}

}  // namespace

void PriorBlocks::reserve(std::size_t slots, std::size_t moves) {
    if (slots > place_.size()) {
        place_.grow(slots);
    }
    const std::size_t blocks = count_.size() + moves / kTileRows + 2 * kFreshBlocks;
    std::size_t whole = (blocks + kTileRows - 1) / kTileRows * kTileRows;
    if (whole <= room_) {
        return;
    }
    // A quarter more, so that many small batches do not copy everything each time.
    whole += whole / 4 / kTileRows * kTileRows;
    rows_.reserve(whole * kTileRows);
    count_.reserve(whole);
    is_fresh_.reserve(whole);
    tile_.reserve(whole);
    unused_.reserve(whole);
    fresh_.reserve(whole);
    lambda_per_s_.reserve(whole);
    last_us_.reserve(whole);
    anchored_us_.reserve(whole);
    salience_.reserve(whole);
    log_frequency_.reserve(whole);
    gain_.reserve(whole);
    room_ = whole;
}

PriorBlocks::Block PriorBlocks::open_block() noexcept {
    if (!unused_.empty()) {
        const Block block = unused_.back();
        unused_.pop_back();
        return block;
    }
    const std::size_t block = count_.size();
    count_.push_back(0);
    is_fresh_.push_back(0);
    tile_.push_back(kNoTile);
    if (block == lambda_per_s_.size()) {
        const std::size_t whole = block + kTileRows;
        rows_.grow(whole * kTileRows);
        lambda_per_s_.grow(whole);
        last_us_.grow(whole);
        anchored_us_.grow(whole);
        salience_.grow(whole);
        log_frequency_.grow(whole);
        gain_.grow(whole);
        for (std::size_t spare = block; spare < whole; ++spare) {
            empty_block(static_cast<Block>(spare));
        }
    }
    return static_cast<Block>(block);
}

// An empty block bounds nothing: its prior is 0, or close to it.
void PriorBlocks::empty_block(Block block) noexcept {
    if (block < count_.size()) {
        count_[block] = 0;
        is_fresh_[block] = 0;
        if (tile_[block] != kNoTile) {
            unused_tiles_.push_back(tile_[block]);
            tile_[block] = kNoTile;
        }
    }
    lambda_per_s_[block] = 1.0F;
    last_us_[block] = -kLatestUs;
    anchored_us_[block] = -kLatestUs;
    salience_[block] = 0.0F;
    log_frequency_[block] = 0.0F;
    gain_[block] = 0.0F;
}

void PriorBlocks::put(Block block, Slot slot) noexcept {
    const std::size_t place = std::size_t{block} * kTileRows + count_[block]++;
    rows_[place] = slot;
    place_[slot] = static_cast<std::uint32_t>(place + 1);
}

void PriorBlocks::widen(const Columns& columns, Block block, Slot slot) noexcept {
    const float lambda = columns.lambda_per_s[slot];
    lambda_per_s_[block] = count_[block] == 1 ? lambda : std::min(lambda_per_s_[block], lambda);
    last_us_[block] = std::max(last_us_[block], columns.last_us[slot]);
    anchored_us_[block] = last_us_[block];
    salience_[block] = std::max(salience_[block], columns.salience[slot]);
    log_frequency_[block] = std::max(log_frequency_[block], columns.log_frequency[slot]);
    gain_[block] = std::max(gain_[block], columns.gain[slot]);
}

void PriorBlocks::sharpen(const Columns& columns, Block block, Micros anchor_us) noexcept {
    const auto lambda = static_cast<double>(lambda_per_s_[block]);
    if (lambda <= 0.0) {
        return;
    }
    double least = faded(columns, rows(block).front(), anchor_us);
    Micros later = -kLatestUs;
    for (const Slot slot : rows(block)) {
        least = std::min(least, faded(columns, slot, anchor_us));
        if (columns.last_us[slot] > anchor_us) {
            later = std::max(later, columns.last_us[slot]);
        }
    }
    const double age_us =
        std::min(std::floor(least / lambda * kMicrosPerSecond), static_cast<double>(kLatestUs));
    anchored_us_[block] = std::max(anchor_us - static_cast<Micros>(age_us), later);
}

void PriorBlocks::halve(const Columns& columns, std::span<Point> points,
                        Micros anchor_us) noexcept {
    if (points.empty()) {
        return;
    }
    if (points.size() <= kTileRows) {
        std::sort(points.begin(), points.end(),
                  [](const Point& a, const Point& b) { return a.slot < b.slot; });
        const Block block = open_block();
        for (const Point& point : points) {
            put(block, point.slot);
            widen(columns, block, point.slot);
        }
        sharpen(columns, block, anchor_us);
        return;
    }
    // Whole blocks on the left, so that only the last block of all is not full.
    const std::size_t tiles = (points.size() + kTileRows - 1) / kTileRows;
    const std::size_t left = tiles / 2 * kTileRows;
    const std::size_t d = widest(points);
    std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(left),
                     points.end(), [d](const Point& a, const Point& b) {
                         return a.at[d] < b.at[d] || (a.at[d] == b.at[d] && a.slot < b.slot);
                     });
    halve(columns, points.first(left), anchor_us);
    halve(columns, points.subspan(left), anchor_us);
}

std::vector<PriorBlocks::Point> PriorBlocks::points_of(const Columns& columns,
                                                       const std::vector<Slot>& slots) {
    const Micros anchor_us = anchor_of(columns, slots);
    std::vector<Point> points;
    points.reserve(slots.size());
    for (const Slot slot : slots) {
        const double recency = std::exp(-faded(columns, slot, anchor_us));
        const auto lambda = static_cast<double>(columns.lambda_per_s[slot]);
        points.push_back(
            {{kRecencyUnit * static_cast<float>(recency),
              kRecencyUnit * static_cast<float>(recency * std::exp(-lambda * kSoonS)),
              kRecencyUnit * static_cast<float>(recency * std::exp(-lambda * kLateS)),
              kSalienceUnit * columns.salience[slot], kUseUnit * columns.log_frequency[slot]},
             slot});
    }
    anchor_us_ = std::max(anchor_us_, anchor_us);
    return points;
}

void PriorBlocks::rebuild(const Table& table, const Vectors& vectors, const Poll& poll) {
    count_.clear();
    reserve(table.slots(), table.live());
    const std::vector<Slot> slots = table.live_slots();
    anchor_us_ = -kLatestUs;
    std::vector<Point> points = points_of(table.columns(), slots);
    std::fill_n(place_.data(), place_.size(), 0U);
    for (std::size_t block = 0; block < lambda_per_s_.size(); ++block) {
        empty_block(static_cast<Block>(block));
    }
    is_fresh_.clear();
    tile_.clear();
    unused_.clear();
    fresh_.clear();
    size_ = points.size();
    moved_ = 0;
    halve(table.columns(), points, anchor_us_);
    sketch_best(vectors, poll);
}

void PriorBlocks::sketch(const Vectors& vectors, Block block) noexcept {
    std::array<float, kMostSketchedDim> row;
    const std::span<float> unit = std::span(row).first(vectors.dim());
    tile_[block] = unused_tiles_.back();
    unused_tiles_.pop_back();
    for (std::size_t i = 0; i < count_[block]; ++i) {
        vectors.read(rows(block)[i], unit);
        sketches_.put(tile_[block], i, unit);
    }
}

// Sketches bound cosines, which say little of distances, so under l2 there are none.
// The blocks of highest bound at the anchor and after everything has faded, in turn.
void PriorBlocks::sketch_best(const Vectors& vectors, const Poll& poll) {
    unused_tiles_.clear();
    if (!Sketches::supports(vectors.dim()) || vectors.metric() == Metric::l2) {
        return;
    }
    const std::size_t room = std::max(
        {kAllSketched, count_.size() / kSketchedShare, std::min(count_.size(), kHalfSketched) / 2});
    sketches_ = Sketches(vectors.dim(), isa_);
    sketches_.grow(room);
    unused_tiles_.reserve(room);
    for (std::size_t tile = room; tile > 0; --tile) {
        unused_tiles_.push_back(static_cast<Sketches::Tile>(tile - 1));
    }
    std::array<std::vector<Block>, 2> order;
    for (std::size_t later = 0; later < order.size(); ++later) {
        std::vector<float> bound;
        bounds(kernels::tile_table(isa_),
               tile_weights({}, later == 0 ? anchor_us_ : kLatestUs, std::nullopt), bound);
        for (Block block = 0; block < count_.size(); ++block) {
            order[later].push_back(block);
        }
        std::sort(order[later].begin(), order[later].end(), [&](Block a, Block b) {
            return bound[a] > bound[b] || (bound[a] == bound[b] && a < b);
        });
    }
    for (std::size_t i = 0; i < 2 * count_.size() && unused_tiles_.size() > room / kLaterShare;
         ++i) {
        const Block block = order[i % 2][i / 2];
        if (!sketched(block)) {
            sketch(vectors, block);
        }
        if (i % kBlocksPerPoll == 0) {
            poll();
        }
    }
}

bool PriorBlocks::wants_rebuild() const noexcept {
    return moved_ > std::max(kFewestMoved, size_ / kMovedShare);
}

void PriorBlocks::insert(const Table& table, Slot slot) noexcept {
    if (fresh_.empty() || count_[fresh_.back()] == kTileRows) {
        fresh_.push_back(open_block());
        is_fresh_[fresh_.back()] = 1;
    }
    put(fresh_.back(), slot);
    widen(table.columns(), fresh_.back(), slot);
    ++size_;
    ++moved_;
}

void PriorBlocks::erase(Slot slot) noexcept {
    const std::size_t place = place_[slot] - 1;
    const auto block = static_cast<Block>(place / kTileRows);
    const std::size_t last = std::size_t{block} * kTileRows + --count_[block];
    rows_[place] = rows_[last];
    if (tile_[block] != kNoTile) {
        sketches_.move(tile_[block], last % kTileRows, place % kTileRows);
    }
    place_[rows_[place]] = static_cast<std::uint32_t>(place + 1);
    place_[slot] = 0;
    --size_;
    ++moved_;
    if (count_[block] == 0) {
        fresh_.erase(std::remove(fresh_.begin(), fresh_.end(), block), fresh_.end());
        empty_block(block);
        unused_.push_back(block);
    }
}

void PriorBlocks::touch(const Table& table, Slot slot) noexcept {
    const auto block = static_cast<Block>((place_[slot] - 1) / kTileRows);
    if (is_fresh_[block] != 0) {
        widen(table.columns(), block, slot);
        return;
    }
    erase(slot);
    insert(table, slot);
    --moved_;  // Both have counted it.
}

void PriorBlocks::settle(const Table& table, const Vectors& vectors) {
    if (fresh_.size() <= kFreshBlocks) {
        return;
    }
    std::vector<Slot> slots;
    for (const Block block : fresh_) {
        slots.insert(slots.end(), rows(block).begin(), rows(block).end());
    }
    std::vector<Point> points = points_of(table.columns(), slots);
    for (const Block block : fresh_) {
        empty_block(block);
        unused_.push_back(block);
    }
    fresh_.clear();
    halve(table.columns(), points, anchor_us_);
    for (std::size_t i = 0; i < points.size() && !unused_tiles_.empty(); i += kTileRows) {
        const auto block = static_cast<Block>((place_[points[i].slot] - 1) / kTileRows);
        sketch(vectors, block);
    }
}

}  // namespace scrubjay::index
