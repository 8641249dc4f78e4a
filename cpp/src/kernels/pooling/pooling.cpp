// Validation and dispatch of the family pooling.
#include "scrubjay/kernels/pooling.h"

#include <cmath>

#include "kernels/checks.h"
#include "kernels/pooling/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<PoolingTable> kPooling{&kPoolingScalar, SCRUBJAY_IF_AVX2(kPoolingAvx2),
                                          SCRUBJAY_IF_AVX512(kPoolingAvx512),
                                          SCRUBJAY_IF_NEON(kPoolingNeon)};

constexpr std::string_view kFn = "pool_rows";

void require_offsets(std::span<const std::int64_t> offsets, std::size_t tokens) {
    require_scalar(!offsets.empty(), kFn, "length of offsets", 0.0,
                   "at least 1, the number of texts plus one");
    std::int64_t previous = 0;
    for (std::size_t m = 0; m < offsets.size(); ++m) {
        const bool first_is_zero = m > 0 || offsets[0] == 0;
        if (!first_is_zero || offsets[m] < previous) {
            refuse_element(kFn, "offsets", m, static_cast<double>(offsets[m]),
                           "0 first, then a non-decreasing sequence");
        }
        previous = offsets[m];
    }
    if (static_cast<std::size_t>(previous) != tokens) {
        refuse_element(kFn, "offsets", offsets.size() - 1, static_cast<double>(previous),
                       "the number of ids, " + std::to_string(tokens));
    }
}

}  // namespace

void pool_rows(std::span<const Half> table, std::size_t dim, std::span<const std::int32_t> ids,
               std::span<const std::int64_t> offsets, std::span<float> sums, std::span<float> norms,
               Isa isa) {
    require_scalar(dim > 0, kFn, "width of table", 0.0, "at least 1 column");
    require_offsets(offsets, ids.size());
    const std::size_t texts = offsets.size() - 1;
    require_length(kFn, "sums", sums.size(), texts * dim);
    require_length(kFn, "norms", norms.size(), texts);
    const std::size_t rows = table.size() / dim;
    require_each(
        kFn, "ids", ids,
        [rows](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < rows; },
        "a row of the table, 0 to " + std::to_string(rows) + " exclusive");

    const PoolingTable& variant = kPooling.of(isa);
    const auto* const words = reinterpret_cast<const std::uint16_t*>(table.data());
    for (std::size_t m = 0; m < texts; ++m) {
        const auto begin = static_cast<std::size_t>(offsets[m]);
        const auto count = static_cast<std::size_t>(offsets[m + 1]) - begin;
        const float squares =
            variant.pool(words, dim, ids.data() + begin, count, sums.data() + m * dim);
        norms[m] = std::sqrt(squares);
        if (!std::isfinite(norms[m])) {
            refuse_element(kFn, "norms", m, static_cast<double>(norms[m]),
                           "a finite number; the table holds an infinite or NaN entry");
        }
    }
}

}  // namespace scrubjay::kernels
