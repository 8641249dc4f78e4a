// The step by the instruction of SSE 4.2, which every CPU with AVX2 has.
#pragma once

#include <nmmintrin.h>

#include "kernels/checksum/body.h"

namespace scrubjay::kernels {
namespace {

struct Sse42Step {
    static std::uint32_t word(std::uint32_t crc, std::uint64_t word) noexcept {
        return static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
    }
    static std::uint32_t byte(std::uint32_t crc, unsigned char byte) noexcept {
        return _mm_crc32_u8(crc, byte);
    }
};

}  // namespace
}  // namespace scrubjay::kernels
