// The door of the distance family: shapes, finiteness, and which loops run.
#include "scrubjay/kernels/distance.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/checks.h"
#include "kernels/distance/tables.h"
#include "scrubjay/base/error.h"
#include "scrubjay/kernels/quantise.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<DistanceTable> kVariants = {
    &distance::kScalar,
    SCRUBJAY_IF_AVX2(distance::kAvx2),
    SCRUBJAY_IF_AVX512(distance::kAvx512),
    SCRUBJAY_IF_NEON(distance::kNeon),
};

// Below this squared length the f32 sum of squares has lost digits to underflow.
constexpr float kSafeSquare = 0x1.0p-100F;

// A NaN or infinity in either argument always makes the dot non-finite, so finite results need no
// second pass over the input; the culprit is looked for only when there is one.
template <class T>
void refuse_result(const char* fn, const char* row_name, std::span<const T> rows,
                   const char* query_name, std::span<const float> query, float result) {
    if (std::isfinite(result)) {
        return;
    }
    require_finite(fn, row_name, rows);
    require_finite(fn, query_name, query);
    throw Error(Errc::unit_out_of_range,
                std::string(fn) + ": the sum leaves the range of float32, got " + shown(result) +
                    ", expected a finite sum; scale the vectors down");
}

std::size_t row_count(const char* fn, std::size_t values, std::size_t dim, std::size_t out) {
    require_length(fn, "rows", values, dim * out);
    return out;
}

template <class T>
void checked_rows(const char* fn, std::span<const T> rows, std::span<const float> query,
                  std::span<float> out,
                  void (*scan)(const float*, const T*, std::size_t, std::size_t, std::size_t,
                               float*) noexcept) {
    const std::size_t dim = query.size();
    const std::size_t count = row_count(fn, rows.size(), dim, out.size());
    scan(query.data(), rows.data(), dim, dim, count, out.data());
    for (std::size_t r = 0; r < count; ++r) {
        if (!std::isfinite(out[r])) {
            refuse_result(fn, "rows", rows, "query", query, out[r]);
        }
    }
}

// The exact power of two that brings the largest magnitude of v into [1, 2).
std::vector<float> rescaled(std::span<const float> v) {
    float largest = 0.0F;
    for (const float value : v) {
        largest = std::max(largest, std::fabs(value));
    }
    std::vector<float> copy(v.begin(), v.end());
    if (largest > 0.0F) {
        const int exponent = std::ilogb(largest);
        for (float& value : copy) {
            value = std::ldexp(value, -exponent);
        }
    }
    return copy;
}

float quotient(float ab, float aa, float bb) {
    if (aa == 0.0F || bb == 0.0F) {
        return 0.0F;
    }
    return std::clamp(ab / (std::sqrt(aa) * std::sqrt(bb)), -1.0F, 1.0F);
}

bool safe(float square) { return std::isfinite(square) && square >= kSafeSquare; }

// The cosine of finite vectors of any length. Where a square would overflow or underflow, copies
// scaled by exact powers of two stand in; the cosine does not see the scale.
float cosine_of(const DistanceTable& table, std::span<const float> a, std::span<const float> b,
                float ab, float aa, float bb) {
    if (safe(aa) && safe(bb) && std::isfinite(ab)) {
        return quotient(ab, aa, bb);
    }
    const std::vector<float> x = rescaled(a);
    const std::vector<float> y = rescaled(b);
    return quotient(table.dot_f32(x.data(), y.data(), x.size()),
                    table.dot_f32(x.data(), x.data(), x.size()),
                    table.dot_f32(y.data(), y.data(), y.size()));
}

// out[r] = cosine of row r; squares that are not finite lead to the culprit, or to the scaled path.
void cosines(const char* fn, const char* row_name, std::span<const float> rows,
             const char* query_name, std::span<const float> query, std::span<float> out,
             const DistanceTable& table) {
    const std::size_t dim = query.size();
    const float qq = table.dot_f32(query.data(), query.data(), dim);
    if (!std::isfinite(qq)) {
        require_finite(fn, query_name, query);
    }
    table.scan_f32(query.data(), rows.data(), dim, dim, out.size(), out.data());
    for (std::size_t r = 0; r < out.size(); ++r) {
        const std::span<const float> row = rows.subspan(r * dim, dim);
        const float rr = table.dot_f32(row.data(), row.data(), dim);
        if (!std::isfinite(rr)) {
            require_finite(fn, row_name, rows);
        }
        out[r] = cosine_of(table, row, query, out[r], rr, qq);
    }
}

}  // namespace

void require_finite(const char* fn, const char* arg, std::span<const float> values) {
    require_each(fn, arg, values, [](float v) { return v - v == 0.0F; }, "a finite number");
}

void require_finite(const char* fn, const char* arg, std::span<const Half> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(to_float(values[i]))) {
            refuse_element(fn, arg, i, static_cast<double>(to_float(values[i])), "a finite number");
        }
    }
}

const DistanceTable& distance_table(Isa isa) { return kVariants.of(isa); }

float dot(std::span<const float> a, std::span<const float> b, Isa isa) {
    require_length("dot", "b", b.size(), a.size());
    const float result = distance_table(isa).dot_f32(a.data(), b.data(), a.size());
    refuse_result("dot", "a", a, "b", b, result);
    return result;
}

float dot(std::span<const Half> a, std::span<const float> b, Isa isa) {
    require_length("dot", "b", b.size(), a.size());
    const float result = distance_table(isa).dot_f16(a.data(), b.data(), a.size());
    refuse_result("dot", "a", a, "b", b, result);
    return result;
}

std::int64_t dot(std::span<const std::int8_t> a, std::span<const std::int16_t> b, Isa isa) {
    require_length("dot", "b", b.size(), a.size());
    return distance_table(isa).dot_i8(a.data(), b.data(), a.size());
}

float cosine(std::span<const float> a, std::span<const float> b, Isa isa) {
    require_length("cosine", "b", b.size(), a.size());
    float result = 0.0F;
    cosines("cosine", "a", a, "b", b, {&result, 1}, distance_table(isa));
    return result;
}

void dot_rows(std::span<const float> rows, std::span<const float> query, std::span<float> out,
              Isa isa) {
    checked_rows("dot_rows", rows, query, out, distance_table(isa).scan_f32);
}

void dot_rows(std::span<const Half> rows, std::span<const float> query, std::span<float> out,
              Isa isa) {
    checked_rows("dot_rows", rows, query, out, distance_table(isa).scan_f16);
}

void dot_rows(std::span<const std::int8_t> rows, std::span<const std::int16_t> query,
              std::span<std::int64_t> out, Isa isa) {
    const std::size_t dim = query.size();
    const std::size_t count = row_count("dot_rows", rows.size(), dim, out.size());
    const DistanceTable& table = distance_table(isa);
    for (std::size_t r = 0; r < count; ++r) {
        out[r] = table.dot_i8(rows.data() + r * dim, query.data(), dim);
    }
}

void squared_distance_rows(std::span<const float> rows, std::span<const float> query,
                           std::span<float> out, Isa isa) {
    checked_rows("squared_distance_rows", rows, query, out, distance_table(isa).scan_square_f32);
}

void cosine_rows(std::span<const float> rows, std::span<const float> query, std::span<float> out,
                 Isa isa) {
    row_count("cosine_rows", rows.size(), query.size(), out.size());
    cosines("cosine_rows", "rows", rows, "query", query, out, distance_table(isa));
}

}  // namespace scrubjay::kernels
