// Which vectors may enter an index.
#include <algorithm>
#include <cmath>
#include <string>

#include "scrubjay/base/error.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index {
namespace {

std::string at(const char* arg, std::size_t row, std::size_t column) {
    return std::string(arg) + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
}

}  // namespace

void refuse_bad_vectors(const char* fn, const char* arg, std::span<const float> vectors,
                        std::size_t rows, std::size_t dim, bool allow_zero, const Poll& poll) {
    constexpr std::size_t kValuesPerPoll = std::size_t{1} << 20U;
    const std::size_t rows_per_poll = std::max<std::size_t>(1, kValuesPerPoll / dim);
    if (vectors.size() != rows * dim) {
        throw Error(Errc::shape_mismatch,
                    std::string(fn) + ": " + arg + " has the wrong size, got " +
                        std::to_string(vectors.size()) + " values, expected " +
                        std::to_string(rows) + " rows of " + std::to_string(dim));
    }
    for (std::size_t r = 0; r < rows; ++r) {
        if (r % rows_per_poll == 0) {
            poll();
        }
        bool zero = true;
        for (std::size_t c = 0; c < dim; ++c) {
            const float value = vectors[r * dim + c];
            zero = zero && value == 0.0F;
            if (!std::isfinite(value)) {
                throw Error(Errc::unit_out_of_range,
                            std::string(fn) + ": " + at(arg, r, c) + " is not finite, got " +
                                std::to_string(value) +
                                ", expected a finite number; drop or repair the row");
            }
        }
        if (zero && !allow_zero) {
            throw Error(Errc::unit_out_of_range,
                        std::string(fn) + ": row " + std::to_string(r) + " of " + arg +
                            " is the zero vector, got length 0, expected a direction; drop it or, "
                            "for a row, pass allow_zero=True");
        }
    }
}

}  // namespace scrubjay::index
