"""What one write does to rows, and what it refuses."""

import pytest

from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.base.trace import Category, Kind, State
from tests.rows import NOW_US, add, add_all


def test_a_use_counts_moves_the_instant_and_is_announced(store):
    [row] = add_all(store, ["a"])
    with store.write(now_us=NOW_US) as tx:
        tx.reinforce(row.local, last_us=NOW_US + 9, evict_at_us=NOW_US + 99)
        tx.reinforce(row.local, last_us=NOW_US + 3, evict_at_us=None)
    got = store.engram(row.id)
    assert (2, NOW_US + 9, None) == (got.frequency, got.last_us, got.evict_at_us)
    assert 2 == got.seq
    assert [(2, row.local, False)] == store.changes_since(0)


def test_changes_keep_only_the_newest_of_each_row(store):
    rows = add_all(store, ["a", "b", "c"])
    with store.write(now_us=NOW_US) as tx:
        tx.set_state([rows[1].local], State.SUPERSEDED)
    with store.write(now_us=NOW_US) as tx:
        tx.set_state([rows[1].local], State.HOT)
        tx.set_pinned(rows[0].local, pinned=True)
    assert [(1, 3, False), (3, 1, False), (3, 2, False)] == store.changes_since(0)
    assert [] == store.changes_since(3)


def test_states_move_but_not_into_or_out_of_the_archive(store):
    [row] = add_all(store, ["a"])
    with store.write(now_us=NOW_US) as tx:
        with pytest.raises(InvalidArgumentError, match="archive"):
            tx.set_state([row.local], State.ARCHIVED)
        with pytest.raises(NotFoundError, match="local key 77"):
            tx.set_state([77], State.HOT)
        tx.set_state([row.local], State.PENDING)
        tx.set_state([], State.HOT)
    assert State.PENDING is store.engram(row.id).state


def test_what_a_cycle_has_read_is_not_offered_again(store):
    rows = add_all(store, ["a", "b", "c"])
    add_all(store, ["fact"], kind=Kind.BELIEF, category=Category.FACT)
    assert ["a", "b", "c"] == [row.content for row in store.unconsolidated(limit=9)]
    assert ["b"] == [row.content for row in store.unconsolidated(limit=1, after_local=1)]
    with store.write(now_us=NOW_US) as tx:
        tx.set_consolidated([rows[0].local, rows[2].local])
    assert ["b"] == [row.content for row in store.unconsolidated(limit=9)]
    assert store.engram(rows[0].id).consolidated


def test_pins_come_and_go(store):
    [row] = add_all(store, ["a"])
    for pinned in (True, False):
        with store.write(now_us=NOW_US) as tx:
            tx.set_pinned(row.local, pinned=pinned)
        assert pinned is store.engram(row.id).pinned


def test_local_keys_never_come_again(store):
    rows = add_all(store, ["a", "b"])
    with store.write(now_us=NOW_US) as tx:
        tx.erase([row.id for row in rows])
        assert 3 == add(tx, "c").local


def test_the_salt_of_a_row_is_its_own(store):
    add_all(store, ["same", "same"])
    with store.reader() as database:
        rows = database.rows("SELECT salt, content_hash FROM engram")
    assert 2 == len({row[0] for row in rows}) == len({row[1] for row in rows})
