// The expiry kernel. Integers are exact however a compiler vectorises them, so one plain loop,
// compiled with each set's flags, is enough. The unused parameter gives each set its own symbol.
#pragma once

#include "kernels/expiry/variants.h"

namespace scrubjay::kernels {

template <class Set>
bool expired_sweep(const std::int64_t* created_us, const std::int64_t* ttl_us, std::int64_t now_us,
                   bool* out, std::size_t n) noexcept {
    const auto now = static_cast<std::uint64_t>(now_us);
    std::int64_t signs = 0;
    for (std::size_t i = 0; i < n; ++i) {
        // The unsigned difference of two ordered int64 is exact even where the signed overflows.
        const std::uint64_t since = now - static_cast<std::uint64_t>(created_us[i]);
        const std::uint64_t age = created_us[i] < now_us ? since : 0;
        out[i] = age >= static_cast<std::uint64_t>(ttl_us[i]);
        signs |= ttl_us[i];
    }
    return signs >= 0;
}

template <class Set>
constexpr ExpiryTable expiry_table() {
    return {&expired_sweep<Set>};
}

}  // namespace scrubjay::kernels
