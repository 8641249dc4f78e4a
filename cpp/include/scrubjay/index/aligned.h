// A growing array whose data starts on a cache line and, when large, on huge pages.
//
// Rows of vectors are read front to back at the speed of memory; 4 KiB pages would cost a page walk
// every sixteen rows. Growth is geometric (by half) and copies; fresh elements are zero. Spare memory
// is not touched before it is used, so reserving much costs little until rows arrive.
//
// An array can also borrow its elements from a mapped file. It then lies there until it has to grow,
// and copies itself into memory of its own at that moment; the mapping lives as long as any array
// that lies in it. Elements of a borrowed array are written only once the mapping allows it, see
// index/mapping.h.
//
// REQUIRES trivially copyable T.
// ENSURES  data() is a multiple of 64, of 2 MiB once the array's own memory is that large; addresses
//          change only in reserve, grow, push_back beyond the capacity, and borrow.
// Thread-safety: as std::vector. Cost: grow is amortised O(1) per element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace scrubjay::index {

template <class T>
class AlignedArray {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    [[nodiscard]] T* data() noexcept { return data_.get(); }
    [[nodiscard]] const T* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    // Memory taken, spare capacity included.
    [[nodiscard]] std::size_t bytes() const noexcept { return capacity_ * sizeof(T); }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_.get()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_.get()[i]; }

    // Room for `wanted` elements without growing again; the size stays. Strong guarantee: when memory
    // is short, std::bad_alloc leaves everything as it was.
    void reserve(std::size_t wanted) {
        if (wanted <= capacity_) {
            return;
        }
        std::unique_ptr<T, Release> fresh(allocate(wanted));
        if (size_ > 0) {
            std::memcpy(fresh.get(), data_.get(), size_ * sizeof(T));
        }
        data_ = std::move(fresh);
        capacity_ = wanted;
    }

    // Makes the size `wanted`; new elements are zero. REQUIRES wanted >= size(). Guarantee as above.
    void grow(std::size_t wanted) {
        if (wanted > capacity_) {
            reserve(wanted > capacity_ + capacity_ / 2 ? wanted : capacity_ + capacity_ / 2);
        }
        if (wanted > size_) {
            std::memset(static_cast<void*>(data_.get() + size_), 0, (wanted - size_) * sizeof(T));
        }
        size_ = wanted;
    }

    // A copy in memory of its own, with room for that many elements. REQUIRES room >= size().
    [[nodiscard]] AlignedArray copied(std::size_t room) const {
        AlignedArray copy;
        copy.reserve(room);
        if (size_ > 0) {
            std::memcpy(copy.data_.get(), data_.get(), size_ * sizeof(T));
        }
        copy.size_ = size_;
        return copy;
    }

    // grow() in two steps, for elements that others must not see before they are zero.
    // REQUIRES size() <= wanted <= capacity(), and zero_spare(wanted) before take_spare(wanted).
    void zero_spare(std::size_t wanted) noexcept {
        std::memset(static_cast<void*>(data_.get() + size_), 0, (wanted - size_) * sizeof(T));
    }
    void take_spare(std::size_t wanted) noexcept { size_ = wanted; }

    // Appends one element; cannot fail below the capacity. Guarantee as above.
    void push_back(const T& value) {
        const T kept = value;  // It may lie in this very array.
        grow(size_ + 1);
        data_.get()[size_ - 1] = kept;
    }

    // Drops the elements from `wanted` on; memory stays. REQUIRES wanted <= size().
    void cut(std::size_t wanted) noexcept { size_ = wanted; }

    // Lies from now on at `data`, memory of `lender`, instead of where it lay.
    // REQUIRES data is a multiple of 64 and readable while lender lives.
    void borrow(T* data, std::size_t count, std::shared_ptr<const void> lender) noexcept {
        data_ = std::unique_ptr<T, Release>(data, Release{std::move(lender)});
        size_ = count;
        capacity_ = count;
    }

  private:
    // What posix_memalign gives, std::free takes; borrowed memory goes with its lender.
    struct Release {
        std::shared_ptr<const void> lender;
        void operator()(T* pointer) const noexcept {
            if (lender == nullptr) {
                std::free(pointer);
            }
        }
    };

    // Bytes: the unit memory moves in, and the larger page of x86-64 and aarch64.
    static constexpr std::size_t kCacheLine = 64;
    static constexpr std::size_t kHugePage = std::size_t{2} << 20U;

    // Whole lines; what lies beyond the last whole huge page lies on small ones, so that no array
    // takes a huge page for a few elements. Throws std::bad_alloc.
    static T* allocate(std::size_t count) {
        const std::size_t wanted = count * sizeof(T);
        const std::size_t page = wanted >= kHugePage ? kHugePage : kCacheLine;
        const std::size_t rounded = (wanted + kCacheLine - 1) / kCacheLine * kCacheLine;
        void* memory = nullptr;
        if (count > SIZE_MAX / sizeof(T) || posix_memalign(&memory, page, rounded) != 0) {
            throw std::bad_alloc();
        }
#if defined(__linux__)
        if (page == kHugePage) {
            // Advice only: where huge pages are off, the rows lie on small ones.
            (void)madvise(memory, rounded, MADV_HUGEPAGE);
        }
#endif
        return static_cast<T*>(memory);
    }

    std::unique_ptr<T, Release> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace scrubjay::index
