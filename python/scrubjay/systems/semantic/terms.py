"""Terms: what may be a name in a statement, and which predicates hold one value at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.base.terms import predicate_key

__all__ = [
    "DEFAULT_FUNCTIONAL",
    "MAX_TERM_CHARS",
    "check_term",
    "is_functional",
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


def is_functional(predicate: str, declared: Mapping[str, bool]) -> bool:
    """Return whether ``predicate`` holds one value at a time; a declaration wins over the defaults.

    ``declared`` is by predicate key.

    >>> (
    ...     is_functional("lives_in", {}),
    ...     is_functional("speaks", {}),
    ...     is_functional("speaks", {"speaks": True}),
    ... )
    (True, False, True)
    """
    key = predicate_key(predicate)
    if key in declared:
        return declared[key]
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
