"""Segments: sessions, people, pauses."""

from scrubjay.base.clock import MINUTE_US
from scrubjay.policies.consolidation.segment import segment, segment_of


def contents(groups):
    return [[r.content for r in group] for group in groups]


def test_a_pause_splits_and_a_session_too(row):
    rows = [
        row("user", "a", at=0),
        row("assistant", "b", at=30 * MINUTE_US),
        row("user", "c", at=61 * MINUTE_US),
        row("user", "d", session="t", at=0),
    ]
    assert [["a", "b"], ["c"], ["d"]] == contents(segment(rows))


def test_two_people_are_never_joined_and_tools_go_with_who_spoke_last(row):
    rows = [
        row("assistant", "welcome"),
        row("user", "a1", principal="ada"),
        row("tool", "a2"),
        row("user", "b1", principal="bob"),
        row("assistant", "b2"),
        row("user", "a3", principal="ada"),
    ]
    assert [["welcome", "a1", "a2", "a3"], ["b1", "b2"]] == contents(segment(rows))


def test_the_order_of_rows_does_not_matter(row):
    rows = [row("user", str(n), session=f"s{n % 3}", at=n * 20 * MINUTE_US) for n in range(12)]
    assert segment(rows) == segment(rows[::-1])


def test_a_segment_is_described(row):
    rows = [row("assistant", "hi", at=5), row("user", "yes", principal="ada", at=9)]
    told = segment_of(rows)
    assert ("main", "s", "ada", 5, 9, tuple(r.id for r in rows)) == (
        told.scope,
        told.session,
        told.principal,
        told.started_us,
        told.ended_us,
        told.members,
    )
