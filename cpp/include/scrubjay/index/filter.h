// Which rows a search may return, evaluated inside the search.
//
// A Predicate is what the caller asks for; a Selection is that predicate bound to a table, answering
// one 64-bit word per tile: bit i says whether row 64 * tile + i exists and matches. All conditions
// must hold. A walk over a graph asks for single slots instead.
//
// A selection starts lazy: it evaluates what it is asked for. settle() evaluates every tile once;
// from then on word and matches are look-ups and the number of matches is known. A predicate kept for
// many searches can carry a Remembered, in which a settled selection leaves its words; the next
// selection over the same, unchanged table starts settled, so that neither conditions nor key
// look-ups are paid for again.
//
// ENSURES  word, matches, settled or not, remembered or not, agree for every slot.
// Thread-safety: const calls on one Selection may run together; settle needs it alone. It borrows
// the table and is valid while that is unchanged. A Remembered may be shared between threads.
// Cost: building O(scopes + keys); settle O(slots) per condition, some 10 us per condition and
// 100,000 rows, less for what earlier conditions have ruled out; matches a few ns; settled: O(1).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "scrubjay/index/scope_set.h"
#include "scrubjay/index/table.h"
#include "scrubjay/kernels/filter.h"

namespace scrubjay::index {

// Every tile of a table at one moment: which rows match, and how many.
struct Settled {
    std::vector<std::uint64_t> words;
    std::size_t count = 0;
};

// What a predicate selected last, and of which table at which version.
class Remembered {
  public:
    // Null unless it is for that table as it is now.
    [[nodiscard]] std::shared_ptr<const Settled> recall(const Table& table) const;
    void keep(const Table& table, std::shared_ptr<const Settled> settled);

  private:
    mutable std::mutex mutex_;
    std::shared_ptr<const Settled> settled_;
    TableVersion version_ = 0;
};

struct Predicate {
    std::optional<std::vector<std::uint32_t>> scopes;  // Any of these; empty matches nothing.
    std::optional<std::vector<RowId>> keys;            // Any of these; unknown keys are absent.
    std::uint64_t kinds = ~std::uint64_t{0};           // Bit c set: code c is allowed.
    std::uint64_t categories = ~std::uint64_t{0};
    std::uint64_t states = ~std::uint64_t{0};
    std::uint64_t planes = ~std::uint64_t{0};
    std::uint8_t authority_min = 0;
    std::uint8_t flags_all = 0;   // These bits are all set ...
    std::uint8_t flags_none = 0;  // ... and none of these.
    float quality_min = 0.0F;
    Micros event_from_us = std::numeric_limits<Micros>::min();  // Inclusive.
    std::optional<Micros> event_to_us = std::nullopt;           // Exclusive.
    std::shared_ptr<Remembered> remembered = nullptr;  // Given: selections leave their words here.
};

class Selection {
  public:
    // REQUIRES finite quality_min.
    Selection(const Table& table, const Predicate& predicate,
              kernels::Isa isa = kernels::active_isa());

    // Whether there is no condition at all: every row matches.
    [[nodiscard]] bool all() const noexcept { return all_; }

    // The matching rows of one tile.
    [[nodiscard]] std::uint64_t word(std::size_t tile) const noexcept {
        if (words_ != nullptr) {
            return words_[tile];
        }
        std::uint64_t word = 0;
        evaluate(tile, {&word, 1});
        return word;
    }

    // Whether the row in one slot exists and matches.
    [[nodiscard]] bool matches(Slot slot) const noexcept {
        const std::size_t tile = slot / kTileRows;
        const std::uint64_t known = words_ != nullptr ? words_[tile] : base(tile);
        return ((known >> (slot % kTileRows)) & 1U) != 0 && (words_ != nullptr || passes(slot));
    }

    // The matching rows of neighbouring tiles. REQUIRES first + words.size() <= tiles of the table.
    void evaluate(std::size_t first, std::span<std::uint64_t> words) const noexcept;

    // Evaluates all tiles, for good; without a condition it is settled from the start. Throws
    // std::bad_alloc, then nothing has changed.
    void settle();

    // A table without rows has no words, yet nothing is left to evaluate.
    [[nodiscard]] bool settled() const noexcept {
        return words_ != nullptr || table_->tiles() == 0;
    }

    // How many rows match. REQUIRES settled.
    [[nodiscard]] std::size_t count() const noexcept {
        return settled_ != nullptr ? settled_->count : table_->live();
    }

    // About how many rows match, without settling: exact where settled or where at most
    // kSampledTiles tiles can hold a match, else scaled up from so many evenly spaced ones. Never
    // more than live rows; at least 1 if any of those had a match. A function of table and
    // predicate alone.
    [[nodiscard]] std::size_t estimate() const;

    static constexpr std::size_t kSampledTiles = 256;

  private:
    // What is asked of each column; a condition that lets everything pass is left out.
    struct CodeCondition {
        const std::uint8_t* column;
        std::uint64_t allowed;
    };

    // Rows that exist, or that the keys name.
    [[nodiscard]] std::uint64_t base(std::size_t tile) const noexcept {
        return keyed_ ? key_words_[tile] : table_->occupied()[tile];
    }
    [[nodiscard]] bool passes(Slot slot) const noexcept;
    void bind_columns(const Predicate& predicate);
    void bind_keys(std::span<const RowId> keys);
    [[nodiscard]] std::size_t base_rows() const noexcept;

    const Table* table_;
    const kernels::FilterTable* kernels_;
    std::shared_ptr<Remembered> remembered_;
    std::shared_ptr<const Settled> settled_;
    const std::uint64_t* words_ = nullptr;  // Of settled_, or of the table if all().
    bool all_ = false;
    bool nothing_ = false;  // Conditions that contradict each other.
    bool keyed_ = false;
    bool by_scope_ = false;
    bool by_authority_ = false;
    bool by_flag_ = false;
    bool by_quality_ = false;
    bool by_event_ = false;
    std::uint8_t authority_min_ = 0;
    std::uint8_t flag_mask_ = 0;
    std::uint8_t flag_value_ = 0;
    float quality_min_ = 0.0F;
    Micros event_from_us_ = 0;
    Micros event_to_us_ = 0;
    std::vector<CodeCondition> codes_;
    ScopeSet scopes_;
    std::vector<std::uint64_t> key_words_;  // One word per tile, if keys are given.
};

}  // namespace scrubjay::index
