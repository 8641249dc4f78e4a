// The family checksum on aarch64, whose CRC instructions version 8.0 leaves optional: where the CPU
// lacks them, the tables do the work.
#include <arm_acle.h>

#if defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "kernels/checksum/body.h"

namespace scrubjay::kernels {
namespace {

struct ArmStep {
    static std::uint32_t word(std::uint32_t crc, std::uint64_t word) noexcept {
        return __crc32cd(crc, word);
    }
    static std::uint32_t byte(std::uint32_t crc, unsigned char byte) noexcept {
        return __crc32cb(crc, byte);
    }
};

bool has_instruction() noexcept {
#if defined(__linux__)
    static const bool found = (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
    return found;
#else
    return true;
#endif
}

std::uint32_t by_instruction(std::uint32_t crc, const unsigned char* bytes,
                             std::size_t n) noexcept {
    return has_instruction() ? crc32c_streams<ArmStep>(crc, bytes, n)
                             : kChecksumScalar.crc32c(crc, bytes, n);
}

}  // namespace

const ChecksumTable kChecksumNeon = {&by_instruction};

}  // namespace scrubjay::kernels
