// Sixteen lanes in portable C++: the definition of what the other lane headers compute.
//
// A kernel body is a template over one of these structs, so the arithmetic is written once and
// every instruction set runs the same operations in the same order; with contraction switched off
// that means the same bits. All lane structs offer the same names:
//
//   F           sixteen floats: + - * / are IEEE 754 single operations, never fused
//   I           sixteen 32-bit integers: + and - wrap
//   M           sixteen truth values: & and |
//   load store  any float-aligned address
//   stream      past the cache where the set can; wants a 64-byte aligned address; fence() orders
//               streamed stores before whatever follows
//   lt le eq    ordered comparisons, false when either side is NaN
//   choose      per lane, the second argument where the mask is true, else the third
//   at_least    the larger of both; the first where either is NaN
//   zero_where  0 where the mask is true, else the argument
//   lookup      table[index[k]] for sixteen 8-bit indices
//   widen       sixteen halves to floats, exact
//   sum         the sixteen lanes added as a fixed tree: distance 8, then 4, 2, 1
//
// Nothing here or in a kernel body may use an inline function of the standard library: its copy,
// compiled with one set's flags, could be the one the linker keeps for all.
#pragma once

#include <cstdint>

#include "kernels/lanes/inline.h"

namespace scrubjay::kernels {

struct ScalarLanes {
    // Four numbers that the compiler may keep in one register of whatever the baseline offers; the
    // operators of such a type are those of its elements.
    using Four = float __attribute__((vector_size(16)));
    using FourInts = std::int32_t __attribute__((vector_size(16)));

    // Lane by lane, for what has no operator.
    template <class R, class Op>
    SCRUBJAY_LANE static R each(Op op) {
        R result;
        for (int k = 0; k < 16; ++k) {
            result.v[k / 4][k % 4] = op(k);
        }
        return result;
    }
    // Four lanes at a time; op takes the number of the group.
    template <class R, class Op>
    SCRUBJAY_LANE static R fours(Op op) {
        return {{op(0), op(1), op(2), op(3)}};
    }

    struct F {
        Four v[4];

        SCRUBJAY_LANE F operator+(const F& b) const {
            return fours<F>([&](int k) { return v[k] + b.v[k]; });
        }
        SCRUBJAY_LANE F operator-(const F& b) const {
            return fours<F>([&](int k) { return v[k] - b.v[k]; });
        }
        SCRUBJAY_LANE F operator*(const F& b) const {
            return fours<F>([&](int k) { return v[k] * b.v[k]; });
        }
        SCRUBJAY_LANE F operator/(const F& b) const {
            return fours<F>([&](int k) { return v[k] / b.v[k]; });
        }
    };
    struct I {
        FourInts v[4];

        SCRUBJAY_LANE I operator+(const I& b) const {
            return fours<I>(
                [&](int k) { return wrapped(unsigned_of(v[k]) + unsigned_of(b.v[k])); });
        }
        SCRUBJAY_LANE I operator-(const I& b) const {
            return fours<I>(
                [&](int k) { return wrapped(unsigned_of(v[k]) - unsigned_of(b.v[k])); });
        }
        SCRUBJAY_LANE I operator&(const I& b) const {
            return fours<I>([&](int k) { return v[k] & b.v[k]; });
        }
        SCRUBJAY_LANE I operator|(const I& b) const {
            return fours<I>([&](int k) { return v[k] | b.v[k]; });
        }
    };
    struct M {
        FourInts v[4];  // All ones or all zeros.

        SCRUBJAY_LANE M operator&(const M& b) const {
            return fours<M>([&](int k) { return v[k] & b.v[k]; });
        }
        SCRUBJAY_LANE M operator|(const M& b) const {
            return fours<M>([&](int k) { return v[k] | b.v[k]; });
        }
    };

    using FourUnsigned = std::uint32_t __attribute__((vector_size(16)));
    SCRUBJAY_LANE static FourUnsigned unsigned_of(const FourInts& x) { return (FourUnsigned)x; }
    SCRUBJAY_LANE static FourInts wrapped(const FourUnsigned& x) { return (FourInts)x; }

