"""The session log: lifetimes, rehearsal, folding, routing."""

import pytest

from scrubjay.base.clock import SECOND_US
from scrubjay.base.errors import InvalidArgumentError, NotFoundError, UnitError
from scrubjay.base.provenance import Role
from scrubjay.systems.short_term import ShortTermLog, signature_of


@pytest.fixture
def log():
    return ShortTermLog()


def put(log, content="a note", now_s=0, **rest):
    return log.encode(content, session="s", now_us=now_s * SECOND_US, **rest)


def test_an_item_lives_half_an_hour(log):
    put(log)
    assert 1 == len(log.contents("s", now_us=1800 * SECOND_US - 1).items)
    assert 0 == len(log.contents("s", now_us=1800 * SECOND_US).items)


def test_an_access_extends_life_from_the_access_on(log):
    item = put(log)
    longer = log.retrieve(item.id, now_us=100 * SECOND_US)
    assert (1, (100 + 1800 + 120) * SECOND_US) == (longer.accesses, longer.expires_us)


def test_life_never_exceeds_two_hours_from_the_access(log):
    item = put(log)
    for _ in range(60):
        item = log.retrieve(item.id, now_us=0)
    assert 7200 * SECOND_US == item.expires_us


def test_listing_is_not_an_access(log):
    item = put(log)
    log.contents("s", now_us=0)
    assert 0 == log.contents("s", now_us=0).items[0].accesses == item.accesses


def test_an_echo_is_folded_and_a_users_turn_never(log):
    put(log, "disk full", role=Role.TOOL)
    assert 1 == put(log, "disk  full", role=Role.ASSISTANT).repeats
    put(log, "disk full", role=Role.USER)
    put(log, "disk full", role=Role.USER)
    assert 3 == len(log.contents("s", now_us=0).items)


def test_an_echo_after_the_item_ran_out_is_news(log):
    put(log, "disk full", role=Role.TOOL)
    assert 0 == put(log, "disk full", role=Role.TOOL, now_s=1801).repeats


def test_sessions_do_not_fold_into_each_other(log):
    put(log, "disk full", role=Role.TOOL)
    assert 0 == log.encode("disk full", session="t", role=Role.TOOL, now_us=0).repeats


def test_signatures_have_sixteen_hex_digits():
    assert (16, True) == (len(signature_of("x")), set(signature_of("x")) <= set("0123456789abcdef"))


def test_the_sweep_routes_by_priority_or_accesses_once(log):
    put(log, "idle")
    urgent = put(log, "urgent", priority=0.71)
    asked = put(log, "asked for")
    for _ in range(3):
        log.retrieve(asked.id, now_us=0)
    assert {urgent.id, asked.id} == {r.item.id for r in log.sweep(now_us=0).routed}
    assert [] == log.sweep(now_us=0).routed


def test_a_routed_item_carries_the_terms_of_its_weight(log):
    put(log, "the deploy failed", priority=0.9)
    [routed] = log.sweep(working=("deploy of api",), now_us=0).routed
    assert (1.0, 0.0) == (routed.novelty, routed.utility)
    assert routed.weight == pytest.approx((1.0 + 0.0 + routed.relevance) / 3)
    assert 0 < routed.relevance <= 1


def test_the_sweep_drops_what_ran_out_and_offers_it_first(log):
    put(log, "urgent", priority=0.9)
    report = log.sweep(now_us=1800 * SECOND_US)
    assert (1, 1) == (len(report.routed), len(report.expired))
    assert [] == log.contents("s", now_us=0).items


def test_pages_follow_the_order_of_arrival(log):
    for n in range(5):
        put(log, f"note {n}")
    first = log.contents("s", limit=2, now_us=0)
    rest = log.contents("s", after=first.cursor, now_us=0)
    assert ["note 0", "note 1", "note 2", "note 3", "note 4"] == [
        i.content for i in (*first.items, *rest.items)
    ]
    assert None is rest.cursor


def test_i6_after_forgetting_a_session_the_same_text_is_news(log):
    put(log, "disk full", role=Role.TOOL)
    assert 1 == log.forget("s")
    assert 0 == put(log, "disk full", role=Role.TOOL).repeats


def test_capacity_pushes_out_the_oldest_and_counts():
    small = ShortTermLog(capacity=2)
    for n in range(3):
        put(small, f"note {n}")
    assert (1, ["note 1", "note 2"]) == (
        small.overflowed,
        [i.content for i in small.contents("s", now_us=0).items],
    )


def test_impossible_input_is_refused(log):
    with pytest.raises(UnitError, match="priority"):
        put(log, priority=1.5)
    with pytest.raises(InvalidArgumentError, match="unknown role"):
        put(log, role="boss")
    with pytest.raises(NotFoundError, match="no such item"):
        log.retrieve(9, now_us=0)
    with pytest.raises(UnitError):
        ShortTermLog(ttl_us=0)
