"""Structured tool output: what a JSON object says of the thing it names, on the observed plane.

States (strings and booleans) become assertions; numbers are measurements, which matter for an hour
and fade with their row. Names are checked: a key is a short word, a value a short printable one.
Predicates live in a family of their own, so a tool can neither answer a question about what a
person said nor change how many answers it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

__all__ = ["State", "states_in"]

_NAMES = (
    "name",
    "service",
    "host",
    "id",
    "resource",
    "store",
    "project",
    "component",
    "invoice",
    "file",
)
"""Keys that name the thing an object is about, in order of preference."""

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_ -]{0,39}")
_MAX_JSON_CHARS = 100_000
_MAX_STATES = 16
_MAX_VALUE_CHARS = 80

_Scalar = str | int | float | bool | None


class State(NamedTuple):
    """One attribute of one thing as a tool reports it."""

    subject: str
    predicate: str
    object: str


def states_in(content: str) -> list[State]:
    """Return the states in a tool's answer, at most 16; none where it is not a JSON object.

    >>> states_in('{"service": "mailer", "state": "stalled", "silent_s": 4390}')
    [State(subject='mailer', predicate='observed:state', object='stalled')]
    """
    text = content.strip()
    if not text.startswith(("{", "[")) or len(text) > _MAX_JSON_CHARS:
        return []
    try:
        value: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return []
    found: list[State] = []
    for item in value if isinstance(value, list) else [value]:
        found.extend(_states_of(item))
    return found[:_MAX_STATES]


def _states_of(item: object) -> Iterator[State]:
    if not isinstance(item, dict):
        return
    scalars = {k: v for k, v in item.items() if isinstance(k, str) and isinstance(v, str | bool)}
    key = next((k for k in _NAMES if isinstance(scalars.get(k), str)), None)
    if key is None:
        return
    subject = _term(scalars[key])
    if subject is None:
        return
    for name in sorted(scalars):
        value = _term(scalars[name])
        if name != key and value is not None and _KEY.fullmatch(name):
            yield State(subject, f"observed:{name.strip().casefold().replace(' ', '_')}", value)


def _term(value: _Scalar) -> str | None:
    text = str(value).casefold() if isinstance(value, bool) else " ".join(str(value).split())
    return text if 1 <= len(text) <= _MAX_VALUE_CHARS and text.isprintable() else None
