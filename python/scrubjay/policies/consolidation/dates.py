"""Dates in prose: "since March 2021", "last week", resolved against the time of speaking.

Each expression becomes a span that is as wide as it is vague: 2021 is a year and not its first of
January. Relative words count from the speaker's own day, by the offset the turn was written with.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from scrubjay.base.clock import MINUTE_US, datetime_of, instant_of
from scrubjay.base.trace import Precision
from scrubjay.policies.consolidation.lexicon import word_list

__all__ = ["Bounds", "Span", "Tense", "When", "bounds_of", "day_of", "find_when", "span_of"]

_MONTHS = word_list(
    "january february march april may june july august september october november december"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = rf"(?:{'|'.join(_WEEKDAYS)})"
_YEAR = r"(?:19|20)\d\d"
_COUNT = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_UNIT = r"(?:day|week|month|year)s?"
_SAME_DAY = {"today", "tonight", "this morning", "this afternoon", "this evening"}
_COUNTS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
} | {"a": 1, "an": 1, "twelve": 12}

_DATE = (
    rf"(?:{_YEAR}-\d\d-\d\d|{_YEAR}-\d\d(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s+{_YEAR})?"
    rf"|(?:early\s+|late\s+|mid\s+)?{_MONTH}(?:\s+(?:of\s+)?{_YEAR})?"
    rf"|{_YEAR}(?!-?\d)"
    r"|the\s+day\s+before\s+yesterday|yesterday|today|tomorrow|tonight|last\s+night"
    r"|this\s+(?:morning|afternoon|evening)"
    rf"|(?:last|this|next)\s+(?:week|month|year|weekend|{_WEEKDAY}|{_MONTH})"
    rf"|{_COUNT}\s+{_UNIT}\s+ago|a\s+couple\s+of\s+{_UNIT}\s+ago)"
)
_BARE = (
    r"(?:the\s+day\s+before\s+yesterday|yesterday|today|tomorrow|last\s+night"
    r"|this\s+(?:morning|afternoon|evening)"
    rf"|(?:last|next)\s+(?:week|month|year|weekend|{_WEEKDAY}|{_MONTH})"
    rf"|this\s+(?:week|month|year)|{_COUNT}\s+{_UNIT}\s+ago|a\s+couple\s+of\s+{_UNIT}\s+ago)"
)


class Kind(StrEnum):
    """What an expression says about a state."""

    SINCE = "since"
    UNTIL = "until"
    RANGE = "range"
    AT = "at"
    LASTING = "lasting"


_EXPRESSIONS = (
    (
        Kind.RANGE,
        re.compile(
            rf",?\s*\b(?:from|between)\s+(?P<a>{_DATE})\s+(?:to|until|till|through|and)\s+"
            rf"(?P<b>{_DATE})\b",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.SINCE,
        re.compile(
            rf",?\s*\b(?:ever\s+since|since|as\s+of|effective|starting(?:\s+(?:in|on|from))?|from)"
            rf"\s+(?P<a>{_DATE})(?:\s+on(?:wards?)?)?\b",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.UNTIL,
        re.compile(
            rf",?\s*\b(?:until|till|through|up\s+to)\s+(?:the\s+end\s+of\s+)?(?P<a>{_DATE})\b",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.LASTING,
        re.compile(
            rf",?\s*\bfor\s+(?:(?:the\s+)?(?:last|past)\s+|about\s+|over\s+|almost\s+)?"
            rf"(?P<a>{_COUNT}\s+{_UNIT})(?:\s+now)?\b",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.AT,
        re.compile(rf",?\s*\b(?:back\s+in|in|on|during)\s+(?P<a>{_DATE})\b", re.IGNORECASE),
    ),
    (Kind.AT, re.compile(rf"(?:^|,?\s+|\b)(?P<a>{_BARE})\b,?", re.IGNORECASE)),
)


_CUE = re.compile(
    r"\d|day\b|night|\b(?:last|this|next|ago|since|until|till|effective|starting|early|late|mid)\b"
    rf"|\b(?:in|on|during|from|through|of)\s+{_MONTH}\b|\b{_COUNT}\s+{_UNIT}\b",
    re.IGNORECASE,
)
"""A clause without any of these has no date; most have none."""


class Span(NamedTuple):
    """A date as an interval, half-open, with how exactly it was given."""

    from_us: int
    to_us: int
    precision: Precision


class When(NamedTuple):
    """One expression of time; ``end`` only for a range."""

    kind: Kind
    start: Span
    end: Span | None = None


class Tense(StrEnum):
    """How a clause speaks: a state that holds, a change into one, or a state that is over."""

    STATE = "state"
    CHANGE = "change"
    PAST = "past"


class Bounds(NamedTuple):
    """Validity as an assertion carries it."""

    from_us: int | None
    to_us: int | None
    precision: Precision


_UNKNOWN = Bounds(None, None, Precision.UNKNOWN)


def find_when(clause: str, *, event_us: int, offset_min: int = 0) -> tuple[When | None, str]:
    """Return the first expression of time in a clause, and the clause without it.

    >>> when, rest = find_when("I lived in Oslo from 2015 to 2018", event_us=0)
    >>> when.kind.value, rest
    ('range', 'I lived in Oslo')
    """
    if not _CUE.search(clause):
        return None, clause
    today = day_of(event_us, offset_min)
    for kind, pattern in _EXPRESSIONS:
        match = pattern.search(clause)
        if match is None:
            continue
        start = _lasting(match["a"], today) if kind is Kind.LASTING else span_of(match["a"], today)
        end = span_of(match["b"], today) if kind is Kind.RANGE else None
        if start is None or (kind is Kind.RANGE and end is None):
            continue
        rest = f"{clause[: match.start()]} {clause[match.end() :]}"
        return When(kind, start, end), " ".join(rest.split()).strip(" ,")
    return None, clause


def bounds_of(when: When | None, tense: Tense, *, event_us: int) -> Bounds:
    """Return the validity that an expression gives to a clause of a tense.

    A state without a date holds since nobody knows when; a past state without one was over by the
    time of speaking.
    """
    if when is None:
        return Bounds(None, event_us, Precision.UNKNOWN) if tense is Tense.PAST else _UNKNOWN
    start, end = when.start, when.end
    if when.kind is Kind.RANGE and end is not None:
        to_us = max(end.to_us, start.from_us + 1)
        return Bounds(start.from_us, to_us, start.precision)
    if when.kind is Kind.UNTIL:
        return Bounds(None, start.to_us, Precision.UNKNOWN)
    if tense is Tense.PAST:
        if when.kind is Kind.AT:
            return Bounds(start.from_us, start.to_us, start.precision)
        return Bounds(None, event_us, Precision.UNKNOWN)
    if when.kind is Kind.AT and tense is Tense.STATE:
        return _UNKNOWN
    return Bounds(start.from_us, None, start.precision)


def day_of(event_us: int, offset_min: int) -> date:
    """Return the calendar day at the speaker's place."""
    return datetime_of(event_us + offset_min * MINUTE_US).date()


