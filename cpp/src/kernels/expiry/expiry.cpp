// Validation and dispatch of the family expiry.
#include "scrubjay/kernels/expiry.h"

#include "kernels/checks.h"
#include "kernels/expiry/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<ExpiryTable> kExpiry{&kExpiryScalar, SCRUBJAY_IF_AVX2(kExpiryAvx2),
                                        SCRUBJAY_IF_AVX512(kExpiryAvx512),
                                        SCRUBJAY_IF_NEON(kExpiryNeon)};

}  // namespace

void expired(std::span<const Micros> created_us, std::span<const Micros> ttl_us, Micros now_us,
             std::span<bool> out, Isa isa) {
    constexpr std::string_view fn = "expired";
    require_length(fn, "ttl_us", ttl_us.size(), created_us.size());
    require_length(fn, "out", out.size(), created_us.size());
    if (!kExpiry.of(isa).expired(created_us.data(), ttl_us.data(), now_us, out.data(),
                                 created_us.size())) {
        require_each(fn, "ttl_us", ttl_us, [](Micros us) { return us >= 0; }, "microseconds >= 0");
    }
}

}  // namespace scrubjay::kernels
