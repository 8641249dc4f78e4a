"""The door to the filter kernels: what it takes and what it refuses."""

import numpy as np
import pytest

from scrubjay._kernels import filters
from scrubjay.base.errors import ArgumentTypeError, ShapeError, UnitError


@pytest.mark.parametrize(
    ("call", "column"),
    [
        (lambda c: filters.filter_codes(c, 1), np.zeros(64, np.int64)),
        (lambda c: filters.filter_at_least(c, 1), np.zeros(64, np.float64)),
        (lambda c: filters.filter_bits(c, mask=1, value=1), np.zeros(64, np.int8)),
        (lambda c: filters.filter_window(c, from_us=0, to_us=1), np.zeros(64, np.int32)),
        (lambda c: filters.filter_among(c, np.zeros(1, np.uint32)), np.zeros(64, np.int32)),
        (lambda c: filters.filter_folded(c, np.zeros(1, np.uint32), most=1), np.zeros(64)),
    ],
)
def test_columns_of_another_dtype_are_refused_not_converted(call, column):
    with pytest.raises(ShapeError, match="column"):
        call(column)
    with pytest.raises(ArgumentTypeError, match="column"):
        call([0] * 64)


@pytest.mark.parametrize("length", [1, 63, 65, 127])
def test_a_column_that_is_no_whole_number_of_tiles_is_refused(length):
    with pytest.raises(ShapeError, match=f"column.*{length}"):
        filters.filter_window(np.zeros(length, np.int64), from_us=0, to_us=1)


def test_no_rows_have_no_words():
    assert [] == filters.filter_codes(np.zeros(0, np.uint8), 1).tolist()


@pytest.mark.parametrize("least", [-1, 256, 0.5])
def test_a_bar_that_is_no_byte_is_refused_for_bytes(least):
    with pytest.raises(UnitError, match="least"):
        filters.filter_at_least(np.zeros(64, np.uint8), least)
