// What each instruction set supplies for the family expiry; returns whether every ttl was >= 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scrubjay::kernels {

struct ExpiryTable {
    bool (*expired)(const std::int64_t* created_us, const std::int64_t* ttl_us, std::int64_t now_us,
                    bool* out, std::size_t n) noexcept;
};

extern const ExpiryTable kExpiryScalar;
extern const ExpiryTable kExpiryAvx2;
extern const ExpiryTable kExpiryAvx512;
extern const ExpiryTable kExpiryNeon;

}  // namespace scrubjay::kernels
