"""exp and log against double precision: every length, place, instruction set and exponent."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed, same_bits, ulps
from tests.reference import numerics as reference

KERNELS = {"exp": _kernels.exp_f32, "log": _kernels.log_f32}
DEFINITIONS = {"exp": reference.exp, "log": reference.log}

each_function = pytest.mark.parametrize("name", KERNELS)


def arguments(name, count, seed):
    draw = np.random.default_rng(seed)
    if name == "exp":
        return draw.uniform(-105, 88.7, count).astype(np.float32)
    return np.exp(draw.uniform(-103, 88, count)).astype(np.float32)


@each_isa
@each_offset
@each_function
def test_every_length_is_within_two_ulp(name, offset, isa, seed):
    x = arguments(name, MOST, seed)
    expected = DEFINITIONS[name](x.tolist())
    for length in LENGTHS:
        got = KERNELS[name](placed(x[:length], offset), isa=isa)
        assert (length,) == got.shape
        assert np.all(ulps(got, expected[:length]) <= 2)


@each_function
def test_all_sets_give_the_same_bits_at_every_place(name, seed):
    x = arguments(name, 4099, seed)
    expected = KERNELS[name](x, isa="scalar")
    for isa in _kernels.SUPPORTED_ISAS:
        for offset in (0, 3):
            assert same_bits(expected, KERNELS[name](placed(x, offset), isa=isa))


def every_exponent(step):
    """Each sign and exponent, its mantissas ``step`` apart: the whole range of float32."""
    bits = np.arange(0, 2**32, step, dtype=np.uint64).astype(np.uint32)
    x = bits.view(np.float32)
    return x[~np.isnan(x)]


@pytest.mark.slow
def test_exp_over_the_whole_range():
    x = every_exponent(1021)
    got = _kernels.exp_f32(x)
    with np.errstate(over="ignore", under="ignore"):
        truth = np.exp(x.astype(np.float64))
    # Round to nearest leaves the largest float32 half a step above itself.
    overflows = truth >= float(np.finfo(np.float32).max) * (1 + 2.0**-25)
    assert same_bits(overflows, np.isinf(got))
    worst = ulps(got[~overflows], truth[~overflows]).max()
    assert 0.5 <= worst <= 1.1


@pytest.mark.slow
def test_log_over_the_whole_range():
    x = every_exponent(1021)
    x = x[(x > 0) & np.isfinite(x)]
    worst = ulps(_kernels.log_f32(x), np.log(x.astype(np.float64))).max()
    assert 0.5 <= worst <= 1.1


@each_isa
def test_exp_at_its_corners(isa):
    x = np.array([0.0, -0.0, -np.inf, np.inf, -104, 89, 88.72283, 88.72284], np.float32)
    got = _kernels.exp_f32(x, isa=isa)
    assert [1.0, 1.0, 0.0, np.inf, 0.0, np.inf] == got[:6].tolist()
    assert np.isfinite(got[6])
    assert np.isinf(got[7])


@each_isa
def test_exp_rounds_subnormal_results_once(isa):
    x = np.linspace(-103.9, -87.4, 5001).astype(np.float32)
    got = _kernels.exp_f32(x, isa=isa)
    assert np.all(got < np.finfo(np.float32).tiny)
    assert np.all(ulps(got, reference.exp(x.tolist())) <= 1.1)


@each_isa
def test_log_at_its_corners(isa):
    x = np.array([1.0, 0.0, -0.0, np.inf, 1.4e-45], np.float32)
    got = _kernels.log_f32(x, isa=isa)
    assert [0.0, -np.inf, -np.inf, np.inf] == got[:4].tolist()
    assert ulps(got[4:], reference.log(x[4:].tolist()))[0] <= 1.1


@each_function
def test_large_results_are_streamed_with_the_same_bits(name, seed):
    x = arguments(name, (1 << 20) + 77, seed)  # Above kStreamBytes.
    out = placed(np.empty_like(x), 5)
    assert KERNELS[name](x, out=out) is out
    assert same_bits(KERNELS[name](x[:1000]), out[:1000].copy())
    assert same_bits(KERNELS[name](x[-1000:].copy()), out[-1000:].copy())
