"""Dates in prose, as wide as they are vague."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.clock import datetime_of, instant_of
from scrubjay.base.trace import Precision
from scrubjay.policies.consolidation.dates import (
    Kind,
    Tense,
    bounds_of,
    day_of,
    find_when,
    span_of,
)

TODAY = date(2026, 3, 23)  # A Monday.
NOW_US = instant_of("test", datetime(2026, 3, 23, 8, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "first", "after", "precision"),
    [
        ("2021", date(2021, 1, 1), date(2022, 1, 1), Precision.YEAR),
        ("2021-03", date(2021, 3, 1), date(2021, 4, 1), Precision.MONTH),
        ("2020-02-29", date(2020, 2, 29), date(2020, 3, 1), Precision.DAY),
        ("March 2021", date(2021, 3, 1), date(2021, 4, 1), Precision.MONTH),
        ("15 March 2021", date(2021, 3, 15), date(2021, 3, 16), Precision.DAY),
        ("March 15th, 2021", date(2021, 3, 15), date(2021, 3, 16), Precision.DAY),
        ("3rd of May", date(2025, 5, 3), date(2025, 5, 4), Precision.DAY),
        ("January", date(2026, 1, 1), date(2026, 2, 1), Precision.MONTH),
        ("December", date(2025, 12, 1), date(2026, 1, 1), Precision.MONTH),
        ("yesterday", date(2026, 3, 22), date(2026, 3, 23), Precision.DAY),
        ("this morning", date(2026, 3, 23), date(2026, 3, 24), Precision.DAY),
        ("last week", date(2026, 3, 16), date(2026, 3, 23), Precision.MONTH),
        ("last month", date(2026, 2, 1), date(2026, 3, 1), Precision.MONTH),
        ("last year", date(2025, 1, 1), date(2026, 1, 1), Precision.YEAR),
        ("last friday", date(2026, 3, 20), date(2026, 3, 21), Precision.DAY),
        ("last monday", date(2026, 3, 16), date(2026, 3, 17), Precision.DAY),
        ("next monday", date(2026, 3, 30), date(2026, 3, 31), Precision.DAY),
        ("this may", date(2026, 5, 1), date(2026, 6, 1), Precision.MONTH),
        ("two days ago", date(2026, 3, 21), date(2026, 3, 22), Precision.DAY),
        ("3 months ago", date(2025, 12, 1), date(2026, 1, 1), Precision.MONTH),
        ("a couple of years ago", date(2024, 1, 1), date(2025, 1, 1), Precision.YEAR),
    ],
)
def test_a_date_covers_its_unit(text, first, after, precision):
    span = span_of(text, TODAY)
    assert (first, after, precision) == (
        datetime_of(span.from_us).date(),
        datetime_of(span.to_us).date(),
        span.precision,
    )


@pytest.mark.parametrize("text", ["2021-02-30", "31 February", "2021-13", "0 may", "soon", ""])
def test_a_day_that_is_none_is_no_date(text):
    assert None is span_of(text, TODAY)


@pytest.mark.parametrize(
    ("clause", "kind", "rest"),
    [
        ("I lived in Rome from 2015 to 2018", Kind.RANGE, "I lived in Rome"),
        ("since March 2021 I live in Oslo", Kind.SINCE, "I live in Oslo"),
        ("we keep it until May 2026", Kind.UNTIL, "we keep it"),
        ("I joined Acme in 2020", Kind.AT, "I joined Acme"),
        ("I have lived here for 3 years", Kind.LASTING, "I have lived here"),
        ("yesterday we moved", Kind.AT, "we moved"),
    ],
)
def test_the_expression_is_taken_off(clause, kind, rest):
    when, left = find_when(clause, event_us=NOW_US)
    assert (kind, rest) == (when.kind, left)


def test_may_is_a_month_only_where_it_is_a_date():
    assert (None, "I may move") == find_when("I may move", event_us=NOW_US)
    assert None is not find_when("I moved in May", event_us=NOW_US)[0]


def test_a_state_without_a_date_has_an_unknown_start_and_a_past_one_was_over():
    state = bounds_of(None, Tense.STATE, event_us=NOW_US)
    past = bounds_of(None, Tense.PAST, event_us=NOW_US)
    assert [(None, None), (None, NOW_US)] == [tuple(b[:2]) for b in (state, past)]


def test_the_day_is_that_of_the_speaker():
    late = instant_of("test", datetime(2026, 3, 22, 23, tzinfo=UTC))
    assert [date(2026, 3, 22), date(2026, 3, 23)] == [day_of(late, 0), day_of(late, 120)]


@given(st.text(max_size=60), st.integers(-(10**15), 4 * 10**15))
def test_no_clause_breaks_it(clause, event_us):
    when, _ = find_when(clause, event_us=event_us)
    assert when is None or when.start.from_us < when.start.to_us
