// Binding predicates to columns, and narrowing word by word.
#include "scrubjay/index/filter.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace scrubjay::index {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// Tiles evaluated together: their words stay in the first-level cache from condition to condition.
constexpr std::size_t kBlock = 256;

std::size_t count_rows(std::span<const std::uint64_t> words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) {
        count += static_cast<std::size_t>(std::popcount(word));
    }
    return count;
}

}  // namespace

std::shared_ptr<const Settled> Remembered::recall(const Table& table) const {
    const std::lock_guard lock(mutex_);
    const bool same = settled_ != nullptr && version_ == table.version() &&
                      settled_->words.size() == table.tiles();
    return same ? settled_ : nullptr;
}

void Remembered::keep(const Table& table, std::shared_ptr<const Settled> settled) {
    const std::lock_guard lock(mutex_);
    settled_ = std::move(settled);
    version_ = table.version();
}

Selection::Selection(const Table& table, const Predicate& predicate, kernels::Isa isa)
    : table_(&table), kernels_(&kernels::filter_table(isa)), remembered_(predicate.remembered) {
    if (remembered_ != nullptr) {
        settled_ = remembered_->recall(table);
    }
    if (settled_ != nullptr) {
        words_ = settled_->words.data();
        return;
    }
    bind_columns(predicate);
    if (predicate.scopes) {
        by_scope_ = true;
        scopes_ = ScopeSet(*predicate.scopes);
    }
    if (predicate.keys) {
        keyed_ = true;
        bind_keys(*predicate.keys);
    }
    all_ = codes_.empty() && !nothing_ && !keyed_ && !by_scope_ && !by_authority_ && !by_flag_ &&
           !by_quality_ && !by_event_;
    if (all_) {
        words_ = table.occupied().data();
    }
}

void Selection::bind_columns(const Predicate& predicate) {
    const Columns& rows = table_->columns();
    const auto code = [this](std::uint64_t allowed, const AlignedArray<std::uint8_t>& column) {
        if (allowed != kAll) {
            codes_.push_back({column.data(), allowed});
        }
    };
    code(predicate.kinds, rows.kind);
    code(predicate.categories, rows.category);
    code(predicate.states, rows.state);
    code(predicate.planes, rows.plane);
    authority_min_ = predicate.authority_min;
    by_authority_ = authority_min_ > 0;
    flag_mask_ = predicate.flags_all | predicate.flags_none;
    flag_value_ = predicate.flags_all;
    by_flag_ = flag_mask_ != 0;
    nothing_ = (predicate.flags_all & predicate.flags_none) != 0;
    quality_min_ = predicate.quality_min;
    by_quality_ = quality_min_ > 0.0F;
    event_from_us_ = predicate.event_from_us;
    // No instant of a table is the largest number, so this end lets all of them pass.
    event_to_us_ = predicate.event_to_us.value_or(std::numeric_limits<Micros>::max());
    by_event_ = event_from_us_ > std::numeric_limits<Micros>::min() || predicate.event_to_us;
}

void Selection::bind_keys(std::span<const RowId> keys) {
    key_words_.resize(table_->tiles());
    for (const RowId key : keys) {
        const Slot slot = table_->find(key);
        if (slot != kNoSlot) {
            key_words_[slot / kTileRows] |= std::uint64_t{1} << (slot % kTileRows);
        }
    }
}

void Selection::evaluate(std::size_t first, std::span<std::uint64_t> words) const noexcept {
    const std::size_t tiles = words.size();
    if (words_ != nullptr) {
        std::copy_n(words_ + first, tiles, words.begin());
        return;
    }
    for (std::size_t t = 0; t < tiles; ++t) {
        words[t] = nothing_ ? 0 : base(first + t);
    }
    const Columns& rows = table_->columns();
    const std::size_t row = first * kTileRows;
    std::uint64_t* const out = words.data();
    for (const CodeCondition& code : codes_) {
        kernels_->codes(code.column + row, tiles, code.allowed, out);
    }
    if (by_authority_) {
        kernels_->at_least_u8(rows.authority.data() + row, tiles, authority_min_, out);
    }
    if (by_flag_) {
        kernels_->bits(rows.flags.data() + row, tiles, flag_mask_, flag_value_, out);
    }
    if (by_quality_) {
        kernels_->at_least_f32(rows.quality.data() + row, tiles, quality_min_, out);
    }
    if (by_event_) {
        kernels_->window(rows.event_us.data() + row, tiles, event_from_us_, event_to_us_, out);
    }
    if (by_scope_) {
        scopes_.narrow(*kernels_, rows.scope.data() + row, tiles, out);
    }
}

bool Selection::passes(Slot slot) const noexcept {
    const Columns& rows = table_->columns();
    for (const CodeCondition& code : codes_) {
        if (((code.allowed >> (code.column[slot] % kCodes)) & 1U) == 0) {
            return false;
        }
    }
    return !nothing_ && (!by_authority_ || rows.authority[slot] >= authority_min_) &&
           (!by_flag_ || (rows.flags[slot] & flag_mask_) == flag_value_) &&
           (!by_quality_ || rows.quality[slot] >= quality_min_) &&
           (!by_event_ ||
            (rows.event_us[slot] >= event_from_us_ && rows.event_us[slot] < event_to_us_)) &&
           (!by_scope_ || scopes_.contains(rows.scope[slot]));
}

void Selection::settle() {
    if (settled()) {
        return;
    }
    auto settled = std::make_shared<Settled>();
    settled->words.resize(table_->tiles());
    const std::span<std::uint64_t> words(settled->words);
    for (std::size_t first = 0; first < words.size(); first += kBlock) {
        evaluate(first, words.subspan(first, std::min(kBlock, words.size() - first)));
    }
    settled->count = count_rows(words);
    settled_ = std::move(settled);
    words_ = settled_->words.data();
    if (remembered_ != nullptr) {
        remembered_->keep(*table_, settled_);
    }
}

std::size_t Selection::base_rows() const noexcept {
    return keyed_ ? count_rows(key_words_) : table_->live();
}

std::size_t Selection::estimate() const {
    if (settled()) {
        return count();
    }
    std::vector<std::size_t> tiles;
    for (std::size_t tile = 0; tile < table_->tiles(); ++tile) {
        if (base(tile) != 0) {
            tiles.push_back(tile);
        }
    }
    const std::size_t sampled = std::min(tiles.size(), kSampledTiles);
    std::size_t seen = 0;
    std::size_t matched = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        const std::size_t tile = tiles[i * tiles.size() / sampled];
        seen += static_cast<std::size_t>(std::popcount(base(tile)));
        matched += static_cast<std::size_t>(std::popcount(word(tile)));
    }
    if (seen == 0) {
        return 0;
    }
    return (matched * base_rows() + seen - 1) / seen;
}

}  // namespace scrubjay::index
