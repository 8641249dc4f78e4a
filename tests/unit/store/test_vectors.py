"""Vectors come back to half precision, in their own space, and feed the index in columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scrubjay.base.errors import NotFoundError, ShapeError, UnitError
from scrubjay.base.trace import Category, Kind, State
from scrubjay.store.vectors import FOREVER_US, pack, unpack
from tests.rows import DIM, NOW_US, SPACE, add, add_all, vector_of


def test_columns_say_what_the_row_says(store):
    with store.write(now_us=NOW_US) as tx:
        first = add(tx, "first", scope="a/b", quality=0.5, frequency=2)
        second = add(
            tx, "second", kind=Kind.BELIEF, category=Category.INVARIANT, pinned=True,
            half_life_us=None, state=State.SUPERSEDED, event_us=-7,
        )  # fmt: skip
        tx.put_vector(first.local, SPACE, vector_of("first"), 0.25)
    rows = store.index_rows(space=SPACE)
    ids = store.scopes()
    assert [first.local, second.local] == rows.local.tolist()
    assert (2, DIM) == rows.vectors.shape
    assert np.allclose(rows.vectors[0], vector_of("first"), atol=1e-3)
    assert [0.25, 1.0] == rows.gain.tolist()
    assert [ids["a/b"], ids["main"]] == rows.scope_id.tolist()
    assert [1, 4] == rows.kind.tolist()
    assert [1, 3] == rows.category.tolist()
    assert [0, 3] == rows.state.tolist()
    assert [0, 1] == rows.pinned.tolist()
    assert [0.5, 1.0] == rows.quality.tolist()
    assert [2.0, 0.0] == rows.frequency.tolist()
    assert [1_000_000, FOREVER_US] == rows.half_life_us.tolist()
    assert [NOW_US, -7] == rows.event_us.tolist()
    kinds = [rows.local, rows.vectors, rows.gain, rows.scope_id, rows.kind, rows.last_us]
    names = ["int64", "float32", "float32", "uint32", "uint8", "int64"]
    assert names == [str(column.dtype) for column in kinds]


def test_some_rows_come_in_order_of_their_key(store):
    rows = add_all(store, ["a", "b", "c"])
    asked = [rows[2].local, rows[0].local, 999]
    got = store.index_rows(space=SPACE, locals_=asked)
    assert [rows[0].local, rows[2].local] == got.local.tolist()
    assert 0 == len(store.index_rows(space=SPACE, locals_=[]).local)


def test_an_unknown_space_has_no_columns_and_a_missing_vector_is_zero(store):
    add_all(store, ["a"])
    with store.write(now_us=NOW_US) as tx:
        other = add(tx, "b")
        tx.put_vector(other.local, "other/3", np.ones(3, np.float32), 1.0)
    assert (2, 0) == store.index_rows(space="nothing/1").vectors.shape
    assert [[0, 0, 0], [1, 1, 1]] == store.index_rows(space="other/3").vectors.tolist()
    assert (0, 0) == store.index_rows(space="nothing/1", locals_=[]).vectors.shape


def test_r9_a_new_vector_replaces_the_old_one_and_is_announced(store):
    [row] = add_all(store, ["a"])
    before = store.last_seq()
    with store.write(now_us=NOW_US) as tx:
        tx.put_vector(row.local, SPACE, vector_of("zzz"), 0.5)
        tx.put_vector(row.local, SPACE, vector_of("yyy"), 0.75)
    got = store.index_rows(space=SPACE)
    assert np.allclose(got.vectors[0], vector_of("yyy"), atol=1e-3)
    assert [0.75] == got.gain.tolist()
    assert [(before + 1, row.local, False)] == store.changes_since(before)
    assert 1 == store.counts()["vectors"]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 70_000.0])
def test_r11_a_vector_that_is_not_finite_is_refused(store, bad):
    [row] = add_all(store, ["a"])
    vector = np.zeros(DIM, np.float32)
    vector[3] = bad
    before = list(store.export_lines()), store.last_seq()
    with pytest.raises(UnitError, match="unit vector"), store.write(now_us=NOW_US) as tx:
        tx.put_vector(row.local, SPACE, vector, 1.0)
    assert before == (list(store.export_lines()), store.last_seq())


def test_r11_wrong_shapes_and_gains_are_refused(store):
    [row] = add_all(store, ["a"])
    for vector in (np.ones(DIM + 1, np.float32), np.ones((1, DIM), np.float32), np.ones(0)):
        with pytest.raises(ShapeError), store.write(now_us=NOW_US) as tx:
            tx.put_vector(row.local, SPACE, vector, 1.0)
    for gain in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(UnitError, match="gain"), store.write(now_us=NOW_US) as tx:
            tx.put_vector(row.local, SPACE, vector_of("a"), gain)
    with pytest.raises(NotFoundError), store.write(now_us=NOW_US) as tx:
        tx.put_vector(99, SPACE, vector_of("a"), 1.0)
    with store.write(now_us=NOW_US) as tx:
        tx.put_vector(row.local, SPACE, np.zeros(DIM, np.float32), 1.0)
    assert not store.index_rows(space=SPACE).vectors.any()


@given(hnp.arrays(np.float32, st.integers(1, 64), elements=st.floats(-1, 1, width=32)))
def test_packing_rounds_to_half_precision_and_is_stable(vector):
    once = unpack(pack(vector))
    assert np.allclose(vector, once, atol=5e-4)
    assert pack(once) == pack(vector)
