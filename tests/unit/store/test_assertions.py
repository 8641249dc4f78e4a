"""Statements are written once, and leave only with their engram."""

import apsw
import msgspec
import pytest

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.provenance import Plane
from scrubjay.base.trace import Category, Kind, Precision, State
from tests.rows import NOW_US, add, add_all, assertion


@pytest.fixture
def beliefs(store):
    """Three statements of two people."""
    with store.write(now_us=NOW_US) as tx:
        rows = [add(tx, f"b{n}", kind=Kind.BELIEF, category=Category.FACT) for n in range(3)]
        said = [
            assertion(rows[0]),
            assertion(rows[1], object="Rome", valid_from_us=5, valid_to_us=9, hedged=True,
                      negated=True, confidence=0.5, precision=Precision.YEAR,
                      plane=Plane.OBSERVED),
            assertion(rows[2], subject="ben", predicate="likes"),
        ]  # fmt: skip
        for one in said:
            tx.add_assertion(one)
    return said


def test_statements_come_back_whole_and_by_id(store, beliefs):
    assert beliefs == store.assertions()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"subject": "ana"}, [0, 1]),
        ({"subject": "ana", "predicate": "lives_in"}, [0, 1]),
        ({"predicate": "likes"}, [2]),
        ({"scope": "main"}, [0, 1, 2]),
        ({"scope": "ma"}, []),
        ({"subject": "%"}, []),
    ],
)
def test_statements_are_found_by_what_is_given(store, beliefs, asked, expected):
    assert [beliefs[n] for n in expected] == store.assertions(**asked)


def test_b8_statements_of_two_people_stay_two(store, beliefs):
    assert {"ana", "ben"} == {one.subject for one in store.assertions()}


def test_a_statement_cannot_be_changed_or_dropped_alone(store, beliefs):
    with apsw.Connection(str(store.path / "tenants/default/memory.sqlite")) as raw:
        with pytest.raises(apsw.ConstraintError, match="immutable"):
            raw.execute("UPDATE assertion SET object = 'Paris'")
        with pytest.raises(apsw.ConstraintError, match="only with its engram"):
            raw.execute("DELETE FROM assertion")
        with pytest.raises(apsw.ConstraintError, match="immutable"):
            raw.execute("REPLACE INTO assertion SELECT * FROM assertion")
    assert beliefs == store.assertions()
    with store.write(now_us=NOW_US) as tx:
        tx.erase([beliefs[0].id])
    assert beliefs[1:] == store.assertions()


def test_a_statement_needs_its_engram_and_stands_once(store, beliefs):
    with store.write(now_us=NOW_US) as tx:
        stray = msgspec.structs.replace(beliefs[0], id=tx.new_id())
        with pytest.raises(NotFoundError, match="engram does not exist"):
            tx.add_assertion(stray)
    with pytest.raises(ConflictError), store.write(now_us=NOW_US) as tx:
        tx.add_assertion(beliefs[0])


def test_pending_statements_are_not_believed(store, beliefs):
    [row] = [one for one in store.engrams() if one.id == beliefs[2].id]
    with store.write(now_us=NOW_US) as tx:
        tx.set_state([row.local], State.PENDING)
        assert beliefs[:2] == store.assertions()
    assert beliefs[:2] == store.assertions()


def test_declared_predicates_can_be_declared_anew(store):
    add_all(store, ["x"])
    with store.write(now_us=NOW_US) as tx:
        tx.declare_predicate("lives_in", functional=True)
        tx.declare_predicate("likes", functional=False)
        tx.declare_predicate("likes", functional=True)
    assert {"likes": True, "lives_in": True} == store.functional_predicates()
