"""What the kernels of search refuse at the door, and what they promise for one input."""

import numpy as np
import pytest

from scrubjay import _kernels
from scrubjay._kernels import checksum, fading, filters, search
from scrubjay.base.errors import ArgumentTypeError, ShapeError, UnitError

ROWS = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
QUERY = np.array([1, -2, 3], np.float32)

# Each kernel with good arguments.
CALLS = {
    "dot": {"a": ROWS[0].copy(), "b": QUERY},
    "cosine": {"a": ROWS[0].copy(), "b": QUERY},
    "dot_rows": {"rows": ROWS, "query": QUERY},
    "cosine_rows": {"rows": ROWS, "query": QUERY},
    "squared_distance_rows": {"rows": ROWS, "query": QUERY},
    "encode_i8": {"x": QUERY},
    "encode_query": {"query": QUERY},
    "top_k": {"scores": QUERY, "ids": np.arange(3), "k": 2},
    "sketch_sums": {"table": np.zeros(32, np.uint8), "tile": np.zeros(64, np.uint8)},
}
ARGUMENTS = [(n, a) for n, args in CALLS.items() for a, v in args.items() if a != "k"]
FLOATS = [(n, a) for n, a in ARGUMENTS if CALLS[n][a].dtype == np.float32]
# Infinities are scores like any other.
NOT_FINITE = [
    (n, a, bad)
    for n, a in FLOATS
    for bad in (np.nan, np.inf, -np.inf)
    if n != "top_k" or np.isnan(bad)
]
PAIRS = [(n, a) for n, a in ARGUMENTS if not n.startswith("encode")]

each_argument = pytest.mark.parametrize(("name", "arg"), ARGUMENTS)
each_isa = pytest.mark.parametrize("isa", _kernels.SUPPORTED_ISAS)


def call(name, **changed):
    return getattr(_kernels, name)(**{**CALLS[name], **changed})


def refusal(error, name, **changed):
    with pytest.raises(error) as caught:
        call(name, **changed)
    assert error is type(caught.value)
    return str(caught.value)


def test_all_families_stand_behind_the_one_door():
    families = (checksum, fading, filters, search)
    names = {name for family in families for name in family.__all__}
    assert {"ACTIVE_ISA", "SUPPORTED_ISAS"} == set(_kernels.__all__) - names
    assert names <= set(_kernels.__all__)


@each_argument
def test_other_dtype_is_refused(name, arg):
    changed = {arg: CALLS[name][arg].astype(np.complex128)}
    assert "has the wrong dtype, got complex128" in refusal(ShapeError, name, **changed)


@each_argument
def test_double_precision_is_not_converted_silently(name, arg):
    dtype = np.float64 if CALLS[name][arg].dtype == np.float32 else np.int32
    assert "use astype" in refusal(ShapeError, name, **{arg: CALLS[name][arg].astype(dtype)})


@each_argument
def test_strided_view_is_refused(name, arg):
    wide = np.repeat(CALLS[name][arg], 2, axis=-1)[..., ::2]
    assert "ascontiguousarray" in refusal(ShapeError, name, **{arg: wide})


@each_argument
def test_what_is_no_array_is_refused(name, arg):
    assert "is not a NumPy array, got list" in refusal(ArgumentTypeError, name, **{arg: [1.0]})


@pytest.mark.parametrize(("name", "arg"), PAIRS)
def test_lengths_that_disagree_are_refused(name, arg):
    short = CALLS[name][arg][..., :-1].copy()
    assert "has the wrong length" in refusal(ShapeError, name, **{arg: short})


@pytest.mark.parametrize(("name", "arg", "bad"), NOT_FINITE)
@each_isa
def test_non_finite_value_is_refused_with_its_place(name, arg, isa, bad):
    array = CALLS[name][arg].copy()
    array.flat[1] = bad
    rest = {} if name.startswith("encode") else {"isa": isa}
    text = refusal(UnitError, name, **{arg: array}, **rest)
    assert text.startswith(f"{name}: {arg}[1] is out of range, got {bad}, expected ")


@each_isa
def test_non_finite_half_is_refused_with_its_place(isa):
    half = np.array([1, np.nan, 2], np.float16)
    text = refusal(UnitError, "dot", a=half, isa=isa)
    assert text.startswith("dot: a[1] is out of range, got nan, expected a finite number")


@each_isa
def test_sum_beyond_the_range_of_float_is_refused(isa):
    large = np.full(3, 3e38, np.float32)
    assert "leaves the range of float32" in refusal(UnitError, "dot", a=large, b=large, isa=isa)


@each_isa
@pytest.mark.parametrize("size", [1e-45, 1e-30, 1e30, 3e38])
def test_cosine_does_not_see_the_scale(isa, size):
    a = np.array([size, 0, size], np.float32)
    b = np.array([size, size, 0], np.float32)
    assert 0.5 == pytest.approx(_kernels.cosine(a, b, isa=isa), abs=1e-6)


def test_cosine_of_a_zero_vector_is_zero():
    assert 0.0 == _kernels.cosine(np.zeros(3, np.float32), QUERY)


@pytest.mark.parametrize("k", [0, -1])
def test_r8_k_below_one_is_a_value_error(k):
    text = refusal(UnitError, "top_k", k=k)
    assert f"top_k: k is too small, got {k}, expected at least 1" == text


def test_r8_k_beyond_the_scores_gives_them_all():
    assert [2, 0, 1] == _kernels.top_k(QUERY, 99).tolist()
    assert [] == _kernels.top_k(np.empty(0, np.float32), 5).tolist()


def test_negative_and_positive_zero_tie_and_fall_through_to_the_id():
    scores = np.array([0.0, -0.0, 0.0], np.float32)
    assert [2, 1, 0] == _kernels.top_k(scores, 3, ids=np.array([9, 8, 7])).tolist()


def test_too_long_query_is_refused():
    long = np.ones(65_537, np.float32)
    assert "query is too long, got 65537" in refusal(ShapeError, "encode_query", query=long)
