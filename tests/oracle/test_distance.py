"""The distance kernels against their definition: every dimension, place and instruction set."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed, same_bits
from tests.reference import distance as reference

ROWS = 7  # One group of four, and a rest of three.


def vectors(seed, dtype=np.float32):
    draw = np.random.default_rng(seed)
    return draw.standard_normal(MOST).astype(dtype), draw.standard_normal(MOST).astype(np.float32)


def codes(seed, rows=ROWS):
    draw = np.random.default_rng(seed)
    return (
        draw.integers(-128, 128, (rows, MOST)).astype(np.int8),
        draw.integers(-(2**15), 2**15, MOST).astype(np.int16),
    )


@each_isa
@each_offset
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_dot_has_the_bits_of_its_definition_in_every_dimension(dtype, offset, isa, seed):
    a, b = vectors(seed, dtype)
    for dim in LENGTHS:
        x, y = placed(a[:dim], offset), placed(b[:dim], offset)
        assert reference.dot(x.astype(np.float32), y) == _kernels.dot(x, y, isa=isa)


@each_isa
@each_offset
def test_integer_dot_is_exact_in_every_dimension(offset, isa, seed):
    (a, *_), b = codes(seed)
    for dim in LENGTHS:
        x, y = placed(a[:dim], offset), placed(b[:dim], offset)
        assert reference.dot_codes(x, y) == _kernels.dot(x, y, isa=isa)


@each_isa
@pytest.mark.parametrize("dim", [2047, 2048, 2049, 65_536, 1_000_003])
def test_integer_dot_of_extremes_does_not_overflow(dim, isa):
    lowest = np.full(dim, -128, np.int8)
    assert dim * 2**22 == _kernels.dot(lowest, np.full(dim, -(2**15), np.int16), isa=isa)
    assert dim * -128 * 32767 == _kernels.dot(lowest, np.full(dim, 32767, np.int16), isa=isa)


@each_isa
@each_offset
def test_cosine_has_the_bits_of_its_definition_in_every_dimension(offset, isa, seed):
    a, b = vectors(seed)
    for dim in LENGTHS:
        x, y = placed(a[:dim], offset), placed(b[:dim], offset)
        assert reference.cosine(x, y) == _kernels.cosine(x, y, isa=isa)


@each_isa
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_rows_equal_their_own_dots_in_every_dimension(dtype, isa, seed):
    draw = np.random.default_rng(seed)
    whole, query = codes(seed)
    if dtype != np.int8:
        whole = draw.standard_normal((ROWS, MOST)).astype(dtype)
        query = draw.standard_normal(MOST).astype(np.float32)
    for dim in LENGTHS:
        rows, part = whole[:, :dim].copy(), query[:dim].copy()
        expected = [_kernels.dot(row, part, isa="scalar") for row in rows]
        assert expected == _kernels.dot_rows(rows, part, isa=isa).tolist()


@each_isa
def test_cosine_rows_equal_their_own_cosines(isa, seed):
    rows = np.random.default_rng(seed).standard_normal((ROWS, MOST)).astype(np.float32)
    rows[3] = 0
    expected = np.array([_kernels.cosine(row, rows[0], isa="scalar") for row in rows], np.float32)
    assert same_bits(expected, _kernels.cosine_rows(rows, rows[0].copy(), isa=isa))


@each_isa
@each_offset
def test_squared_distances_have_the_bits_of_their_definition_in_every_dimension(offset, isa, seed):
    draw = np.random.default_rng(seed)
    whole = draw.standard_normal((ROWS, MOST)).astype(np.float32)
    query = draw.standard_normal(MOST).astype(np.float32)
    for dim in LENGTHS:
        y = placed(query[:dim], offset)
        rows = whole[:, :dim].copy()
        rows[3] = y
        expected = [reference.squared_distance(row, y) for row in rows[2:5]]
        got = _kernels.squared_distance_rows(rows, y, isa=isa)
        assert same_bits(np.array(expected, np.float32), got[2:5])
        assert same_bits(got, _kernels.squared_distance_rows(rows, y, isa="scalar"))
        assert got[3] == 0


@each_isa
@pytest.mark.parametrize("bits", range(0, 2**16, 2**12))
def test_every_finite_half_has_its_exact_value(bits, isa):
    half = np.arange(bits, bits + 2**12, dtype=np.uint16).view(np.float16)
    half = half[np.isfinite(half)]
    one = np.ones(1, np.float32)
    got = _kernels.dot_rows(half[:, None].copy(), one, isa=isa)
    assert np.array_equal(half.astype(np.float32), got)


def test_codes_and_residuals_are_those_of_the_definition(seed):
    a, b = vectors(seed)
    for dim in LENGTHS:
        codes_of_a, scale, left = reference.encode(a[:dim], 127)
        got, got_scale, residual = _kernels.encode_i8(a[:dim].copy())
        assert (codes_of_a, scale) == (got.tolist(), got_scale)
        assert left <= residual <= left * (1 + 2**-20) + 2**-140
        steps, step, _ = reference.encode(b[:dim], reference.amplitude(dim))
        assert (steps, step) == (
            _kernels.encode_query(b[:dim].copy())[0].tolist(),
            _kernels.encode_query(b[:dim].copy())[1],
        )


@pytest.mark.parametrize("dim", [1, 516, 517, 4096, 65_536])
def test_integer_estimates_fit_31_bits_in_every_dimension(dim):
    ones = np.ones(dim, np.float32)
    largest = _kernels.dot(_kernels.encode_i8(ones)[0], _kernels.encode_query(ones)[0])
    assert 127 * reference.amplitude(dim) * dim == largest
    assert largest < 2**31
