"""Read the times that transcripts carry, exactly or not at all.

==================================  =====================================  ====================
written                             example                                read as
==================================  =====================================  ====================
ISO 8601 with an offset             ``2023-10-29T02:30:00+02:00``          that instant, +120 min
epoch seconds, |x| < 1e11           ``1684549260.5``                       UTC
epoch milliseconds, |x| < 1e14      ``1684549260500``                      UTC
epoch microseconds, |x| < 1e17      ``1684549260500000``                   UTC
date with weekday                   ``2023/05/20 (Sat) 02:21``             UTC, weekday checked
spoken date                         ``1:56 pm on 8 May, 2023``             UTC
==================================  =====================================  ====================

The last two name no zone, but belong to data sets whose clock is one clock; reading them as UTC
keeps every difference right. Any other time without an offset is refused: guessing a zone would be
wrong by hours without a sign. Decimal fractions are kept to the microsecond; what is finer is cut.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from scrubjay.base.clock import check_instant
from scrubjay.base.errors import ClockError

__all__ = ["Moment", "parse_time"]


class Moment(NamedTuple):
    """An instant in microseconds UTC, and the offset in minutes that it was written with."""

    us: int
    offset_min: int


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECONDS_BELOW = 10**11
_MILLISECONDS_BELOW = 10**14
_MICROSECONDS_BELOW = 10**17
_NUMBER = re.compile(r"[+-]?\d{1,17}(?:\.\d{1,9})?", re.ASCII)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WITH_WEEKDAY = re.compile(
    r"(\d{4})/(\d{1,2})/(\d{1,2}) \((\w{3})\) (\d{1,2}):(\d{2})(?::(\d{2}))?", re.ASCII
)
_SPOKEN = re.compile(
    r"(\d{1,2}):(\d{2}) ?([ap])m on (\d{1,2}) (\w+),? (\d{4})", re.ASCII | re.IGNORECASE
)
_NOON = 12


def parse_time(value: str | float) -> Moment:
    """Return the instant that ``value`` names.

    Raises:
        ClockError: no offset, not a date, a date that does not exist, or outside years 1 to 9999.

    Cost: about 1 us for ISO text, 3 us for a fraction of epoch seconds.

    >>> parse_time("1970-01-01T05:30:00+05:30")
    Moment(us=0, offset_min=330)
    >>> parse_time("2023/05/20 (Sat) 02:21").us == parse_time("2023-05-20T02:21:00Z").us
    True
    """
    if isinstance(value, str):
        return _of_text(value)
    return _of_number(value)


def _of_text(text: str) -> Moment:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _of_other_text(text.strip())
    offset = moment.utcoffset()
    if offset is None:
        if _NUMBER.fullmatch(text):
            return _of_number(Decimal(text))
        raise _refuse(text, "a time with an offset, such as 2023-05-20T02:21:00+00:00 or ...Z")
    us = (moment - _EPOCH) // _MICROSECOND
    return Moment(check_instant("parse_time", us), round(offset.total_seconds() / 60))


def _of_other_text(text: str) -> Moment:
    if _NUMBER.fullmatch(text):
        return _of_number(Decimal(text))
    if match := _WITH_WEEKDAY.fullmatch(text):
        year, month, day, weekday, hour, minute, second = match.groups(default="0")
        moment = _utc(text, year, month, day, hour, minute, second)
        if _WEEKDAYS[moment.weekday()] != weekday.lower():
            raise _refuse(text, f"the weekday of that date, {_WEEKDAYS[moment.weekday()].title()}")
    elif match := _SPOKEN.fullmatch(text):
        hour, minute, half, day, name, year = match.groups()
        names = [month for month in _MONTHS if name.lower() in {month, month[:3]}]
        if not names or not 1 <= int(hour) <= _NOON:
            raise _refuse(text, "an English month and an hour from 1 to 12")
        past_noon = _NOON if half.lower() == "p" else 0
        moment = _utc(
            text, year, _MONTHS.index(names[0]) + 1, day, int(hour) % _NOON + past_noon, minute, 0
        )
    else:
        raise _refuse(text, "ISO 8601 with an offset, or epoch seconds or milliseconds")
    return Moment((moment - _EPOCH) // _MICROSECOND, 0)


def _utc(text: str, *fields: str | int) -> datetime:
    try:
        year, month, day, hour, minute, second = map(int, fields)
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError as error:
        raise _refuse(text, f"a date that exists ({error})") from None


def _of_number(value: float | Decimal) -> Moment:
    """Read an epoch number by its size; a float by its shortest decimal form, which is exact."""
    if isinstance(value, bool):
        raise _refuse(value, "a number of seconds or milliseconds")
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite() or abs(number) >= _MICROSECONDS_BELOW:
        raise _refuse(value, "epoch seconds, milliseconds or microseconds")
    if abs(number) < _SECONDS_BELOW:
        number *= 1_000_000
    elif abs(number) < _MILLISECONDS_BELOW:
        number *= 1_000
    return Moment(check_instant("parse_time", int(number.to_integral_value("ROUND_FLOOR"))), 0)


def _refuse(value: object, expected: str) -> ClockError:
    return ClockError(f"parse_time: not a time, got {value!r:.60}, expected {expected}")
