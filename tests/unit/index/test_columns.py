"""How a caller's values become columns."""

import numpy as np
import pytest

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, ShapeError, UnitError
from scrubjay.index import FOREVER_US, Index
from scrubjay.index.columns import DTYPES, column, instant, whole

KEYS = np.array([10, 20, 30])
ROWS = np.eye(3, dtype=np.float32)

# Two values each column can hold, at the ends of its range.
ENDS = {
    "scope": (0, 2**32 - 1),
    "kind": (0, 63),
    "category": (0, 63),
    "state": (0, 63),
    "authority": (0, 255),
    "plane": (0, 63),
    "flags": (0, 255),
    "quality": (0.0, 1.0),
    "salience": (0.0, 1.0),
    "frequency": (0, 2**32 - 1),
    "half_life_us": (1, FOREVER_US),
    "last_us": (-(2**61), 2**61),
    "event_us": (-(2**61), 2**61),
    "gain": (2.0**-20, 1.0),
}


def filled(**columns):
    index = Index(3)
    index.add(KEYS, ROWS, now_us=0, **columns)
    return index


def test_every_column_is_tried_here():
    assert set(ENDS) == set(DTYPES)


@pytest.mark.parametrize("name", DTYPES)
def test_both_ends_of_a_range_are_kept(name):
    low, high = ENDS[name]
    kept = filled(**{name: [low, high, low]}).columns(KEYS)
    assert [low, high, low] == getattr(kept, name).tolist()
    assert DTYPES[name] == getattr(kept, name).dtype


@pytest.mark.parametrize("name", DTYPES)
def test_one_value_stands_for_every_row(name):
    high = ENDS[name][1]
    assert [high] * 3 == getattr(filled(**{name: high}).columns(KEYS), name).tolist()


@pytest.mark.parametrize("name", DTYPES)
def test_values_beyond_the_range_are_refused_and_nothing_changes(name):
    index = filled()
    beyond = {"half_life_us": 0, "gain": 0.0}.get(name, -(2**62) if "_us" in name else -1)
    with pytest.raises(UnitError, match=rf"Index.update: {name}\[1\] is out of range, got "):
        index.update(KEYS, **{name: np.array([ENDS[name][1], beyond, ENDS[name][1]])})
    untouched = filled().columns(KEYS)
    assert getattr(untouched, name).tolist() == getattr(index.columns(KEYS), name).tolist()


@pytest.mark.parametrize("name", ["quality", "salience", "gain"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300, 1.5])
def test_floats_outside_the_unit_interval_are_refused(name, bad):
    with pytest.raises(UnitError, match=rf"Index.add: {name}\[0\] is out of range"):
        filled(**{name: bad})


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("bad", ["1", None, True, 1j, object()], ids=lambda b: type(b).__name__)
def test_what_is_no_number_is_refused(name, bad):
    with pytest.raises(ArgumentTypeError, match=f"call: {name} has the wrong dtype"):
        column("call", name, bad, 3)


@pytest.mark.parametrize("name", [n for n, d in DTYPES.items() if d.kind in "iu"])
def test_fractions_are_not_cut_to_integers(name):
    with pytest.raises(ArgumentTypeError, match=f"{name} has the wrong dtype, got float64"):
        filled(**{name: 1.0})


@pytest.mark.parametrize("shape", [(2,), (4,), (3, 1), (0,)])
def test_columns_of_another_length_are_refused(shape):
    with pytest.raises(ShapeError, match=r"salience has the wrong shape, got"):
        filled(salience=np.zeros(shape, np.float32))


@pytest.mark.parametrize("bad", [1.5, "1", None, True, np.True_])
def test_instants_and_counts_are_integers(bad):
    with pytest.raises(ArgumentTypeError, match="is not an integer"):
        whole("x", bad, 0, 9)
    with pytest.raises(ArgumentTypeError, match="now_us is not an integer"):
        Index(3).search(None, 1, now_us=bad)


def test_integers_of_any_kind_are_taken():
    assert 5 == whole("x", np.uint8(5), 0, 9)
    assert -7 == instant("x", np.int32(-7))


@pytest.mark.parametrize("bad", [2**61 + 1, -(2**61) - 1, 2**70])
def test_instants_too_far_from_the_epoch_are_refused(bad):
    with pytest.raises(InvalidArgumentError, match="now_us is out of range"):
        Index(3).search(None, 1, now_us=bad)
