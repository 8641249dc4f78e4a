// Arrays of rows, and choosing the loop for storage and metric.
#include "scrubjay/index/vectors.h"

#include <algorithm>
#include <array>
#include <functional>

namespace scrubjay::index {
namespace {

using kernels::kTileRows;

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kLanes = 16;

// Bytes from which on an array is worth a publish of its own.
constexpr std::size_t kLargeArray = std::size_t{64} << 20U;

template <class T>
std::size_t padded(std::size_t dim) {
    constexpr std::size_t kPerLine = kCacheLine / sizeof(T);
    return (dim + kPerLine - 1) / kPerLine * kPerLine;
}

}  // namespace

std::size_t Vectors::stride_of(Storage storage, std::size_t dim) noexcept {
    switch (storage) {
        case Storage::f16:
            return padded<Half>(dim);
        case Storage::i8:
            return padded<std::int8_t>(dim);
        case Storage::f32:
            break;
    }
    return padded<float>(dim);
}

Vectors::Vectors(std::size_t dim, Storage storage, bool keep_originals, kernels::Isa isa,
                 Metric metric)
    : dim_(dim),
      metric_(metric),
      storage_(storage),
      originals_(keep_originals || storage == Storage::f32),
      stride_(stride_of(storage, dim)),
      f32_stride_(padded<float>(dim)),
      distance_(&kernels::distance_table(isa)),
      tile_(&kernels::tile_table(isa)),
      unit_(dim) {}

std::size_t Vectors::bytes() const noexcept {
    return f32_.bytes() + f16_.bytes() + i8_.bytes() + scale_.bytes() + residual_.bytes() +
           length_.bytes() + square_.bytes();
}

std::size_t Vectors::row_bytes() const noexcept {
    switch (storage_) {
        case Storage::f16:
            return f16_.size() * sizeof(Half);
        case Storage::i8:
            return i8_.size();
        case Storage::f32:
            break;
    }
    return f32_.size() * sizeof(float);
}

std::size_t Vectors::bound_bytes() const noexcept {
    return (scale_.size() + residual_.size() + length_.size()) * sizeof(float);
}

std::size_t Vectors::scanned_row_bytes() const noexcept {
    switch (storage_) {
        case Storage::f16:
            return stride_ * sizeof(Half);
        case Storage::i8:
            return stride_;
        case Storage::f32:
            break;
    }
    return stride_ * sizeof(float);
}

std::uint64_t Vectors::read_sum() const noexcept {
    const void* data = f32_.data();
    if (storage_ == Storage::f16) {
        data = f16_.data();
    } else if (storage_ == Storage::i8) {
        data = i8_.data();
    }
    return distance_->read_sum(data, row_bytes());
}

// Calls each(array, elements per slot) for the arrays that this storage uses.
template <class Each>
void Vectors::each_array(Each each) {
    if (originals_) {
        each(f32_, f32_stride_);
    }
    if (storage_ == Storage::f16) {
        each(f16_, stride_);
    } else if (storage_ == Storage::i8) {
        each(i8_, stride_);
        each(scale_, std::size_t{1});
    }
    if (storage_ != Storage::f32) {
        each(residual_, std::size_t{1});
    }
    if (measured()) {
        each(length_, std::size_t{1});
        each(square_, std::size_t{1});
    }
}

void Vectors::grow(std::size_t slots) {
    each_array([slots](auto& array, std::size_t stride) { array.grow(slots * stride); });
}

void Vectors::stage_room(std::size_t slots, Growth& growth) {
    each_array([&](auto& array, std::size_t stride) {
        growth.room(array, slots * stride);
        if (array.bytes() >= kLargeArray) {
            growth.publish();
        }
    });
}

void Vectors::stage_slots(std::size_t slots, Growth& growth) {
    each_array([&](auto& array, std::size_t stride) { growth.extend(array, slots * stride); });
}

void Vectors::stage_shrink(Growth& growth) {
    each_array([&growth](auto& array, std::size_t /*stride*/) { growth.tighten(array); });
}

std::size_t Vectors::slot_bytes() const noexcept {
    const std::size_t bounds = storage_ == Storage::i8    ? 2 * sizeof(float)
                               : storage_ == Storage::f16 ? sizeof(float)
                                                          : 0;
    const std::size_t original = originals_ ? f32_stride_ * sizeof(float) : 0;
    const std::size_t lengths = measured() ? 2 * sizeof(float) : 0;
    return original + bounds + lengths + (storage_ == Storage::f32 ? 0 : scanned_row_bytes());
}

// Arrays alone: what the form is, readers look up outside the gate as well.
void Vectors::swap_rows(Vectors& other) noexcept {
    std::swap(f32_, other.f32_);
    std::swap(f16_, other.f16_);
    std::swap(i8_, other.i8_);
    std::swap(scale_, other.scale_);
    std::swap(residual_, other.residual_);
    std::swap(length_, other.length_);
    std::swap(square_, other.square_);
}

void Vectors::copy_row(Slot slot, const Vectors& from, Slot row) noexcept {
    const auto copy = [slot, row](auto& to, const auto& source, std::size_t stride) {
        if (source.size() != 0) {
            std::copy_n(source.data() + row * stride, stride, to.data() + slot * stride);
        }
    };
    copy(f32_, from.f32_, f32_stride_);
    copy(f16_, from.f16_, stride_);
    copy(i8_, from.i8_, stride_);
    copy(scale_, from.scale_, 1);
    copy(residual_, from.residual_, 1);
    copy(length_, from.length_, 1);
    copy(square_, from.square_, 1);
}

void Vectors::clear(Slot slot) noexcept {
    each_array([slot](auto& array, std::size_t stride) {
        std::fill_n(array.data() + slot * stride, stride, std::decay_t<decltype(array[0])>{});
    });
}

void Vectors::read(Slot slot, std::span<float> out) const noexcept {
    for (std::size_t i = 0; i < dim_; ++i) {
        if (originals_) {
            out[i] = f32_[slot * f32_stride_ + i];
        } else if (storage_ == Storage::f16) {
            out[i] = kernels::to_float(f16_[slot * stride_ + i]);
        } else {
            out[i] = scale_[slot] * static_cast<float>(i8_[slot * stride_ + i]);
        }
    }
}

void Vectors::refine(const PreparedQuery& query, const float* scale, const float* residual,
                     const std::int32_t* dots, std::size_t count, float* out) const noexcept {
    kernels::BoundColumns rows = query.bound;
    rows.scale = scale;
    rows.residual = residual;
    if (storage_ == Storage::i8) {
        (originals_ ? tile_->bound_i8 : tile_->estimate_i8)(rows, dots, count, out);
    } else if (storage_ == Storage::f16 && originals_) {
        tile_->bound_f16(rows, count, out);
    }
}

void Vectors::cosines(const PreparedQuery& query, Slot first, std::size_t count,
                      float* out) const noexcept {
    if (query.absent) {
        std::fill_n(out, (count + kLanes - 1) / kLanes * kLanes, 0.0F);
        return;
    }
    std::array<std::int32_t, kTileRows> dots;
    const std::size_t row = first * stride_;
    switch (storage_) {
        case Storage::f32:
            if (metric_ == Metric::l2) {
                distance_->scan_square_f32(query.given.data(), f32_.data() + row, stride_, stride_,
                                           count, out);
                std::transform(out, out + count, out, closeness);
                return;
            }
            distance_->scan_f32(query.unit.data(), f32_.data() + row, stride_, stride_, count, out);
            return;
        case Storage::f16:
            distance_->scan_f16(query.unit.data(), f16_.data() + row, stride_, stride_, count, out);
            break;
        case Storage::i8:
            distance_->scan_i8(query.codes.data(), i8_.data() + row, stride_, stride_, count,
                               dots.data());
            break;
    }
    refine(query, scale_.data() + first, residual_.data() + first, dots.data(), count, out);
    for (std::size_t i = 0; measured() && i < count; ++i) {
        out[i] = most_close(query, out[i], length_[first + i]);
    }
}

void Vectors::cosines_at(const PreparedQuery& query, const Slot* slots, std::size_t count,
                         float* out) const noexcept {
    if (query.absent) {
        std::fill_n(out, (count + kLanes - 1) / kLanes * kLanes, 0.0F);
        return;
    }
    std::array<std::int32_t, kTileRows> dots{};
    switch (storage_) {
        case Storage::f32:
            exact_at(query, slots, count, out);
            return;
        case Storage::f16:
            distance_->at_f16(query.unit.data(), f16_.data(), stride_, stride_, slots, count, out);
            break;
        case Storage::i8:
            distance_->at_i8(query.codes.data(), i8_.data(), stride_, stride_, slots, count,
                             dots.data());
            break;
    }
    std::array<float, kTileRows> scale{};
    std::array<float, kTileRows> residual{};
    for (std::size_t i = 0; i < count; ++i) {
        scale[i] = storage_ == Storage::i8 ? scale_[slots[i]] : 0.0F;
        residual[i] = residual_[slots[i]];
    }
    refine(query, scale.data(), residual.data(), dots.data(), count, out);
    for (std::size_t i = 0; measured() && i < count; ++i) {
        out[i] = most_close(query, out[i], length_[slots[i]]);
    }
}

WalkQuery Vectors::row_query(Slot slot, RowQuery& room) const {
    const double length = measured() ? static_cast<double>(length_[slot]) : 1.0;
    const double square = measured() ? static_cast<double>(square_[slot]) : 1.0;
    switch (storage_) {
        case Storage::f32:
            return {f32_.data() + slot * f32_stride_, nullptr};
        case Storage::f16:
            room.unit.grow(stride_);
            std::transform(f16_.data() + slot * stride_, f16_.data() + (slot + 1) * stride_,
                           room.unit.data(), kernels::to_float);
            return {room.unit.data(), nullptr, 0.0F, length, square};
        case Storage::i8:
            break;
    }
    room.codes.grow(stride_);
    std::copy_n(i8_.data() + slot * stride_, stride_, room.codes.data());
    return {nullptr, room.codes.data(), scale_[slot], length, square};
}

int Vectors::compare_rows(Slot a, Slot b) const noexcept {
    int order = 0;
    const auto compare = [&order, a, b](const auto& array, std::size_t stride) {
        if (order == 0 && array.size() != 0) {
            order = std::memcmp(array.data() + a * stride, array.data() + b * stride,
                                stride * sizeof(array[0]));
        }
    };
    if (storage_ == Storage::f32) {
        compare(f32_, f32_stride_);
    }
    compare(f16_, stride_);
    compare(i8_, stride_);
    compare(scale_, 1);
    compare(length_, 1);
    compare(square_, 1);
    return order;
}

void Vectors::similarities(const WalkQuery& query, const Slot* slots, std::size_t count,
                           float* out) const noexcept {
    if (storage_ == Storage::f32 && metric_ == Metric::l2) {
        distance_->at_square_f32(query.unit, f32_.data(), stride_, stride_, slots, count, out);
        std::transform(out, out + count, out, std::negate<float>());
        return;
    }
    if (storage_ == Storage::f32) {
        distance_->at_f32(query.unit, f32_.data(), stride_, stride_, slots, count, out);
        return;
    }
    if (storage_ == Storage::f16) {
        distance_->at_f16(query.unit, f16_.data(), stride_, stride_, slots, count, out);
        steer(query, slots, count, out);
        return;
    }
    std::array<std::int32_t, kTileRows> dots;
    for (std::size_t first = 0; first < count; first += kTileRows) {
        const std::size_t length = std::min(kTileRows, count - first);
        distance_->at_i8(query.codes, i8_.data(), stride_, stride_, slots + first, length,
                         dots.data());
        for (std::size_t i = 0; i < length; ++i) {
            const float scale = scale_[slots[first + i]] * query.step;
            out[first + i] = static_cast<float>(dots[i]) * scale;
        }
    }
    steer(query, slots, count, out);
}

void Vectors::fetch_row(Slot slot) const noexcept {
    const char* row = nullptr;
    std::size_t bytes = 0;
    if (storage_ == Storage::i8) {
        row = reinterpret_cast<const char*>(i8_.data() + slot * stride_);
        bytes = stride_;
        __builtin_prefetch(scale_.data() + slot);
    } else if (storage_ == Storage::f16) {
        row = reinterpret_cast<const char*>(f16_.data() + slot * stride_);
        bytes = stride_ * sizeof(Half);
    } else {
        row = reinterpret_cast<const char*>(f32_.data() + slot * stride_);
        bytes = stride_ * sizeof(float);
    }
    constexpr std::size_t kMostLines = 4;
    for (std::size_t line = 0; line < kMostLines && line * kCacheLine < bytes; ++line) {
        __builtin_prefetch(row + line * kCacheLine);
    }
}

void Vectors::exact_at(const PreparedQuery& query, const Slot* slots, std::size_t count,
                       float* out) const noexcept {
    if (metric_ == Metric::l2) {
        distance_->at_square_f32(query.given.data(), f32_.data(), f32_stride_, f32_stride_, slots,
                                 count, out);
        std::transform(out, out + count, out, closeness);
        return;
    }
    if (originals_) {
        distance_->at_f32(query.unit.data(), f32_.data(), f32_stride_, f32_stride_, slots, count,
                          out);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = exact(query, slots[i]);
    }
}

void Vectors::fetch_bounds(std::size_t first) const noexcept {
    for (std::size_t i = 0; i < kTileRows; i += kCacheLine / sizeof(float)) {
        if (storage_ != Storage::f32) {
            __builtin_prefetch(residual_.data() + first + i);
        }
        if (storage_ == Storage::i8) {
            __builtin_prefetch(scale_.data() + first + i);
        }
    }
}

float Vectors::exact(const PreparedQuery& query, Slot slot) const noexcept {
    if (query.absent) {
        return 0.0F;
    }
    if (metric_ == Metric::l2) {
        return closeness(distance_->square_f32(f32_.data() + slot * f32_stride_, query.given.data(),
                                               f32_stride_));
    }
    if (originals_) {
        return distance_->dot_f32(f32_.data() + slot * f32_stride_, query.unit.data(), f32_stride_);
    }
    std::array<float, kTileRows> out{};
    cosines_at(query, &slot, 1, out.data());
    return out[0];
}

}  // namespace scrubjay::index
