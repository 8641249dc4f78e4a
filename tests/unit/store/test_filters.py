"""A RowFilter means in SQL what it means in words."""

import pytest

from scrubjay.base.provenance import Authority, Plane, Role
from scrubjay.base.trace import Category, Kind, RowFilter, State
from scrubjay.store.filters import id_set, int_set
from tests.rows import NOW_US, add


@pytest.fixture
def rows(store):
    """Four rows that differ in everything a filter can ask for."""
    with store.write(now_us=NOW_US) as tx:
        add(tx, "plain", event_us=100)
        add(
            tx,
            "tool",
            kind=Kind.TOOL_RESULT,
            category=Category.TELEMETRY,
            event_us=200,
            origin={"role": Role.TOOL, "plane": Plane.OBSERVED, "authority": Authority.OBSERVED},
        )
        add(tx, "poor", quality=0.1, event_us=300, scope="other")
        old = add(tx, "old", kind=Kind.BELIEF, category=Category.FACT, event_us=400)
        tx.set_state([old.local], State.SUPERSEDED)  # fmt: skip
    return store


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({}, "plain tool poor"),
        ({"states": (State.SUPERSEDED,)}, "old"),
        ({"states": tuple(State)}, "plain tool poor old"),
        ({"states": ()}, ""),
        ({"kinds": (Kind.TOOL_RESULT, Kind.BELIEF)}, "tool"),
        ({"kinds": ()}, ""),
        ({"categories": (Category.DIALOGUE,)}, "plain poor"),
        ({"planes": (Plane.OBSERVED,)}, "tool"),
        ({"authority_min": 20}, "plain poor"),
        ({"quality_min": 0.1}, "plain tool poor"),
        ({"quality_min": 0.2}, "plain tool"),
        ({"event_from_us": 200}, "tool poor"),
        ({"event_to_us": 200}, "plain"),
        ({"event_from_us": 200, "event_to_us": 300}, "tool"),
        ({"scope_ids": (2,)}, "poor"),
        ({"scope_ids": (1, 2)}, "plain tool poor"),
        ({"scope_ids": ()}, ""),
        ({"scope_ids": (9,)}, ""),
    ],
)
def test_each_condition_selects_its_rows(rows, where, expected):
    got = " ".join(row.content for row in rows.engrams(where=RowFilter(**where)))
    assert expected == got


def test_an_empty_set_matches_nothing(store):
    with store.reader() as database:
        assert [] == database.rows("SELECT value FROM carray(?) WHERE value >= 0", (int_set([]),))
        assert [(b"",)] == database.rows("SELECT value FROM carray(?)", (id_set([]),))
        assert [(3,)] == database.rows("SELECT value FROM carray(?)", (int_set([3]),))
