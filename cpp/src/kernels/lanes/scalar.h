// Sixteen lanes in plain C++: the definition of what the other lane headers compute.
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
    template <class R, class Op>
    SCRUBJAY_LANE static R each(Op op) {
        R result;
        for (int k = 0; k < 16; ++k) {
            result.v[k] = op(k);
        }
        return result;
    }

    struct F {
        float v[16];

        SCRUBJAY_LANE F operator+(const F& b) const {
            return each<F>([&](int k) { return v[k] + b.v[k]; });
        }
        SCRUBJAY_LANE F operator-(const F& b) const {
            return each<F>([&](int k) { return v[k] - b.v[k]; });
        }
        SCRUBJAY_LANE F operator*(const F& b) const {
            return each<F>([&](int k) { return v[k] * b.v[k]; });
        }
        SCRUBJAY_LANE F operator/(const F& b) const {
            return each<F>([&](int k) { return v[k] / b.v[k]; });
        }
    };
    struct I {
        std::int32_t v[16];

        SCRUBJAY_LANE I operator+(const I& b) const {
            return each<I>([&](int k) { return wrap(bits_of(v[k]) + bits_of(b.v[k])); });
        }
        SCRUBJAY_LANE I operator-(const I& b) const {
            return each<I>([&](int k) { return wrap(bits_of(v[k]) - bits_of(b.v[k])); });
        }
        SCRUBJAY_LANE I operator&(const I& b) const {
            return each<I>([&](int k) { return v[k] & b.v[k]; });
        }
        SCRUBJAY_LANE I operator|(const I& b) const {
            return each<I>([&](int k) { return v[k] | b.v[k]; });
        }
    };
    struct M {
        std::int32_t v[16];  // All ones or all zeros.

        SCRUBJAY_LANE M operator&(const M& b) const {
            return each<M>([&](int k) { return v[k] & b.v[k]; });
        }
        SCRUBJAY_LANE M operator|(const M& b) const {
            return each<M>([&](int k) { return v[k] | b.v[k]; });
        }
    };

    SCRUBJAY_LANE static std::uint32_t bits_of(std::int32_t x) {
        return static_cast<std::uint32_t>(x);
    }
    SCRUBJAY_LANE static std::int32_t wrap(std::uint32_t x) { return static_cast<std::int32_t>(x); }

    SCRUBJAY_LANE static F load(const float* p) {
        return each<F>([&](int k) { return p[k]; });
    }
    SCRUBJAY_LANE static void store(float* p, const F& a) { __builtin_memcpy(p, a.v, sizeof a.v); }
    SCRUBJAY_LANE static void stream(float* p, const F& a) { store(p, a); }
    SCRUBJAY_LANE static void fence() {}
    SCRUBJAY_LANE static F splat(float x) {
        return each<F>([&](int) { return x; });
    }
    SCRUBJAY_LANE static I splat_int(std::int32_t x) {
        return each<I>([&](int) { return x; });
    }
    SCRUBJAY_LANE static F lookup(const float* table, const std::uint8_t* index) {
        return each<F>([&](int k) { return table[index[k]]; });
    }
    SCRUBJAY_LANE static F widen(const std::uint16_t* halves) {
        return each<F>([&](int k) { return widen_one(halves[k]); });
    }

    SCRUBJAY_LANE static M lt(const F& a, const F& b) {
        return each<M>([&](int k) { return -static_cast<std::int32_t>(a.v[k] < b.v[k]); });
    }
    SCRUBJAY_LANE static M le(const F& a, const F& b) {
        return each<M>([&](int k) { return -static_cast<std::int32_t>(a.v[k] <= b.v[k]); });
    }
    SCRUBJAY_LANE static M eq(const F& a, const F& b) {
        return each<M>([&](int k) { return -static_cast<std::int32_t>(a.v[k] == b.v[k]); });
    }
    SCRUBJAY_LANE static bool all(const M& m) {
        std::int32_t together = -1;
        for (int k = 0; k < 16; ++k) {
            together &= m.v[k];
        }
        return together != 0;
    }
    SCRUBJAY_LANE static F choose(const M& m, const F& yes, const F& no) {
        return as_float(each<I>(
            [&](int k) { return (as_int(yes).v[k] & m.v[k]) | (as_int(no).v[k] & ~m.v[k]); }));
    }

    SCRUBJAY_LANE static F at_least(const F& a, const F& floor) {
        return each<F>([&](int k) { return floor.v[k] > a.v[k] ? floor.v[k] : a.v[k]; });
    }
    SCRUBJAY_LANE static F zero_where(const M& m, const F& a) {
        return as_float(each<I>([&](int k) { return as_int(a).v[k] & ~m.v[k]; }));
    }

    SCRUBJAY_LANE static I as_int(const F& a) {
        I result;
        __builtin_memcpy(result.v, a.v, sizeof a.v);
        return result;
    }
    SCRUBJAY_LANE static F as_float(const I& a) {
        F result;
        __builtin_memcpy(result.v, a.v, sizeof a.v);
        return result;
    }
    SCRUBJAY_LANE static F to_float(const I& a) {
        return each<F>([&](int k) { return static_cast<float>(a.v[k]); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_left(const I& a) {
        return each<I>([&](int k) { return wrap(bits_of(a.v[k]) << Bits); });
    }
    template <int Bits>
    SCRUBJAY_LANE static I shift_right(const I& a) {  // Keeps the sign.
        return each<I>([&](int k) { return a.v[k] >> Bits; });
    }

    SCRUBJAY_LANE static float sum(const F& a) {
        F s = a;
        for (int distance = 8; distance > 0; distance /= 2) {
            for (int k = 0; k < distance; ++k) {
                s.v[k] = s.v[k] + s.v[k + distance];
            }
        }
        return s.v[0];
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
