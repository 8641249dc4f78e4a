"""The door: everything a caller hands in is checked here, before anything changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from scrubjay.base.clock import DAY_US, instant_of
from scrubjay.base.errors import ArgumentTypeError, ClockError, InvalidArgumentError, UnitError
from scrubjay.base.limits import MAX_CONTENT_BYTES, MAX_NAME_CHARS

__all__ = [
    "MAX_QUERY_CHARS",
    "check_content",
    "check_count",
    "check_event_time",
    "check_flag",
    "check_fraction",
    "check_known",
    "check_listed",
    "check_member",
    "check_name",
    "check_query",
    "check_scope",
    "check_text",
]

MAX_QUERY_CHARS = 100_000
"""A question longer than this is a document; observe it instead."""

FUTURE_TOLERANCE_US = DAY_US
"""Clocks of other machines may run ahead by up to a day."""

Member = TypeVar("Member")


def check_text(function: str, what: str, value: object) -> str:
    """Return ``value`` as a plain str if it is text that UTF-8 can hold and that has no NUL.

    Raises:
        ArgumentTypeError: not a str.
        InvalidArgumentError: a lone surrogate or a NUL character.
    """
    if not isinstance(value, str):
        msg = f"{function}: {what} has the wrong type, got {type(value).__name__}, expected str"
        raise ArgumentTypeError(msg)
    value = str.__str__(value)
    if "\0" in value:
        msg = (
            f"{function}: {what} holds a NUL character, got one at index {value.index(chr(0))}, "
            "expected text; remove it or decode the bytes first"
        )
        raise InvalidArgumentError(msg)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        msg = (
            f"{function}: {what} holds a lone surrogate, got one at index {error.start}, "
            "expected valid Unicode; decode the source with errors='replace'"
        )
        raise InvalidArgumentError(msg) from error
    return value


def check_content(function: str, value: object, *, may_be_empty: bool = False) -> str:
    """Return the text of a memory, refusing empty and oversized text.

    Raises:
        InvalidArgumentError: empty (unless allowed), or longer than ``MAX_CONTENT_BYTES``.
        ArgumentTypeError: not a str.
    """
    if isinstance(value, str) and len(value) > MAX_CONTENT_BYTES:
        msg = (
            f"{function}: content is too long, got {len(value):,} characters, expected at most "
            f"{MAX_CONTENT_BYTES:,} bytes of UTF-8; split it, or store where it can be found"
        )
        raise InvalidArgumentError(msg)
    text = check_text(function, "content", value)
    if len(text.encode()) > MAX_CONTENT_BYTES:
        msg = (
            f"{function}: content is too long, got {len(text.encode()):,} bytes, expected at most "
            f"{MAX_CONTENT_BYTES:,}; split it, or store where it can be found"
        )
        raise InvalidArgumentError(msg)
    if not may_be_empty and not text.strip():
        msg = f"{function}: content is empty, got {text[:20]!r}, expected some text"
        raise InvalidArgumentError(msg)
    return text


def check_query(function: str, value: object) -> str:
    """Return a question as text that can be searched; NUL and surrogates become spaces.

    Raises:
        ArgumentTypeError: not a str.
        InvalidArgumentError: blank, or longer than ``MAX_QUERY_CHARS``.
    """
    if not isinstance(value, str):
        msg = f"{function}: query has the wrong type, got {type(value).__name__}, expected str"
        raise ArgumentTypeError(msg)
    value = str.__str__(value)
    if len(value) > MAX_QUERY_CHARS:
        msg = (
            f"{function}: query is too long, got {len(value):,} characters, "
            f"expected at most {MAX_QUERY_CHARS:,}; ask a question, observe documents"
        )
        raise InvalidArgumentError(msg)
    text = value.replace("\0", " ").encode(errors="replace").decode()
    if not text.strip():
        msg = f"{function}: query is empty, got {value[:20]!r}, expected some text"
        raise InvalidArgumentError(msg)
    return text


def check_name(function: str, what: str, value: object) -> str:
    """Return a non-blank name of at most ``MAX_NAME_CHARS`` characters, taken literally.

    Raises:
        ArgumentTypeError: not a str.
        InvalidArgumentError: blank or too long.
    """
    text = check_text(function, what, value)
    if not text.strip() or len(text) > MAX_NAME_CHARS:
        msg = (
            f"{function}: {what} has the wrong length, got {len(text)} characters, "
            f"expected 1 to {MAX_NAME_CHARS} and not blank"
        )
        raise InvalidArgumentError(msg)
    return text


def check_scope(function: str, value: object) -> str:
    """Return a scope path: non-empty components joined by ``/``, taken literally.

    Raises:
        ArgumentTypeError: not a str.
        InvalidArgumentError: blank, too long, or with an empty component.
    """
    path = check_name(function, "scope", value)
    if any(not component for component in path.split("/")):
        msg = (
            f"{function}: scope has an empty component, got {path!r:.60}, "
            "expected components joined by single slashes, such as 'org/agent'"
        )
        raise InvalidArgumentError(msg)
    return path


def check_fraction(function: str, what: str, value: object) -> float:
    """Return a number in [0, 1]. Raises ArgumentTypeError or UnitError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        msg = f"{function}: {what} has the wrong type, got {type(value).__name__}, expected float"
        raise ArgumentTypeError(msg)
    if not 0.0 <= value <= 1.0:
        msg = f"{function}: {what} is out of range, got {value}, expected 0 to 1"
        raise UnitError(msg)
    return float(value)


