// The blocks of one index through its life: made beside its graph, kept in step with its rows, made anew
// when bounds have become loose.
//
// Blocks can do no harm by being absent, because a search without them scans. So nothing here fails for
// want of memory: the blocks are dropped instead, and made again by the next tend().
//
// Invariant: outside a publish, blocks() is null or holds every live row of the table, once.
//
// Thread-safety: blocks() inside a Read; tend during the writer's turn; the rest inside its publishes.
// Cost: as prior_blocks.h; tend makes new blocks beside the readers and swaps them in.
#pragma once

#include <memory>
#include <utility>

#include "scrubjay/base/gate.h"
#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/prior_blocks.h"
#include "scrubjay/index/table.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index {

class PriorKeeper {
  public:
    // Borrows both.
    PriorKeeper(const Table& table, const Vectors& vectors, kernels::Isa isa) noexcept
        : table_(&table), vectors_(&vectors), isa_(isa) {}

    [[nodiscard]] const PriorBlocks* blocks() const noexcept { return blocks_.get(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return blocks_ ? blocks_->bytes() : 0; }

    // Before up to `moves` calls of wrote() in one publish.
    void begin(std::size_t moves) noexcept;

    // A live row's columns or vector are new, or it is new itself. After the table was written.
    void wrote(Slot slot) noexcept;

    // A row has left this slot.
    void left(Slot slot) noexcept;

    // After the last change of a publish.
    void end() noexcept;

    // Makes blocks if they are wanted and absent or loose, and drops them if they are not wanted. Throws
    // what poll throws; the blocks are then as they were.
    void tend(const ReadGate::Turn& turn, bool wanted, const Poll& poll);

    // Makes blocks anew unless the ones there are what that would make. Throws as tend does.
    void renew(const ReadGate::Turn& turn, const Poll& poll);

    // The blocks of other rows; none when memory is short. Throws what poll throws.
    [[nodiscard]] std::unique_ptr<PriorBlocks> made_of(const Table& table, const Vectors& vectors,
                                                       const Poll& poll) const;

    // Exchanges the blocks for some that were made so. Inside the publish that puts those rows into
    // table and vectors.
    void exchange(std::unique_ptr<PriorBlocks>& blocks) noexcept { std::swap(blocks_, blocks); }

  private:
    void make(const ReadGate::Turn& turn, bool wanted, const Poll& poll);

    const Table* table_;
    const Vectors* vectors_;
    kernels::Isa isa_;
    std::unique_ptr<PriorBlocks> blocks_;
};

}  // namespace scrubjay::index
