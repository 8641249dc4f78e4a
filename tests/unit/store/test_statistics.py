"""Counts say what there is."""

from scrubjay.base.trace import Kind
from tests.rows import NOW_US, add_all


def test_counts_move_with_the_rows(store):
    empty = store.counts()
    assert {0} == set(empty.values())
    rows = add_all(store, ["a", "b", "c"])
    add_all(store, ["d"], kind=Kind.NOTE, scope="main/x")
    with store.write(now_us=NOW_US) as tx:
        tx.archive(rows[:1])
        tx.journal("x")
    got = {name: value for name, value in store.counts().items() if value}
    assert {
        "engrams": 4, "state_hot": 3, "state_archived": 1, "kind_turn": 3, "kind_note": 1,
        "journal_events": 1, "scopes": 2, "segments": 1, "spaces": 1, "vectors": 3,
    } == got  # fmt: skip
