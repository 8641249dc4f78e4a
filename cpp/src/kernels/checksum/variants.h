// What each instruction set supplies for the family checksum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

struct ChecksumTable {
    // The register after `n` more bytes; not complemented.
    std::uint32_t (*crc32c)(std::uint32_t crc, const unsigned char* bytes, std::size_t n) noexcept;
};

extern const ChecksumTable kChecksumScalar;
extern const ChecksumTable kChecksumAvx2;
extern const ChecksumTable kChecksumAvx512;
extern const ChecksumTable kChecksumNeon;

}  // namespace scrubjay::kernels
