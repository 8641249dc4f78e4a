"""Sums over sketches against their definition: each number of groups, place, instruction set."""

import numpy as np
import pytest

from scrubjay import _kernels
from scrubjay.base.errors import ShapeError
from tests.oracle.isas import each_isa, each_offset, placed
from tests.reference import sketch as reference

MOST_GROUPS = 256


def drawn(groups, seed):
    """Bytes of every kind; a third of the table at its top, so that sums come near theirs."""
    draw = np.random.default_rng((seed, groups))
    table = draw.integers(0, 256, 16 * groups).astype(np.uint8)
    table[draw.random(table.size) < 1 / 3] = 255
    return table, draw.integers(0, 256, 32 * groups).astype(np.uint8)


@each_isa
@each_offset
@pytest.mark.parametrize("groups", [0, 2, 4, 6, 14, 16, 18, 30, 32, 34, 62, 64, 66, 130, 254, 256])
def test_sums_are_those_of_the_definition(groups, offset, isa, seed):
    table, tile = drawn(groups, seed)
    got = _kernels.sketch_sums(placed(table, offset), placed(tile, offset), isa=isa)
    assert np.uint16 == got.dtype
    assert reference.sums(table.tolist(), tile.tolist()) == got.tolist()


@each_isa
@pytest.mark.parametrize("group", [0, 1, 15, 16, 31, 32, 255])
def test_each_nibble_of_each_row_looks_up_its_own_entry(group, isa):
    table = np.zeros(16 * MOST_GROUPS, np.uint8)
    table[16 * group : 16 * group + 16] = np.arange(1, 17) * 13
    for row in range(64):
        for value in range(16):
            tile = np.zeros(32 * MOST_GROUPS, np.uint8)
            tile[32 * group + row % 32] = value << (0 if row < 32 else 4)
            expected = np.full(64, 13)
            expected[row] = 13 * (value + 1)
            got = _kernels.sketch_sums(table, tile, isa=isa)
            assert expected.tolist() == got.tolist()


@each_isa
def test_no_sum_wraps(isa):
    table = np.full(16 * MOST_GROUPS, 255, np.uint8)
    tile = np.full(32 * MOST_GROUPS, 0x5A, np.uint8)
    assert {255 * MOST_GROUPS} == set(_kernels.sketch_sums(table, tile, isa=isa).tolist())


@pytest.mark.parametrize(
    ("entries", "pairs", "text"),
    [
        (16, 32, "table has the wrong length, got 16, expected a multiple of 32"),
        (33, 64, "table has the wrong length, got 33"),
        (16 * 258, 32 * 258, "table has the wrong length, got 4128, expected a multiple of 32"),
        (32, 63, "tile has the wrong length, got 63, expected 64"),
        (32, 128, "tile has the wrong length, got 128, expected 64"),
        (0, 64, "tile has the wrong length, got 64, expected 0"),
    ],
)
def test_shapes_that_do_not_agree_are_refused(entries, pairs, text):
    with pytest.raises(ShapeError, match=text):
        _kernels.sketch_sums(np.zeros(entries, np.uint8), np.zeros(pairs, np.uint8))