def check_count(function: str, what: str, value: object, *, at_least: int, at_most: int) -> int:
    """Return an integer inside its bounds. Raises ArgumentTypeError or UnitError."""
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{function}: {what} has the wrong type, got {type(value).__name__}, expected int"
        raise ArgumentTypeError(msg)
    if not at_least <= value <= at_most:
        msg = f"{function}: {what} is out of range, got {value}, expected {at_least} to {at_most}"
        raise UnitError(msg)
    return int(value)


def check_flag(function: str, what: str, value: object) -> bool:
    """Return True or False, None being False; what is only truthy, as the text "no", is refused.

    Raises ArgumentTypeError.
    """
    if value is None:
        return False
    if not isinstance(value, bool):
        msg = f"{function}: {what} has the wrong type, got {type(value).__name__}, expected bool"
        raise ArgumentTypeError(msg)
    return value


def check_member(function: str, what: str, value: object, among: Iterable[Member]) -> Member:
    """Return the member of ``among``, which are texts, that equals ``value``.

    Raises:
        ArgumentTypeError: not a str.
        InvalidArgumentError: none does; the message lists them all.
    """
    members = list(among)
    if not isinstance(value, str):
        names = ", ".join(str(member) for member in members)
        msg = (
            f"{function}: {what} has the wrong type, got {type(value).__name__}, "
            f"expected one of {names}"
        )
        raise ArgumentTypeError(msg)
    for member in members:
        if member == value:
            return member
    names = ", ".join(str(member) for member in members)
    msg = f"{function}: unknown {what}, got {value!r:.60}, expected one of {names}"
    raise InvalidArgumentError(msg)


def check_known(function: str, given: Mapping[str, object], declared: type) -> None:
    """Refuse keyword arguments that ``declared`` (a TypedDict) does not name.

    Raises:
        ArgumentTypeError: the text lists the known ones.
    """
    known = declared.__annotations__
    unknown = [name for name in given if name not in known]
    if unknown:
        msg = (
            f"{function}: unknown argument, got {', '.join(unknown):.100}, "
            f"expected any of {', '.join(known)}"
        )
        raise ArgumentTypeError(msg)


def check_listed(function: str, what: str, values: Iterable[Member]) -> list[Member]:
    """Return the items of an iterable that is not a text. Raises ArgumentTypeError."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        kind = type(values).__name__
        msg = f"{function}: {what} has the wrong type, got {kind}, expected an iterable"
        raise ArgumentTypeError(msg)
    return list(values)


def check_event_time(function: str, value: datetime | int, *, now_us: int) -> int:
    """Return when something happened; it may lie in the past, but not in the future.

    Raises:
        ClockError: naive, negative (before 1970), or more than a day after ``now_us``.
        ArgumentTypeError: neither datetime nor int.
    """
    event_us = instant_of(function, value)
    if event_us < 0:
        msg = f"{function}: event_time lies before 1970, got {event_us} us, expected >= 0"
        raise ClockError(msg)
    if event_us > now_us + FUTURE_TOLERANCE_US:
        msg = (
            f"{function}: event_time lies in the future, got {event_us} us, expected at most a "
            f"day after {now_us} us; plan what is to come with remind()"
        )
        raise ClockError(msg)
    return event_us
