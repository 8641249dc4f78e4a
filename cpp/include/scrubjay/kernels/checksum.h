// Checksum: the cyclic redundancy check CRC-32C of a run of bytes.
//
// The bytes are a polynomial over GF(2), lowest bit first; what remains when P divides it:
//
//     crc = ~(((~seed * x^(8n)) ^ (bytes * x^32)) mod P)      P = 0x1EDC6F41 (Castagnoli)
//
// It finds every burst of up to 32 damaged bits and every change of up to 5 bits in 655 bytes, and
// misses other damage once in 2^32. It proves nothing against someone who wants to deceive: whoever
// can change the bytes can change the checksum.
//
// Three streams of 4 KiB run side by side, because the instruction takes three cycles and a new one
// can start in each; a table shifts the first two past the bytes of the others.
//
// Shapes   bytes (n,).
// Types    bytes; uint32 seed and result.
// Units    none.
// REQUIRES nothing.
// ENSURES  crc32c(a ++ b) = crc32c(b, crc32c(a)); 0 for no bytes and seed 0; same bits on every ISA.
// Throws   nothing.
// Cost     O(n), no allocation: an eighth of a cycle per byte with the CPU's own instruction (SSE 4.2,
//          ARMv8 CRC), about one by tables. Thread-safe.
// Source   Castagnoli, Brauer and Herrmann, Optimization of cyclic redundancy-check codes with 24 and
//          32 parity bits, IEEE Trans. Communications 41, 1993; check values of RFC 3720, B.4.
// Spec     tests/reference/checksum.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scrubjay/kernels/dispatch.h"

namespace scrubjay::kernels {

[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed = 0,
                                   Isa isa = active_isa());

}  // namespace scrubjay::kernels
