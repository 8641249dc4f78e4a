"""Asking: turns the arguments of a recall into a checked request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, Unpack

from scrubjay.base.clock import instant_of
from scrubjay.base.errors import ArgumentTypeError, ClockError
from scrubjay.base.trace import Kind
from scrubjay.policies.door import (
    check_count,
    check_flag,
    check_fraction,
    check_known,
    check_listed,
    check_member,
    check_query,
    check_scope,
    check_text,
)
from scrubjay.policies.recall import RecallRequest, Weights

__all__ = ["MAX_K", "RecallFilters", "recall_request"]

MAX_K = 10_000
"""More than this is an export, not an answer."""


class RecallFilters(TypedDict, total=False):
    """What narrows a question; each may be left out or None."""

    scope: str | Sequence[str] | None
    under: str | Sequence[str] | None
    kinds: Sequence[str] | None
    since: datetime | int | None
    until: datetime | int | None
    as_of: datetime | int | None
    min_score: float | None
    include_archived: bool
    weights: Weights | None
    cursor: str | None


def recall_request(
    query: str, k: int, *, default_under: str | None, **filters: Unpack[RecallFilters]
) -> RecallRequest:
    """Return a checked request; with neither scope nor prefix it looks under ``default_under``.

    Raises:
        InvalidArgumentError, UnitError, ClockError: the text says which argument is impossible.
    """
    function = "recall"
    check_known(function, filters, RecallFilters)
    scope, under = filters.get("scope"), filters.get("under")
    if scope is None and under is None:
        under = default_under
    kinds, min_score = filters.get("kinds"), filters.get("min_score")
    weights, cursor = filters.get("weights"), filters.get("cursor")
    since_us = _instant(function, filters.get("since"))
    until_us = _instant(function, filters.get("until"))
    if since_us is not None and until_us is not None and until_us <= since_us:
        msg = (
            f"{function}: until must lie after since, got {until_us} us, "
            f"expected more than {since_us} us"
        )
        raise ClockError(msg)
    if weights is not None and not isinstance(weights, Weights):
        msg = (
            f"{function}: weights has the wrong type, got {type(weights).__name__}, "
            "expected Weights"
        )
        raise ArgumentTypeError(msg)
    return RecallRequest(
        query=check_query(function, query),
        k=check_count(function, "k", k, at_least=1, at_most=MAX_K),
        scope=_scopes(function, scope),
        under=_scopes(function, under),
        kinds=None
        if kinds is None
        else tuple(_kind(function, kind) for kind in check_listed(function, "kinds", kinds)),
        event_from_us=since_us,
        event_to_us=until_us,
        as_of_us=_instant(function, filters.get("as_of")),
        min_score=None if min_score is None else check_fraction(function, "min_score", min_score),
        include_archived=check_flag(function, "include_archived", filters.get("include_archived")),
        weights=weights,
        cursor=None if cursor is None else check_text(function, "cursor", cursor),
    )


def _instant(function: str, at: datetime | int | None) -> int | None:
    return None if at is None else instant_of(function, at)


def _scopes(function: str, scopes: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if scopes is None:
        return None
    listed = [scopes] if isinstance(scopes, str) else check_listed(function, "scope", scopes)
    return tuple(check_scope(function, scope) for scope in listed)


def _kind(function: str, name: str) -> Kind:
    known = check_member(function, "kind", name, [kind.name.lower() for kind in Kind])
    return Kind[known.upper()]