def span_of(text: str, today: date) -> Span | None:
    """Return what a date expression covers, or None where it names no day there is."""
    words = " ".join(text.casefold().replace(",", " ").split())
    try:
        return _absolute(words, today) or _relative(words, today)
    except (ValueError, OverflowError):
        return None


def _absolute(words: str, today: date) -> Span | None:
    if match := re.fullmatch(rf"({_YEAR})-(\d\d)-(\d\d)", words):
        return _day(date(int(match[1]), int(match[2]), int(match[3])))
    if match := re.fullmatch(rf"({_YEAR})-(\d\d)", words):
        return _month(int(match[1]), int(match[2]))
    if re.fullmatch(_YEAR, words):
        return _year(int(words))
    if match := re.fullmatch(rf"(?:early |late |mid )?({_MONTH})(?: (?:of )?({_YEAR}))?", words):
        month = _month_number(match[1])
        year = int(match[2]) if match[2] else today.year - (month > today.month)
        return _month(year, month)
    number, day, year = _month_day(words)
    if not number:
        return None
    if not year:
        later = (number, day) > (today.month, today.day)
        return _day(date(today.year - later, number, day))
    return _day(date(year, number, day))


def _month_day(words: str) -> tuple[int, int, int]:
    """Return month, day and year of "3 March 2021" or "March 3rd"; year 0 if it has none."""
    match = re.fullmatch(
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})(?: (?P<y>{_YEAR}))?", words
    ) or re.fullmatch(
        rf"(?P<m>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: (?P<y>{_YEAR}))?", words
    )
    if match is None:
        return 0, 0, 0
    return _month_number(match["m"]), int(match["d"]), int(match["y"] or 0)


