// Validation and dispatch of the family numerics.
#include "scrubjay/kernels/numerics.h"

#include "kernels/checks.h"
#include "kernels/numerics/variants.h"

namespace scrubjay::kernels {
namespace {

constexpr Variants<NumericsTable> kNumerics{&kNumericsScalar, SCRUBJAY_IF_AVX2(kNumericsAvx2),
                                            SCRUBJAY_IF_AVX512(kNumericsAvx512),
                                            SCRUBJAY_IF_NEON(kNumericsNeon)};

template <class Holds>
void run(std::string_view fn, std::span<const float> x, std::span<float> out,
         bool (*inner)(const float*, float*, std::size_t, bool) noexcept, Holds holds,
         std::string_view expected) {
    require_length(fn, "out", out.size(), x.size());
    const bool in_place = overlap(x, std::span<const float>(out));
    if (in_place) {
        require_each(fn, "x", x, holds, expected);
    }
    const bool stream = !in_place && out.size_bytes() >= kStreamBytes;
    if (!inner(x.data(), out.data(), x.size(), stream)) {
        require_each(fn, "x", x, holds, expected);
    }
}

}  // namespace

void exp_f32(std::span<const float> x, std::span<float> out, Isa isa) {
    run(
        "exp_f32", x, out, kNumerics.of(isa).exp, [](float v) { return v == v; },
        "a number, not NaN");
}

void log_f32(std::span<const float> x, std::span<float> out, Isa isa) {
    run(
        "log_f32", x, out, kNumerics.of(isa).log, [](float v) { return v >= 0.0F; },
        "a number >= 0");
}

}  // namespace scrubjay::kernels
