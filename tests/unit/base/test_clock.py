"""Time is int microseconds UTC; what is naive, out of range or backwards is refused (case B12)."""

import time
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.clock import (
    MAX_US,
    MIN_US,
    SECOND_US,
    Clock,
    ManualClock,
    SystemClock,
    check_instant,
    datetime_of,
    format_us,
    instant_of,
    offset_min_of,
)
from scrubjay.base.errors import ArgumentTypeError, ClockError

INDIA = timezone(timedelta(hours=5, minutes=30))


def test_manual_clock_starts_at_the_year_2000():
    assert "2000-01-01T00:00:00Z" == format_us(ManualClock().now_us())


def test_manual_clock_stands_still_until_told():
    clock = ManualClock()
    assert clock.now_us() == clock.now_us()


def test_manual_clock_adds_every_unit():
    clock = ManualClock(0)
    clock.advance(us=1, seconds=2, hours=3, days=4)
    assert 1 + 2 * SECOND_US + 3 * 3600 * SECOND_US + 4 * 86_400 * SECOND_US == clock.now_us()


def test_manual_clock_refuses_to_go_back_and_stays_where_it_was():
    clock = ManualClock(10)
    with pytest.raises(ClockError, match="cannot go backwards, got -1 us"):
        clock.advance(us=-1)
    with pytest.raises(ClockError):
        clock.set(9)
    assert 10 == clock.now_us()


def test_manual_clock_may_be_set_to_where_it_is():
    clock = ManualClock(10)
    clock.set(10)
    clock.set(11)
    assert 11 == clock.now_us()


def test_manual_clock_refuses_to_leave_the_calendar():
    with pytest.raises(ClockError, match="years 1 to 9999"):
        ManualClock(MAX_US).advance(us=1)


def test_system_clock_agrees_with_the_system():
    before = time.time_ns() // 1000
    now_us = SystemClock().now_us()
    assert before <= now_us <= time.time_ns() // 1000


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()], ids=["system", "manual"])
def test_both_clocks_are_clocks(clock):
    assert isinstance(clock, Clock)


@pytest.mark.parametrize("value", [1.0, "0", None, True, datetime(2000, 1, 1, tzinfo=UTC)])
def test_instant_must_be_an_int(value):
    with pytest.raises(ArgumentTypeError, match="sample: an instant must be int microseconds UTC"):
        check_instant("sample", value)


@pytest.mark.parametrize("value", [MIN_US, 0, MAX_US])
def test_instants_of_the_calendar_pass(value):
    assert value == check_instant("sample", value)


@pytest.mark.parametrize("value", [MIN_US - 1, MAX_US + 1, 10**30])
def test_instants_outside_the_calendar_are_refused(value):
    with pytest.raises(ClockError, match="years 1 to 9999"):
        check_instant("sample", value)


def test_b12_naive_datetime_is_refused_with_what_to_do():
    with pytest.raises(ClockError, match=r"no time zone, got 2026-03-01T12:00:00.*add tzinfo"):
        instant_of("sample", datetime(2026, 3, 1, 12))  # noqa: DTZ001 - naive is the point


def test_b12_offset_is_converted_and_kept():
    written = datetime(2026, 3, 1, 5, 30, tzinfo=INDIA)
    assert instant_of("sample", datetime(2026, 3, 1, tzinfo=UTC)) == instant_of("sample", written)
    assert 330 == offset_min_of(written)


def test_b12_both_readings_of_the_repeated_hour_are_told_apart():
    berlin = ZoneInfo("Europe/Berlin")
    first = instant_of("sample", datetime(2025, 10, 26, 2, 30, tzinfo=berlin))
    second = instant_of("sample", datetime(2025, 10, 26, 2, 30, fold=1, tzinfo=berlin))
    assert 3600 * SECOND_US == second - first


def test_b12_leap_day_and_last_year_are_exact():
    leap = datetime(2024, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    last = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert leap == datetime_of(instant_of("sample", leap))
    assert MAX_US == instant_of("sample", last)


def test_b12_local_time_beyond_the_last_instant_is_refused():
    beyond = datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(-timedelta(hours=5)))
    with pytest.raises(ClockError):
        instant_of("sample", beyond)


@given(st.integers(MIN_US, MAX_US))
def test_every_instant_survives_the_calendar(us):
    assert us == instant_of("sample", datetime_of(us))


@given(st.integers(MIN_US, MAX_US))
def test_every_instant_survives_its_text(us):
    text = format_us(us)
    assert text.endswith("Z")
    assert us == instant_of("sample", datetime.fromisoformat(text))


def test_an_int_was_written_without_an_offset():
    assert 0 == offset_min_of(0)