def _relative(words: str, today: date) -> Span | None:
    days = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "tomorrow": 1,
    }
    if words in days or words in _SAME_DAY:
        return _day(today + timedelta(days=days.get(words, 0)))
    if words.endswith(" ago"):
        return _ago(words.removesuffix(" ago"), today)
    which, _, unit = words.partition(" ")
    step = {"last": -1, "this": 0, "next": 1}.get(which)
    return None if step is None else _stepped(unit, step, today)


def _stepped(unit: str, step: int, today: date) -> Span:
    """Return last (-1), this (0) or next (1) week, month, year, weekday or named month."""
    if unit == "week":
        monday = today + timedelta(days=7 * step - today.weekday())
        return Span(_us(monday), _us(monday + timedelta(days=7)), Precision.MONTH)
    if unit == "weekend":
        saturday = today + timedelta(days=7 * step + 5 - today.weekday())
        return Span(_us(saturday), _us(saturday + timedelta(days=2)), Precision.DAY)
    if unit == "month":
        index = today.year * 12 + today.month - 1 + step
        return _month(index // 12, index % 12 + 1)
    if unit == "year":
        return _year(today.year + step)
    if unit in _WEEKDAYS:
        return _day(_weekday(today, _WEEKDAYS.index(unit), step))
    month = _month_number(unit)
    ahead = month > today.month if step < 0 else month < today.month
    return _month(today.year + (-1 if step < 0 else 1) * ahead, month)


def _weekday(today: date, weekday: int, step: int) -> date:
    """Return the nearest such day before today (last), from today (this) or after it (next)."""
    if step < 0:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    ahead = (weekday - today.weekday()) % 7
    return today + timedelta(days=ahead if step == 0 or ahead else 7)


def _ago(words: str, today: date) -> Span | None:
    match = re.fullmatch(rf"({_COUNT}|a couple of) (day|week|month|year)s?", words)
    if match is None:
        return None
    count = 2 if match[1] == "a couple of" else _count(match[1])
    if match[2] == "day":
        return _day(today - timedelta(days=count))
    if match[2] == "week":
        middle = today - timedelta(weeks=count)
        return Span(
            _us(middle - timedelta(days=3)), _us(middle + timedelta(days=4)), Precision.MONTH
        )
    if match[2] == "month":
        index = today.year * 12 + today.month - 1 - count
        return _month(index // 12, index % 12 + 1)
    return _year(today.year - count)


def _lasting(words: str, today: date) -> Span | None:
    try:
        return _ago(words.casefold(), today)
    except (ValueError, OverflowError):
        return None


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word]


def _month_number(word: str) -> int:
    head = word.rstrip(".")[:3]
    return next((n for n, name in enumerate(_MONTHS, 1) if name.startswith(head)), 0)


def _day(day: date) -> Span:
    return Span(_us(day), _us(day + timedelta(days=1)), Precision.DAY)


def _month(year: int, month: int) -> Span:
    first = date(year, month, 1)
    return Span(_us(first), _us((first + timedelta(days=32)).replace(day=1)), Precision.MONTH)


def _year(year: int) -> Span:
    return Span(_us(date(year, 1, 1)), _us(date(year + 1, 1, 1)), Precision.YEAR)


def _us(day: date) -> int:
    return instant_of("dates", datetime(day.year, day.month, day.day, tzinfo=UTC))
