"""Reminders: "remind me to X on Tuesday at 9" becomes an action and an instant.

The time is understood at the speaker's place: relative to when it was said, in the offset it was
written with, and in the future. Parsing dates is slow to load, so it is loaded when the first
reminder is met and never otherwise.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from scrubjay.base.clock import MINUTE_US, datetime_of, instant_of
from scrubjay.policies.consolidation.sentences import Sentence

__all__ = ["Reminder", "reminder_in"]

_ASK = re.compile(
    r"\b(?:please\s+)?(?:remind\s+me|do\s+not\s+let\s+me\s+forget|set\s+(?:me\s+)?a\s+reminder"
    r"|make\s+sure\s+i\s+remember)\b\s*(?P<rest>.+)$",
    re.IGNORECASE,
)
_WHEN = r"(?:on|at|in|by|this|next|tomorrow|tonight|today|around|after|before)\b[\w\s:.,/+-]*?"
_TIME_FIRST = re.compile(
    rf"^(?P<when>{_WHEN})\s*,?\s*(?:to|that|about)\s+(?P<what>.+)$", re.IGNORECASE
)
_WHAT_FIRST = re.compile(r"^(?:to|that|about|of)\s+(?P<what>.+)$", re.IGNORECASE)
_TIME_START = re.compile(
    r"\s+(?=(?:on\s+(?:the\s+)?(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec)|at\s+(?:\d|noon|midnight)|in\s+(?:\d+|an?|two|three|four|five|six|ten|half\s+an)\s+"
    r"(?:minute|hour|day|week|month|min)|by\s+(?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow)"
    r"|tomorrow|tonight|today|next\s+(?:week|month|mon|tue|wed|thu|fri|sat|sun)"
    r"|this\s+(?:afternoon|evening|morning|mon|tue|wed|thu|fri|sat|sun)))",
    re.IGNORECASE,
)
_WORDS = (
    (re.compile(r"\bnoon\b", re.IGNORECASE), "12:00"),
    (re.compile(r"\bmidnight\b", re.IGNORECASE), "00:00"),
    (re.compile(r"\bthis\s+morning\b", re.IGNORECASE), "today 09:00"),
    (re.compile(r"\b(?:this\s+)?afternoon\b", re.IGNORECASE), "today 15:00"),
    (re.compile(r"\bthis\s+evening\b|\btonight\b", re.IGNORECASE), "today 19:00"),
    (re.compile(r"\bin\s+half\s+an\s+hour\b", re.IGNORECASE), "in 30 minutes"),
    (re.compile(r"^(?:on|by|around)\s+(?:the\s+)?", re.IGNORECASE), ""),
    (re.compile(r"\bo['\u2019]?clock\b", re.IGNORECASE), ""),
    (re.compile(r"\bat\s+(\d{1,2})(?!\d|:|\s*[ap]\.?m)", re.IGNORECASE), r"at \1:00"),
    (re.compile(r"\bnext\s+(?=(?:mon|tue|wed|thu|fri|sat|sun))", re.IGNORECASE), ""),
)
_CLOCK = re.compile(r"^at\s+(\d{1,2}):(\d\d)(?:\s*([ap])\.?m\.?)?$", re.IGNORECASE)
_HAS_HOUR = re.compile(r"\d\s*:\s*\d\d|\d\s*[ap]\.?m\b|\b(?:minute|hour|min)s?\b", re.IGNORECASE)

DEFAULT_HOUR = 9
"""A day without an hour means nine in the morning."""

MAX_ACTION_CHARS = 300


class Reminder(NamedTuple):
    """What to do and when it is due."""

    action: str
    due_us: int


def reminder_in(sentence: Sentence, *, event_us: int, offset_min: int) -> Reminder | None:
    """Return the reminder a sentence asks for; None if it asks for none or names no time.

    Cost: microseconds where no cue matches; the first match loads the date parser (0.3 s).
    """
    ask = _ASK.search(sentence.text.rstrip(" .!?"))
    if ask is None:
        return None
    what, when = _parts(ask["rest"].strip())
    if not what or not when or len(what) > MAX_ACTION_CHARS:
        return None
    due_us = _instant(when, event_us, offset_min)
    return None if due_us is None else Reminder(what, due_us)


def _parts(rest: str) -> tuple[str, str]:
    """Split "on Tuesday at 9 to call" and "to call on Tuesday at 9" into (call, Tuesday at 9)."""
    first = _TIME_FIRST.match(rest)
    if first:
        return first["what"].strip(" ,"), first["when"].strip(" ,")
    body = _WHAT_FIRST.match(rest)
    if body is None:
        return "", ""
    what = body["what"]
    starts = list(_TIME_START.finditer(what))
    if not starts:
        return "", ""
    at = starts[0].start()
    return what[:at].strip(" ,"), what[at:].strip(" ,")


def _instant(when: str, event_us: int, offset_min: int) -> int | None:
    text = when
    for pattern, replacement in _WORDS:
        text = pattern.sub(replacement, text)
    text = text.strip()
    local = datetime_of(event_us + offset_min * MINUTE_US).replace(tzinfo=None)
    found = _clock_time(text, local) or _parsed(text, local)
    if found is None:
        return None
    aware = found.replace(tzinfo=UTC)
    return instant_of("reminder_in", aware) - offset_min * MINUTE_US


def _clock_time(text: str, local: datetime) -> datetime | None:
    """Return the next time the clock shows "at 8:30"."""
    match = _CLOCK.match(text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    if match[3]:
        hour = hour % 12 + (12 if match[3].casefold() == "p" else 0)
    if hour > 23 or minute > 59:  # noqa: PLR2004 - the hands of a clock
        return None
    found = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return found if found > local else found + timedelta(days=1)


def _parsed(text: str, local: datetime) -> datetime | None:
    import dateparser

    found: datetime | None = dateparser.parse(
        text,
        languages=["en"],
        settings={
            "RELATIVE_BASE": local,
            "PREFER_DATES_FROM": "future",
            "RETURN_AS_TIMEZONE_AWARE": False,
            "DATE_ORDER": "DMY",
        },
    )
    if found is None:
        return None
    if not _HAS_HOUR.search(text):
        found = found.replace(hour=DEFAULT_HOUR, minute=0, second=0, microsecond=0)
    if found <= local and not re.search(r"\d{4}-\d\d-\d\d", text):
        found += timedelta(days=1)
    return found
