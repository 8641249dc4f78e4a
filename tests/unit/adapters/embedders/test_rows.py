import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scrubjay.adapters.embedders.rows import check_texts, checked_matrix, unit_rows
from scrubjay.base.errors import ArgumentTypeError, EmbedderError, InvalidArgumentError


def test_texts_may_be_any_sequence_of_encodable_str():
    assert ["a", "é", ""] == check_texts("t", ("a", "é", ""))
    for texts in ("a", b"a", [b"a"], ["a", 2]):
        with pytest.raises(ArgumentTypeError):
            check_texts("t", texts)
    with pytest.raises(InvalidArgumentError, match="text 1 holds a lone surrogate"):
        check_texts("t", ["a", "b\udfff"])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[1.0, 2.0]], r"got \(1, 2\), expected \(2, dim\)"),
        ([1.0, 2.0], "wrong shape"),
        ([[], []], "without dimensions"),
        ([[1.0], [float("nan")]], "row 1 holds NaN or infinity"),
        ([[1.0], [float("inf")]], "row 1 holds NaN or infinity"),
        ([[1e60], [1.0]], "row 0 holds NaN or infinity"),
        ([[1.0], [1.0, 2.0]], "not an array of numbers"),
        ([["a"], ["b"]], "not an array of numbers"),
        (None, "not an array of numbers|wrong shape"),
        ("ab", "not an array of numbers|wrong shape"),
    ],
)
def test_r11_what_a_model_may_not_return_is_a_typed_error(value, words):
    with pytest.raises(EmbedderError, match=words):
        checked_matrix("t", value, rows=2, dim=None)


def test_r11_a_changed_dimension_is_a_typed_error():
    with pytest.raises(EmbedderError, match=r"got \(1, 2\), expected \(1, 3\)"):
        checked_matrix("t", [[1.0, 2.0]], rows=1, dim=3)


finite = st.floats(-(2.0**100), 2.0**100, width=32)


@given(arrays(np.float32, st.tuples(st.integers(0, 4), st.integers(1, 6)), elements=finite))
def test_rows_have_unit_length_or_are_zero(matrix):
    vectors, norms = unit_rows(matrix)
    assert (np.float32, np.float32) == (vectors.dtype, norms.dtype)
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))
    zero = ~matrix.any(axis=1)
    assert np.isfinite(vectors).all()
    assert np.abs(lengths[~zero] - 1).max(initial=0) < 1e-5
    assert not vectors[zero].any()
    assert not norms[zero].any()
