// Which vectors may enter an index.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "scrubjay/base/error.h"
#include "scrubjay/index/vectors.h"

namespace scrubjay::index {
namespace {

std::string at(const char* arg, std::size_t row, std::size_t column) {
    return std::string(arg) + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
}

void refuse_length(const char* fn, const char* arg, std::size_t row, std::span<const float> v,
                   double least, double most) {
    const double length = kernels::length_of(v);
    if (length < least || length > most) {
        std::ostringstream text;
        text << fn << ": row " << row << " of " << arg << " has a length out of range, got "
             << length << ", expected " << least << " to " << most
             << (least > 0.0 ? "; divide it by its length, or make the index with metric cosine"
                             : "; scale the vectors down");
        throw Error(Errc::unit_out_of_range, text.str());
    }
}

}  // namespace

void refuse_bad_vectors(const char* fn, const char* arg, std::span<const float> vectors,
                        std::size_t rows, std::size_t dim, Metric metric, bool allow_zero,
                        const Poll& poll) {
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
        if (metric == Metric::l2) {
            refuse_length(fn, arg, r, vectors.subspan(r * dim, dim), 0.0, kMostLength);
            continue;
        }
        if (zero && !allow_zero) {
            throw Error(Errc::unit_out_of_range,
                        std::string(fn) + ": row " + std::to_string(r) + " of " + arg +
                            " is the zero vector, got length 0, expected a direction; drop it or, "
                            "for a row, pass allow_zero=True");
        }
        if (metric == Metric::ip && !zero) {
            refuse_length(fn, arg, r, vectors.subspan(r * dim, dim), 1.0 - kUnitTolerance,
                          1.0 + kUnitTolerance);
        }
    }
}

}  // namespace scrubjay::index
