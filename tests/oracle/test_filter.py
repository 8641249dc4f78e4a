"""The filters against their definition; exact, at every place in memory."""

import numpy as np
import pytest

from scrubjay import _kernels
from scrubjay.base.errors import ShapeError, UnitError
from tests.oracle.isas import each_isa, each_offset, placed
from tests.reference import filter as reference

TILES = range(4)
ENDS = [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1]


def check(expected, got):
    """Compare words as integers of any size."""
    assert np.array(expected, np.uint64).tolist() == got.tolist()


@each_isa
@each_offset
def test_codes_equal_their_definition(offset, isa, seed):
    draw = np.random.default_rng(seed)
    for tiles in TILES:
        column = draw.integers(0, 64, 64 * tiles).astype(np.uint8)
        for allowed in (0, 1, 1 << 63, 2**64 - 1, int(draw.integers(2**63))):
            got = _kernels.filter_codes(placed(column, offset), allowed, isa=isa)
            check(reference.codes(column.tolist(), allowed), got)


@each_isa
def test_every_code_is_told_apart_from_every_other(isa):
    column = np.arange(64, dtype=np.uint8)
    for code in range(64):
        assert [1 << code] == _kernels.filter_codes(column, 1 << code, isa=isa).tolist()


@each_isa
@each_offset
def test_bytes_equal_their_definition(offset, isa, seed):
    draw = np.random.default_rng(seed)
    for tiles in TILES:
        column = draw.integers(0, 256, 64 * tiles).astype(np.uint8)
        rows = placed(column, offset)
        for least in (0, 1, 127, 128, 255):
            expected = reference.at_least(column.tolist(), least)
            check(expected, _kernels.filter_at_least(rows, least, isa=isa))
        for mask, value in ((0, 0), (0, 1), (255, 3), (0x81, 0x80), (0x81, 0x01), (6, 6)):
            expected = reference.bits(column.tolist(), mask, value)
            check(expected, _kernels.filter_bits(rows, mask=mask, value=value, isa=isa))


@each_isa
@each_offset
def test_floats_equal_their_definition(offset, isa, seed):
    draw = np.random.default_rng(seed)
    for tiles in TILES:
        column = draw.choice(np.array([0, -0.0, 0.5, 1, np.inf, -np.inf, 1e-45]), 64 * tiles)
        column = column.astype(np.float32)
        for least in (0.0, 0.5, -np.inf, np.inf, 1e-45):
            expected = reference.at_least(column.tolist(), float(np.float32(least)))
            check(expected, _kernels.filter_at_least(placed(column, offset), least, isa=isa))


@each_isa
@each_offset
def test_windows_equal_their_definition_at_the_ends_of_time(offset, isa, seed):
    draw = np.random.default_rng(seed)
    column = draw.choice(np.array(ENDS), 192)
    for first in ENDS:
        for last in ENDS:
            got = _kernels.filter_window(placed(column, offset), from_us=first, to_us=last, isa=isa)
            check(reference.window(column.tolist(), first, last), got)


@each_isa
@each_offset
def test_numbers_equal_their_definition(offset, isa, seed):
    draw = np.random.default_rng(seed)
    ends = np.array([0, 31, 32, 2**31, 2**32 - 1], np.uint32)
    for tiles in TILES:
        near = draw.integers(0, 100, 64 * tiles).astype(np.uint32)
        column = np.where(draw.random(64 * tiles) < 0.2, draw.choice(ends, 64 * tiles), near)
        rows = placed(column, offset)
        for members in ([], [7], [0, 2**32 - 1, 31], range(40)):
            wanted = np.array(members, np.uint32)
            expected = reference.among(column.tolist(), set(members))
            check(expected, _kernels.filter_among(rows, wanted, isa=isa))
        for size in (1, 2, 64):
            bitmap = draw.integers(0, 2**32, size).astype(np.uint32)
            for most in (0, 32 * size - 1, 2**31, 2**32 - 1):
                expected = reference.folded(column.tolist(), bitmap.tolist(), most)
                check(expected, _kernels.filter_folded(rows, bitmap, most=most, isa=isa))


@each_isa
def test_what_no_filter_can_read_is_refused(isa):
    codes = np.zeros(64, np.uint8)
    with pytest.raises(ShapeError, match="column"):
        _kernels.filter_codes(codes[:63], 1, isa=isa)
    codes[9] = 64
    with pytest.raises(UnitError, match=r"column\[9\].*a code below 64"):
        _kernels.filter_codes(codes, 1, isa=isa)
    with pytest.raises(UnitError, match="least"):
        _kernels.filter_at_least(codes, 256, isa=isa)
    numbers = np.zeros(64, np.float32)
    with pytest.raises(UnitError, match="least"):
        _kernels.filter_at_least(numbers, float("nan"), isa=isa)
    numbers[63] = np.nan
    with pytest.raises(UnitError, match=r"column\[63\]"):
        _kernels.filter_at_least(numbers, 0.5, isa=isa)
    with pytest.raises(UnitError, match="map"):
        _kernels.filter_folded(np.zeros(64, np.uint32), np.zeros(3, np.uint32), most=1, isa=isa)
