// The family checksum in plain C++: eight look-ups for eight bytes.
#include "kernels/checksum/body.h"

namespace scrubjay::kernels {
namespace {

struct TableStep {
    static std::uint32_t word(std::uint32_t crc, std::uint64_t word) noexcept {
        const std::uint64_t mixed = word ^ crc;
        std::uint32_t sum = 0;
        for (std::size_t k = 0; k < kWord; ++k) {
            sum ^= kAhead.at[kWord - 1 - k][(mixed >> (8 * k)) & 0xFFU];
        }
        return sum;
    }
    static std::uint32_t byte(std::uint32_t crc, unsigned char byte) noexcept {
        return kAhead.at[0][(crc ^ byte) & 0xFFU] ^ (crc >> 8U);
    }
};

}  // namespace

const ChecksumTable kChecksumScalar = {&crc32c_streams<TableStep>};

}  // namespace scrubjay::kernels
