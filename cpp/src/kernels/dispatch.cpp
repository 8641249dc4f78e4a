// The CPU probe and the one reading of SCRUBJAY_ISA.
#include "scrubjay/kernels/dispatch.h"

#include <array>
#include <cstdlib>
#include <string>

#include "scrubjay/base/error.h"

namespace scrubjay::kernels {
namespace {

struct Supported {
    std::array<Isa, 4> sets{};
    std::size_t count = 0;

    void add(Isa isa) noexcept { sets[count++] = isa; }
};

Supported probe() noexcept {
    Supported found;
    found.add(Isa::scalar);
#if defined(SCRUBJAY_HAVE_AVX2)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("f16c");
    if (avx2) {
        found.add(Isa::avx2);
    }
#endif
#if defined(SCRUBJAY_HAVE_AVX512)
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
    if (avx512) {
        found.add(Isa::avx512);
    }
#endif
#if defined(SCRUBJAY_HAVE_NEON)
    found.add(Isa::neon);
#endif
    return found;
}

const Supported& supported() noexcept {
    static const Supported found = probe();
    return found;
}

std::string supported_names() {
    std::string names;
    for (const Isa isa : supported_isas()) {
        names += names.empty() ? "" : ", ";
        names += isa_name(isa);
    }
    return names;
}

Isa choose() {
    // The one environment variable of the core; read here and nowhere else.
    const char* const wanted = std::getenv("SCRUBJAY_ISA");
    if (wanted == nullptr || *wanted == '\0') {
        return supported_isas().back();
    }
    return parse_isa(wanted);
}

}  // namespace

std::string_view isa_name(Isa isa) noexcept {
    switch (isa) {
        case Isa::avx2:
            return "avx2";
        case Isa::avx512:
            return "avx512";
        case Isa::neon:
            return "neon";
        case Isa::scalar:
            break;
    }
    return "scalar";
}

Isa parse_isa(std::string_view name) {
    for (const Isa isa : supported_isas()) {
        if (name == isa_name(isa)) {
            return isa;
        }
    }
    throw Error(Errc::invalid_argument,
                "SCRUBJAY_ISA: not an instruction set of this machine and build, got '" +
                    std::string(name) + "', expected one of " + supported_names() +
                    "; unset it to let the CPU probe choose");
}

std::span<const Isa> supported_isas() noexcept {
    return {supported().sets.data(), supported().count};
}

Isa active_isa() {
    // A throwing initialiser runs again at the next call, so the refusal repeats.
    static const Isa chosen = choose();
    return chosen;
}

}  // namespace scrubjay::kernels