    SCRUBJAY_LANE static F load(const float* p) {
        F result;
        __builtin_memcpy(&result, p, sizeof result);
        return result;
    }
    SCRUBJAY_LANE static void store(float* p, const F& a) { __builtin_memcpy(p, &a, sizeof a); }
    SCRUBJAY_LANE static void stream(float* p, const F& a) { store(p, a); }
    SCRUBJAY_LANE static void fence() {}
    SCRUBJAY_LANE static F splat(float x) {
        return fours<F>([&](int) { return Four{x, x, x, x}; });
    }
    SCRUBJAY_LANE static I splat_int(std::int32_t x) {
        return fours<I>([&](int) { return FourInts{x, x, x, x}; });
    }
    SCRUBJAY_LANE static F lookup(const float* table, const std::uint8_t* index) {
        return each<F>([&](int k) { return table[index[k]]; });
    }
    SCRUBJAY_LANE static F widen(const std::uint16_t* halves) {
        return each<F>([&](int k) { return widen_one(halves[k]); });
    }

    SCRUBJAY_LANE static M lt(const F& a, const F& b) {
        return fours<M>([&](int k) { return (FourInts)(a.v[k] < b.v[k]); });
    }
    SCRUBJAY_LANE static M le(const F& a, const F& b) {
        return fours<M>([&](int k) { return (FourInts)(a.v[k] <= b.v[k]); });
    }
    SCRUBJAY_LANE static M eq(const F& a, const F& b) {
        return fours<M>([&](int k) { return (FourInts)(a.v[k] == b.v[k]); });
    }
    SCRUBJAY_LANE static bool all(const M& m) {
        const FourInts together = (m.v[0] & m.v[1]) & (m.v[2] & m.v[3]);
        return (together[0] & together[1] & together[2] & together[3]) != 0;
    }
    SCRUBJAY_LANE static F choose(const M& m, const F& yes, const F& no) {
        return fours<F>([&](int k) {
            return (Four)(((FourInts)yes.v[k] & m.v[k]) | ((FourInts)no.v[k] & ~m.v[k]));
        });
    }
    SCRUBJAY_LANE static F at_least(const F& a, const F& floor) {
        return choose(lt(a, floor), floor, a);
    }
    SCRUBJAY_LANE static F zero_where(const M& m, const F& a) {
        return fours<F>([&](int k) { return (Four)((FourInts)a.v[k] & ~m.v[k]); });
    }

    SCRUBJAY_LANE static I as_int(const F& a) {
        return fours<I>([&](int k) { return (FourInts)a.v[k]; });
    }
    SCRUBJAY_LANE static F as_float(const I& a) {
        return fours<F>([&](int k) { return (Four)a.v[k]; });
    }
    SCRUBJAY_LANE static F to_float(const I& a) {
        return fours<F>([&](int k) { return __builtin_convertvector(a.v[k], Four); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_left(const I& a) {
        return fours<I>([&](int k) { return wrapped(unsigned_of(a.v[k]) << Bits); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_right(const I& a) {  // Keeps the sign.
        return fours<I>([&](int k) { return a.v[k] >> Bits; });
    }

    SCRUBJAY_LANE static float sum(const F& a) {
        const Four four = (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]);
        return (four[0] + four[2]) + (four[1] + four[3]);
    }

    // A subnormal half is rescaled by a multiplication, which is exact; infinities and NaN keep
    // their exponent of all ones.
    SCRUBJAY_LANE static float widen_one(std::uint16_t half) {
        const std::uint32_t sign = (half & 0x8000U) << 16U;
        const std::uint32_t rest = (half & 0x7FFFU) << 13U;
        const std::uint32_t special = (half & 0x7C00U) == 0x7C00U ? 0x70000000U : 0U;
        const std::uint32_t raised = rest | special;
        float value;
        __builtin_memcpy(&value, &raised, sizeof value);
        if (special == 0U) {
            value *= 0x1.0p112F;
        }
        std::uint32_t word;
        __builtin_memcpy(&word, &value, sizeof word);
        word |= sign;
        __builtin_memcpy(&value, &word, sizeof value);
        return value;
    }
};

}  // namespace scrubjay::kernels
