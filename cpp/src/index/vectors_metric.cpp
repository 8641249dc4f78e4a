// Where the metrics differ: how rows and queries are kept, and what distances make of small rows.
#include <algorithm>
#include <array>

#include "scrubjay/index/vectors.h"

namespace scrubjay::index {
namespace {

// Bounds hold for rows of length 1; those of ip may be this much longer.
constexpr float kLongestUnit = 1.002F;

// Relative errors of a bound on a squared distance that do not come from the cosine it is made of:
// unit rows and lengths are floats, each off by less than 2^-23 in all.
constexpr double kLengthSlack = 0x1.0p-20;
constexpr double kCosineSlack = 0x1.0p-21;

// Zeros stay zeros. The division is done in double so that neither huge nor tiny rows lose a digit.
void normalise(std::span<const float> v, float* out) {
    const double length = kernels::length_of(v);
    for (std::size_t i = 0; i < v.size(); ++i) {
        out[i] = length > 0.0 ? static_cast<float>(static_cast<double>(v[i]) / length) : 0.0F;
    }
}

}  // namespace

void Vectors::put_unit(std::span<const float> v, float* out) const noexcept {
    if (metric_ == Metric::ip) {
        std::copy(v.begin(), v.end(), out);
    } else {
        normalise(v, out);
    }
}

void Vectors::set(Slot slot, std::span<const float> v) noexcept {
    put_unit(v, unit_.data());
    if (originals_) {
        const std::span<const float> kept = metric_ == Metric::l2 ? v : unit_;
        std::copy(kept.begin(), kept.end(), f32_.data() + slot * f32_stride_);
    }
    if (storage_ == Storage::f16) {
        residual_[slot] = kernels::encode_f16(unit_, {f16_.data() + slot * stride_, dim_});
    } else if (storage_ == Storage::i8) {
        const kernels::Coded coded = kernels::encode_i8(unit_, {i8_.data() + slot * stride_, dim_});
        scale_[slot] = coded.scale;
        residual_[slot] = coded.residual;
    }
    if (measured()) {
        const double length = kernels::length_of(v);
        length_[slot] = static_cast<float>(length);
        square_[slot] = static_cast<float>(length * length * decoded_square(slot));
    }
}

// Squared length of a small row, which its rounding has moved off 1.
double Vectors::decoded_square(Slot slot) const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < dim_; ++i) {
        const float value = storage_ == Storage::f16
                                ? kernels::to_float(f16_[slot * stride_ + i])
                                : scale_[slot] * static_cast<float>(i8_[slot * stride_ + i]);
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return sum;
}

PreparedQuery Vectors::prepare(std::span<const float> query) const {
    PreparedQuery ready;
    ready.absent = false;
    // Padded like the widest row, so that every loop may read whole lines of it.
    const std::size_t widest = stride_of(Storage::i8, dim_);
    ready.unit.grow(widest);
    put_unit(query, ready.unit.data());
    if (metric_ == Metric::l2) {
        ready.given.grow(widest);
        std::copy(query.begin(), query.end(), ready.given.data());
        ready.length = kernels::length_of(query);
    }
    const std::span<const float> unit{ready.unit.data(), dim_};
    if (storage_ == Storage::i8) {
        ready.codes.grow(widest);
        const kernels::CodedQuery coded = kernels::encode_query(unit, {ready.codes.data(), dim_});
        const kernels::EstimateBound bound = kernels::bound_i8(coded, dim_);
        ready.bound.step = coded.step;
        ready.bound.per_residual = bound.per_residual;
        ready.bound.fixed = bound.fixed;
    } else if (storage_ == Storage::f16) {
        const kernels::EstimateBound bound = kernels::bound_f16(kernels::length_of(unit), dim_);
        ready.bound.per_residual = bound.per_residual;
        ready.bound.fixed = bound.fixed;
    }
    if (metric_ == Metric::ip) {
        ready.bound.per_residual *= kLongestUnit;
        ready.bound.fixed *= kLongestUnit;
    }
    return ready;
}

WalkQuery Vectors::walk_query(const PreparedQuery& query) const noexcept {
    const bool as_given = metric_ == Metric::l2 && storage_ == Storage::f32;
    return {as_given ? query.given.data() : query.unit.data(), query.codes.data(), query.bound.step,
            query.length, query.length * query.length};
}

// The float arithmetic of the exact squared distance keeps within (dim / 16 + 8) 2^-24 of it.
float Vectors::most_close(const PreparedQuery& query, float cosine, float length) const noexcept {
    const double rounding = static_cast<double>(dim_ / 16 + 8) * 0x1.0p-23;
    const double q = query.length;
    const auto x = static_cast<double>(length);
    const double c = std::min(1.0, static_cast<double>(cosine) + kCosineSlack);
    const double apart = (q - x) * (q - x) + 2.0 * q * x * (1.0 - c);
    const double least = apart * (1.0 - rounding) - (q + x) * (q + x) * kLengthSlack;
    return closeness(std::max(0.0, least));
}

void Vectors::steer(const WalkQuery& query, const Slot* slots, std::size_t count,
                    float* out) const noexcept {
    for (std::size_t i = 0; measured() && i < count; ++i) {
        const Slot slot = slots[i];
        const double dot =
            query.length * static_cast<double>(length_[slot]) * static_cast<double>(out[i]);
        const double square = query.square + static_cast<double>(square_[slot]) - 2.0 * dot;
        out[i] = -static_cast<float>(std::max(0.0, square));
    }
}

float Vectors::reach(const PreparedQuery& query, Slot slot) const noexcept {
    std::array<float, kernels::kTileRows> bound{};
    if (!measured()) {
        return -1.0F;
    }
    cosines_at(query, &slot, 1, bound.data());
    return bound[0];
}

float Vectors::similarity_of(float steered) const noexcept {
    return metric_ == Metric::l2 ? closeness(-static_cast<double>(steered))
                                 : std::clamp(steered, -1.0F, 1.0F);
}

}  // namespace scrubjay::index
