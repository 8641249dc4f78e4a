"""Terms: when two names mean one entity or one predicate, and which predicates hold one value.

Two names are one only where they are equal after normalising case, spaces, quotes and a leading
article. Similar is not equal: nothing here looks at vectors, so two people's answers to one
question can never run together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.base.tokens import normalise

__all__ = [
    "DEFAULT_FUNCTIONAL",
    "MAX_TERM_CHARS",
    "check_term",
    "entity_key",
    "is_functional",
    "predicate_key",
]

MAX_TERM_CHARS = 200
"""A longer subject, predicate or object is not a name but a text, and is refused."""

DEFAULT_FUNCTIONAL: Mapping[str, bool] = MappingProxyType(
    dict.fromkeys(
        (
            "age",
            "birth_date",
            "expires_on",
            "is_now",
            "lives_in",
            "located_on",
            "married_to",
            "name",
            "works_as",
            "works_at",
        ),
        True,
    )
)
"""Predicates that hold one value at a time unless declared otherwise; all others hold many."""

_FUNCTIONAL_FAMILIES = ("favourite:", "feels_about:", "observed:", "prefers:")
"""``prefers:weekly report`` is one question with one answer at a time, whatever it is about."""

_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")
_EDGES = " \t\r\n\"'`.,;:!?()[]\u2018\u2019\u201c\u201d\u00ab\u00bb"
_GAP = re.compile(r"[\s_\-]+")


@lru_cache(maxsize=1 << 14)
def entity_key(name: str) -> str:
    """Return the form in which entities are compared; idempotent.

    >>> entity_key("  The Metrics   Store ") == entity_key("metrics store")
    True
    """
    bare = " ".join(normalise(name).strip(_EDGES).split())
    while (shorter := _ARTICLE.sub("", bare).strip(_EDGES)) != bare:
        bare = shorter
    return bare or " ".join(normalise(name).split())


@lru_cache(maxsize=1 << 12)
def predicate_key(name: str) -> str:
    """Return the form in which predicates are compared: lower case, gaps as ``_``; idempotent.

    >>> predicate_key("Works at")
    'works_at'
    """
    return _GAP.sub("_", normalise(name).strip()).strip("_")


def is_functional(predicate: str, declared: Mapping[str, bool]) -> bool:
    """Return whether ``predicate`` holds one value at a time; a declaration wins over the defaults.

    >>> (
    ...     is_functional("lives_in", {}),
    ...     is_functional("speaks", {}),
    ...     is_functional("speaks", {"speaks": True}),
    ... )
    (True, False, True)
    """
    key = predicate_key(predicate)
    for name in (predicate, key):
        if name in declared:
            return declared[name]
    return DEFAULT_FUNCTIONAL.get(key, key.startswith(_FUNCTIONAL_FAMILIES))


def check_term(function: str, what: str, value: object) -> str:
    """Return a subject, predicate or object with single spaces, or refuse it.

    Raises:
        ArgumentTypeError: not a string.
        InvalidArgumentError: empty, longer than ``MAX_TERM_CHARS``, or with control characters.
    """
    if not isinstance(value, str):
        msg = f"{function}: {what} has the wrong type, got {type(value).__name__}, expected str"
        raise ArgumentTypeError(msg)
    term = " ".join(value.split())
    if not 1 <= len(term) <= MAX_TERM_CHARS or not term.isprintable():
        msg = (
            f"{function}: {what} is not a name, got {term!r:.40} ({len(term)} characters), "
            f"expected 1 to {MAX_TERM_CHARS} printable ones; keep a longer text as a note"
        )
        raise InvalidArgumentError(msg)
    return term
