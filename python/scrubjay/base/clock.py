"""The one place that reads the system clock.

An instant is an ``int``: microseconds since 1970-01-01 UTC. Integers compare exactly and survive
JSON. The facade reads its clock once per public call and hands ``now_us`` down; nothing below it
asks for the time.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol, runtime_checkable

from scrubjay.base.errors import ArgumentTypeError, ClockError

__all__ = [
    "DAY_US",
    "HOUR_US",
    "MAX_US",
    "MINUTE_US",
    "MIN_US",
    "SECOND_US",
    "Clock",
    "ManualClock",
    "SystemClock",
    "check_instant",
    "datetime_of",
    "format_us",
    "instant_of",
    "offset_min_of",
]

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MIN_US = -62_135_596_800 * SECOND_US
"""0001-01-01T00:00:00Z, the first instant a datetime can hold."""

MAX_US = 253_402_300_800 * SECOND_US - 1
"""9999-12-31T23:59:59.999999Z, the last instant a datetime can hold."""


@runtime_checkable
class Clock(Protocol):
    """Tells the time as microseconds since the epoch, UTC."""

    def now_us(self) -> int:
        """Return the present instant in microseconds."""
        ...


class SystemClock:
    """The computer's own clock."""

    def now_us(self) -> int:
        """Return the system time in microseconds since the epoch, UTC."""
        return time.time_ns() // 1000


class ManualClock:
    """A clock that moves only when told to; the base of every reproducible run.

    >>> clock = ManualClock(start_us=1_000_000)
    >>> clock.advance(seconds=1.5)
    >>> clock.now_us()
    2500000
    """

    def __init__(self, start_us: int = 946_684_800 * SECOND_US) -> None:
        """Start at ``start_us``, by default 2000-01-01T00:00:00Z."""
        self._now_us = check_instant("ManualClock", start_us)

    def now_us(self) -> int:
        """Return the instant the clock was last set to."""
        return self._now_us

    def advance(
        self, *, us: int = 0, seconds: float = 0, hours: float = 0, days: float = 0
    ) -> None:
        """Move forward by the sum of the given spans; a negative sum is a ClockError."""
        step = us + round(seconds * SECOND_US + hours * HOUR_US + days * DAY_US)
        if step < 0:
            msg = f"ManualClock.advance: time cannot go backwards, got {step} us, expected >= 0"
            raise ClockError(msg)
        self._now_us = check_instant("ManualClock.advance", self._now_us + step)

    def set(self, now_us: int) -> None:
        """Jump to ``now_us``, which must not lie before the present instant."""
        self.advance(us=now_us - self._now_us)


def check_instant(function: str, value: object) -> int:
    """Return ``value`` if it is an int inside years 1 to 9999, else raise.

    Raises:
        ArgumentTypeError: not an int (a bool is not an instant).
        ClockError: outside ``MIN_US`` … ``MAX_US``.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        msg = (
            f"{function}: an instant must be int microseconds UTC, got {type(value).__name__}, "
            "expected int; where a datetime is taken, an aware one"
        )
        raise ArgumentTypeError(msg)
    if not MIN_US <= value <= MAX_US:
        msg = f"{function}: instant out of range, got {value} us, expected years 1 to 9999"
        raise ClockError(msg)
    return value


def instant_of(function: str, value: datetime | int) -> int:
    """Return microseconds UTC for an aware datetime, or check an int instant.

    Raises:
        ClockError: a naive datetime, or an instant outside years 1 to 9999.
        ArgumentTypeError: neither datetime nor int.

    >>> instant_of("doc", datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    if isinstance(value, datetime):
        if value.tzinfo is None or value.utcoffset() is None:
            msg = (
                f"{function}: the datetime has no time zone, got {value.isoformat()}, "
                "expected an aware one; add tzinfo, for example datetime.timezone.utc"
            )
            raise ClockError(msg)
        return check_instant(function, (value - _EPOCH) // timedelta(microseconds=1))
    return check_instant(function, value)


def offset_min_of(value: datetime | int) -> int:
    """Return the UTC offset in whole minutes that ``value`` was written with; 0 for an int."""
    offset = value.utcoffset() if isinstance(value, datetime) else None
    return 0 if offset is None else round(offset.total_seconds() / 60)


def datetime_of(us: int) -> datetime:
    """Return the aware UTC datetime of an instant."""
    return _EPOCH + timedelta(microseconds=us)


def format_us(us: int) -> str:
    """Return an instant as ISO 8601 text in UTC, seconds precision where nothing is lost.

    >>> format_us(0)
    '1970-01-01T00:00:00Z'
    """
    text = datetime_of(us).isoformat().removesuffix("+00:00")
    return f"{text}Z"
