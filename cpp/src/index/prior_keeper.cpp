// Blocks that are dropped rather than wrong.
#include "scrubjay/index/prior_keeper.h"

#include <new>
#include <utility>

namespace scrubjay::index {

void PriorKeeper::begin(std::size_t moves) noexcept {
    if (blocks_) {
        try {
            blocks_->reserve(table_->slots(), moves);
        } catch (const std::bad_alloc&) {
            blocks_.reset();
        }
    }
}

void PriorKeeper::wrote(Slot slot) noexcept {
    if (!blocks_) {
        return;
    }
    if (blocks_->contains(slot)) {
        blocks_->touch(*table_, slot);
    } else {
        blocks_->insert(*table_, slot);
    }
}

void PriorKeeper::left(Slot slot) noexcept {
    if (blocks_) {
        blocks_->erase(slot);
    }
}

void PriorKeeper::end() noexcept {
    if (blocks_) {
        try {
            blocks_->settle(*table_, *vectors_);
        } catch (const std::bad_alloc&) {
            blocks_.reset();
        }
    }
}

void PriorKeeper::tend(const ReadGate::Turn& turn, bool wanted, const Poll& poll) {
    if (wanted != (blocks_ != nullptr) || (wanted && blocks_->wants_rebuild())) {
        make(turn, wanted, poll);
    }
}

void PriorKeeper::renew(const ReadGate::Turn& turn, const Poll& poll) {
    if (blocks_ && !blocks_->untouched()) {
        make(turn, true, poll);
    }
}

std::unique_ptr<PriorBlocks> PriorKeeper::made_of(const Table& table, const Vectors& vectors,
                                                  const Poll& poll) const {
    try {
        auto blocks = std::make_unique<PriorBlocks>(isa_);
        blocks->rebuild(table, vectors, poll);
        return blocks;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void PriorKeeper::make(const ReadGate::Turn& turn, bool wanted, const Poll& poll) {
    std::unique_ptr<PriorBlocks> fresh;
    if (wanted) {
        fresh = made_of(*table_, *vectors_, poll);
        if (!fresh) {
            return;
        }
    }
    const ReadGate::Publish publish(turn);
    std::swap(blocks_, fresh);
}

}  // namespace scrubjay::index
