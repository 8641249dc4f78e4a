"""Intentions wait in order, and each occurrence fires once, behind a fence."""

import msgspec
import pytest

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.ids import make_id
from scrubjay.base.trace import Category, Firing, Intention, Kind
from tests.rows import NOW_US, add


@pytest.fixture
def planned(store):
    """Three intentions, two of them due at the same instant."""
    with store.write(now_us=NOW_US) as tx:
        made = []
        for due_us in (300, 100, 100):
            row = add(tx, "call", kind=Kind.INTENTION, category=Category.FACT)
            made.append(
                Intention(id=row.id, scope="main", action="call", due_us=due_us, expires_us=900)
            )
            tx.add_intention(made[-1])
    return made


def test_intentions_are_ordered_by_when_they_are_due_then_by_id(store, planned):
    assert [planned[1], planned[2], planned[0]] == store.intentions()


def test_the_status_moves_and_selects(store, planned):
    with store.write(now_us=NOW_US) as tx:
        tx.set_intention_status(planned[0].id, "cancelled")
        with pytest.raises(NotFoundError):
            tx.set_intention_status(make_id(now_us=1, node=1, counter=1), "done")
    expected = msgspec.structs.replace(planned[0], status="cancelled")
    assert [expected] == store.intentions(status="cancelled")
    assert planned[1:] == store.intentions(status="armed")


def test_an_occurrence_fires_once_however_often_it_is_put(store, planned):
    firing = Firing(intention=planned[0].id, occurrence_us=300, fired_us=310, token=1)
    other = msgspec.structs.replace(firing, occurrence_us=400)
    with store.write(now_us=NOW_US) as tx:
        assert True is tx.put_firing(firing)
        assert False is tx.put_firing(firing)
        assert True is tx.put_firing(other)
    assert [firing, other] == store.firings()


def test_a_stale_lease_is_refused_and_an_acknowledgement_stays(store, planned):
    first = Firing(intention=planned[0].id, occurrence_us=300, fired_us=310, token=1)
    second = msgspec.structs.replace(first, token=2, leased_until_us=500)
    done = msgspec.structs.replace(second, acknowledged_us=450)
    with store.write(now_us=NOW_US) as tx:
        tx.put_firing(first)
        tx.put_firing(second)
        with pytest.raises(ConflictError, match="passed on"):
            tx.put_firing(msgspec.structs.replace(first, acknowledged_us=400))
        assert [second] == store.firings(unacknowledged=True)
        tx.put_firing(done)
        with pytest.raises(ConflictError, match="passed on"):
            tx.put_firing(msgspec.structs.replace(second, token=3))
    assert [done] == store.firings()
    assert [] == store.firings(unacknowledged=True)


def test_a_firing_needs_its_intention_and_goes_with_it(store, planned):
    stray = Firing(intention=make_id(now_us=1, node=1, counter=1), occurrence_us=1, fired_us=1)
    with store.write(now_us=NOW_US) as tx:
        with pytest.raises(NotFoundError):
            tx.put_firing(stray)
        tx.put_firing(Firing(intention=planned[0].id, occurrence_us=300, fired_us=310))
        tx.erase([planned[0].id])
    assert [] == store.firings()
    assert planned[1:] == store.intentions()
