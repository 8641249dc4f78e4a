// A growing array whose data starts on a cache line and, when large, on huge pages.
//
// Rows of vectors are read front to back at the speed of memory; 4 KiB pages would cost a page walk
// every sixteen rows. Growth is geometric (by half) and copies; fresh elements are zero. Spare memory
// is not touched before it is used, so reserving much costs little until rows arrive.
//
// REQUIRES trivially copyable T.
// ENSURES  data() is a multiple of 64, of 2 MiB once the array is that large; addresses change only
//          in reserve and grow.
// Thread-safety: as std::vector. Cost: grow is amortised O(1) per element.
#pragma once

#include <cstddef>
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
        std::unique_ptr<T, Free> fresh(allocate(wanted));
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

  private:
    // What std::aligned_alloc gives, std::free takes.
    struct Free {
        void operator()(T* pointer) const noexcept { std::free(pointer); }
    };

    // Bytes: the unit memory moves in, and the larger page of x86-64 and aarch64.
    static constexpr std::size_t kCacheLine = 64;
    static constexpr std::size_t kHugePage = std::size_t{2} << 20U;

    // Whole lines or whole huge pages, as aligned_alloc demands. Throws std::bad_alloc.
    static T* allocate(std::size_t count) {
        const std::size_t wanted = count * sizeof(T);
        const std::size_t page = wanted >= kHugePage ? kHugePage : kCacheLine;
        const std::size_t rounded = (wanted + page - 1) / page * page;
        void* const memory = std::aligned_alloc(page, rounded);
        if (memory == nullptr) {
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

    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace scrubjay::index
