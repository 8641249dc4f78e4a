// The family checksum on AVX-512.
#include "kernels/checksum/sse42.h"

namespace scrubjay::kernels {

const ChecksumTable kChecksumAvx512 = {&crc32c_streams<Sse42Step>};

}  // namespace scrubjay::kernels
