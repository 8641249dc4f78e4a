"""Intentions: one durable firing, leased and fenced delivery."""

import pytest

from scrubjay.base.clock import DAY_US, MINUTE_US
from scrubjay.base.errors import ClockError, ConflictError, InvalidArgumentError, NotFoundError
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Kind
from scrubjay.systems.prospective import LEASE_US, Intentions, new_intention

DUE_US = 10 * DAY_US


@pytest.fixture
def plan(store):
    """Plan an intention and return it."""

    def make(action="renew the certificate", due_us=DUE_US, expires_us=None):
        with store.write(now_us=1) as tx:
            intention = new_intention(
                action,
                id_=tx.new_id(),
                scope="main",
                due_us=due_us,
                expires_us=expires_us,
                now_us=1,
            )
            tx.add_engram(
                Engram(
                    id=intention.id,
                    scope="main",
                    kind=Kind.INTENTION,
                    category=Category.FACT,
                    content=action,
                    provenance=Provenance(
                        role=Role.USER,
                        channel=Channel.API,
                        principal="ada",
                        authority=Authority.USER_EXPLICIT,
                        plane=Plane.USER,
                        session="s",
                    ),
                    recorded_us=1,
                    event_us=1,
                    last_us=1,
                    salience=0.8,
                )
            )
            tx.add_intention(intention)
        return intention

    return make


@pytest.fixture
def intentions(store):
    return Intentions(store)


def fire(store, intentions, intention, now_us):
    with store.write(now_us=now_us) as tx:
        return intentions.fire(tx, intention.id, now_us=now_us)


def acknowledge(store, intentions, intention, token, now_us):
    with store.write(now_us=now_us) as tx:
        return intentions.acknowledge(tx, intention.id, token=token, now_us=now_us)


def test_it_is_due_from_its_instant_on(plan, intentions):
    plan()
    assert [] == intentions.due(now_us=DUE_US - 1)
    assert 1 == len(intentions.due(now_us=DUE_US))


def test_p1_due_while_down_fires_once_on_waking_marked_late(store, plan, intentions):
    intention = plan()
    waking = DUE_US + 3 * DAY_US
    due = fire(store, intentions, intention, waking)
    assert (True, 3 * DAY_US, 1) == (due.late, due.late_us, due.firing.token)
    assert None is fire(store, intentions, intention, waking + 1)
    assert 1 == len(store.firings())
    acknowledge(store, intentions, intention, 1, waking + 2)
    assert [] == intentions.due(now_us=waking + DAY_US)


def test_on_time_is_not_late(store, plan, intentions):
    assert not fire(store, intentions, plan(), DUE_US + MINUTE_US).late


def test_p4_two_handlers_one_firing_redelivered_after_the_lease_stale_token_refused(
    store, plan, intentions
):
    intention = plan()
    first = fire(store, intentions, intention, DUE_US)
    assert None is fire(store, intentions, intention, DUE_US + 1), "the other handler gets nothing"
    after_lease = DUE_US + LEASE_US
    second = fire(store, intentions, intention, after_lease)
    assert (True, 2) == (second.redelivered, second.firing.token)
    with pytest.raises(ConflictError, match="stale token, got 1, expected 2"):
        acknowledge(store, intentions, intention, first.firing.token, after_lease + 1)
    assert "done" == acknowledge(store, intentions, intention, 2, after_lease + 2).status
    assert 1 == len(store.firings()), "one occurrence has one firing"


def test_acknowledging_twice_changes_nothing(store, plan, intentions):
    intention = plan()
    fire(store, intentions, intention, DUE_US)
    acknowledge(store, intentions, intention, 1, DUE_US + 1)
    acknowledge(store, intentions, intention, 1, DUE_US + 9)
    assert [DUE_US + 1] == [f.acknowledged_us for f in store.firings()]


def test_a_late_acknowledgement_nobody_overtook_counts(store, plan, intentions):
    intention = plan()
    fire(store, intentions, intention, DUE_US)
    late = DUE_US + 10 * LEASE_US
    assert "done" == acknowledge(store, intentions, intention, 1, late).status


def test_p5_expired_and_cancelled_never_fire_and_are_listed_as_such(store, plan, intentions):
    expiring = plan("call back", expires_us=DUE_US + DAY_US)
    cancelled = plan("buy milk")
    with store.write(now_us=2) as tx:
        intentions.cancel(tx, cancelled.id)
    late = DUE_US + 2 * DAY_US
    assert [] == intentions.due(now_us=late)
    assert None is fire(store, intentions, expiring, late)
    assert None is fire(store, intentions, cancelled, late)
    with store.write(now_us=late) as tx:
        assert [expiring.id] == [i.id for i in intentions.expire(tx, now_us=late)]
    assert [expiring.id] == [i.id for i in intentions.list(status="expired")]
    assert [cancelled.id] == [i.id for i in intentions.list(status="cancelled")]
    assert [] == store.firings()


def test_what_is_over_cannot_be_cancelled(store, plan, intentions):
    intention = plan()
    fire(store, intentions, intention, DUE_US)
    acknowledge(store, intentions, intention, 1, DUE_US)
    with pytest.raises(ConflictError, match="it is over"), store.write(now_us=DUE_US) as tx:
        intentions.cancel(tx, intention.id)


def test_urgency_halves_with_every_day_of_lateness(plan, intentions):
    plan()
    plan("fresh", due_us=DUE_US + 2 * DAY_US)
    due = intentions.due(now_us=DUE_US + 2 * DAY_US)
    assert [("fresh", 1.0), ("renew the certificate", 0.25)] == [
        (d.intention.action, pytest.approx(d.urgency)) for d in due
    ]


def test_an_unknown_id_or_an_acknowledgement_before_firing_is_refused(store, plan, intentions):
    intention = plan()
    with pytest.raises(NotFoundError, match="has not fired"):
        acknowledge(store, intentions, intention, 1, 5)
    with pytest.raises(NotFoundError, match="no such intention"), store.write(now_us=5) as tx:
        intentions.fire(tx, b"\0" * 16, now_us=5)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"action": " "}, InvalidArgumentError),
        ({"action": "x" * 2001}, InvalidArgumentError),
        ({"expires_us": 5}, InvalidArgumentError),
        ({"due_us": 1 << 62}, ClockError),
    ],
)
def test_impossible_plans_are_refused(change, error):
    good = {"action": "x", "id_": b"1" * 16, "scope": "s", "due_us": 10, "now_us": 1}
    with pytest.raises(error, match="new_intention"):
        new_intention(**{**good, **change})
