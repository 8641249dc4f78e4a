// The heap, the block-wise selection and its checks.
#include "scrubjay/kernels/top_k.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/checks.h"
#include "kernels/top_k/tables.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<TopKTable> kVariants = {
    &best::kScalar,
    SCRUBJAY_IF_AVX2(best::kAvx2),
    SCRUBJAY_IF_AVX512(best::kAvx512),
    SCRUBJAY_IF_NEON(best::kNeon),
};

constexpr std::size_t kBlock = 256;

// Heap order: the root is the entry that ranks last; equal ranks fall through to the position.
bool better(const BestK::Entry& a, const BestK::Entry& b) {
    if (ranks_before(a.rank, b.rank) || ranks_before(b.rank, a.rank)) {
        return ranks_before(a.rank, b.rank);
    }
    return a.position < b.position;
}

}  // namespace

const TopKTable& top_k_table(Isa isa) { return kVariants.of(isa); }

void BestK::offer(float score, RowId id, std::uint32_t position) {
    const Entry entry{{score, id}, position};
    if (heap_.size() == k_) {
        if (!better(entry, heap_.front())) {
            return;
        }
        std::pop_heap(heap_.begin(), heap_.end(), better);
        heap_.back() = entry;
    } else {
        heap_.push_back(entry);
    }
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() == k_) {
        threshold_ = heap_.front().rank.score;
    }
}

std::vector<BestK::Entry> BestK::take() {
    std::sort_heap(heap_.begin(), heap_.end(), better);
    threshold_ = -__builtin_huge_valf();
    return std::exchange(heap_, {});
}

std::vector<std::uint32_t> top_k(std::span<const float> scores, std::span<const RowId> ids,
                                 std::size_t k, Isa isa) {
    require_scalar(k >= 1, "top_k", "k", static_cast<double>(k), "at least 1");
    if (!ids.empty()) {
        require_length("top_k", "ids", ids.size(), scores.size());
    }
    require_each("top_k", "scores", scores, [](float s) { return s == s; }, "an ordered score");
    const TopKTable& table = top_k_table(isa);
    BestK best(k);
    std::array<std::uint32_t, kBlock> chosen{};
    for (std::size_t start = 0; start < scores.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, scores.size() - start);
        const std::size_t found =
            table.at_least(scores.data() + start, count, best.threshold(), chosen.data());
        for (std::size_t i = 0; i < found; ++i) {
            const std::size_t at = start + chosen[i];
            const RowId id = ids.empty() ? static_cast<RowId>(at) : ids[at];
            best.offer(scores[at], id, static_cast<std::uint32_t>(at));
        }
    }
    std::vector<std::uint32_t> positions;
    for (const BestK::Entry& entry : best.take()) {
        positions.push_back(entry.position);
    }
    return positions;
}

}  // namespace scrubjay::kernels
