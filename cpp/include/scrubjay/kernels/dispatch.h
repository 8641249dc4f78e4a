// Which instruction set the kernels run on.
//
// One probe of the CPU decides, once, at the first call of active_isa(); the Python package makes
// that call while it loads. The environment variable
//
//     SCRUBJAY_ISA = scalar | avx2 | avx512 | neon
//
// overrides the choice and is read at that same moment, never again. Asking for a set that this
// CPU or this build does not have is an Error, not a silent fallback. All sets give the same bits,
// so the choice changes speed and nothing else.
//
// Requirements per set: avx2 = AVX2, FMA and F16C; avx512 = avx2 plus AVX-512 F, BW, DQ, VL and
// VNNI; neon = every aarch64 CPU.
//
// Every kernel takes a trailing Isa whose default is active_isa(), so a test can run each variant
// that the machine supports inside one process.
//
// Thread-safety: all functions are safe from any thread.
#pragma once

#include <span>
#include <string_view>

namespace scrubjay::kernels {

enum class Isa { scalar, avx2, avx512, neon };

// The name as SCRUBJAY_ISA spells it.
[[nodiscard]] std::string_view isa_name(Isa isa) noexcept;

// The set of that name. Throws Error(invalid_argument) for an unknown name and for a set that this
// machine cannot run; the message lists what it can.
[[nodiscard]] Isa parse_isa(std::string_view name);

// Every set that this build contains and this CPU runs, slowest first; scalar is always there.
[[nodiscard]] std::span<const Isa> supported_isas() noexcept;

// The set in use. Throws as parse_isa does if SCRUBJAY_ISA asks for the impossible.
[[nodiscard]] Isa active_isa();

// The variants of one family: a table of function pointers per instruction set. A set that the
// build leaves out has a null entry.
template <class Table>
struct Variants {
    const Table* scalar;
    const Table* avx2;
    const Table* avx512;
    const Table* neon;

    // The table for isa. REQUIRES a member of supported_isas().
    [[nodiscard]] const Table& of(Isa isa) const noexcept {
        switch (isa) {
            case Isa::avx2:
                return *avx2;
            case Isa::avx512:
                return *avx512;
            case Isa::neon:
                return *neon;
            case Isa::scalar:
                break;
        }
        return *scalar;
    }
};

}  // namespace scrubjay::kernels

// A family file names its tables through these, so that a build without a set still links.
#if defined(SCRUBJAY_HAVE_AVX2)
#define SCRUBJAY_IF_AVX2(table) (&(table))
#else
#define SCRUBJAY_IF_AVX2(table) nullptr
#endif
#if defined(SCRUBJAY_HAVE_AVX512)
#define SCRUBJAY_IF_AVX512(table) (&(table))
#else
#define SCRUBJAY_IF_AVX512(table) nullptr
#endif
#if defined(SCRUBJAY_HAVE_NEON)
#define SCRUBJAY_IF_NEON(table) (&(table))
#else
#define SCRUBJAY_IF_NEON(table) nullptr
#endif
