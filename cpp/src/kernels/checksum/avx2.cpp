// The family checksum on AVX2.
#include "kernels/checksum/sse42.h"

namespace scrubjay::kernels {

const ChecksumTable kChecksumAvx2 = {&crc32c_streams<Sse42Step>};

}  // namespace scrubjay::kernels
