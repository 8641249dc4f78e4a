"""The decay kernels against their definition: every length, place and instruction set."""

import numpy as np

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed, same_bits, ulps
from tests.reference import decay as reference


def columns(count, seed):
    draw = np.random.default_rng(seed)
    value = draw.uniform(-2, 2, count).astype(np.float32)
    rate = np.exp(draw.uniform(-18, -2, count)).astype(np.float32)
    rate[::7] = 0
    dt = np.exp(draw.uniform(-2, 10, count)).astype(np.float32)
    dt[::5] = 0
    dt[3::11] = np.inf
    return value, rate, dt


def tables(seed, count=256):
    _, rate, dt = columns(count, seed + 1)
    return rate, dt


@each_isa
@each_offset
def test_by_item_equals_its_definition_at_every_length(offset, isa, seed):
    full = columns(MOST, seed)
    expected = reference.by_item(*full)
    for length in LENGTHS:
        part = [placed(column[:length], offset) for column in full]
        got = _kernels.decay_by_item(*part, isa=isa)
        # Half an ulp more than exp: the product with the value rounds once.
        assert np.all(ulps(got, expected[:length]) <= 2.5)


@each_isa
@each_offset
def test_by_category_equals_its_definition_at_every_length(offset, isa, seed):
    value, _, _ = columns(MOST, seed)
    category = np.random.default_rng(seed).integers(0, 256, MOST).astype(np.uint8)
    rate, dt = tables(seed)
    expected = reference.by_category(value, category, rate, dt)
    for length in LENGTHS:
        part = placed(value[:length], offset), placed(category[:length], offset)
        got = _kernels.decay_by_category(*part, rate, dt, isa=isa)
        assert np.all(ulps(got, expected[:length]) <= 2.5)


@each_isa
def test_every_set_and_both_forms_give_the_same_bits(isa, seed):
    value, _, _ = columns(4099, seed)
    category = np.random.default_rng(seed).integers(0, 256, value.size).astype(np.uint8)
    rate, dt = tables(seed)
    expected = _kernels.decay_by_item(value, rate[category], dt[category], isa="scalar")
    assert same_bits(expected, _kernels.decay_by_item(value, rate[category], dt[category], isa=isa))
    assert same_bits(expected, _kernels.decay_by_category(value, category, rate, dt, isa=isa))


@each_isa
def test_in_place_equals_a_fresh_result(isa, seed):
    value, rate, dt = columns(1001, seed)
    expected = _kernels.decay_by_item(value, rate, dt, isa=isa)
    assert _kernels.decay_by_item(value, rate, dt, out=value, isa=isa) is value
    assert same_bits(expected, value)


def test_large_results_are_streamed_with_the_same_bits(seed):
    value, rate, dt = columns((1 << 20) + 77, seed)  # Above kStreamBytes.
    expected = _kernels.decay_by_item(value, rate, dt)
    for isa in _kernels.SUPPORTED_ISAS:
        out = placed(np.zeros_like(value), 3)
        _kernels.decay_by_item(value, rate, dt, out=out, isa=isa)
        assert same_bits(expected, out.copy())


def test_constants_equal_their_definition():
    half_lives = np.array([1, 4 * 3_600_000_000, 48 * 3_600_000_000, 2**63 - 2, 2**63 - 1])
    got = _kernels.decay_constants(half_lives)
    assert np.allclose(reference.constants(half_lives.tolist()), got, rtol=1e-15, atol=0)
    assert got[-1] == 0.0


@each_isa
def test_what_has_faded_beyond_the_bound_is_nothing(isa):
    # No result is subnormal: such numbers would cost more than they tell.
    dt = np.array([80, 80.00001, 87, 104, 1e30], np.float32)
    got = _kernels.decay_by_item(np.ones(5, np.float32), np.ones(5, np.float32), dt, isa=isa)
    assert ulps(got[:1], reference.by_item([1], [1], [80]))[0] <= 2.5
    assert [0.0] * 4 == got[1:].tolist()
