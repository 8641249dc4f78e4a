// Dispatch of the family checksum.
#include "scrubjay/kernels/checksum.h"

#include "kernels/checksum/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<ChecksumTable> kChecksum{&kChecksumScalar, SCRUBJAY_IF_AVX2(kChecksumAvx2),
                                            SCRUBJAY_IF_AVX512(kChecksumAvx512),
                                            SCRUBJAY_IF_NEON(kChecksumNeon)};

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed, Isa isa) {
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    return ~kChecksum.of(isa).crc32c(~seed, data, bytes.size());
}

}  // namespace scrubjay::kernels
