"""Asking: turns the arguments of a recall into a checked request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from scrubjay.base.clock import instant_of
from scrubjay.base.errors import ArgumentTypeError, ClockError
from scrubjay.base.trace import Kind
from scrubjay.policies.door import (
    check_count,
    check_fraction,
    check_listed,
    check_member,
    check_query,
    check_scope,
)
from scrubjay.policies.recall import RecallRequest, Weights

__all__ = ["MAX_K", "recall_request"]

MAX_K = 10_000
"""More than this is an export, not an answer."""


def recall_request(
    query: str,
    k: int,
    *,
    scope: str | Sequence[str] | None,
    under: str | Sequence[str] | None,
    default_under: str | None,
    kinds: Sequence[str] | None,
    since: datetime | int | None,
    until: datetime | int | None,
    as_of: datetime | int | None,
    min_score: float | None,
    include_archived: bool,
    weights: Weights | None,
    cursor: str | None,
) -> RecallRequest:
    """Return a checked request; with neither scope nor prefix it looks under ``default_under``.

    Raises:
        InvalidArgumentError, UnitError, ClockError: the text says which argument is impossible.
    """
    function = "recall"
    if scope is None and under is None and default_under is not None:
        under = default_under
    since_us = None if since is None else instant_of(function, since)
    until_us = None if until is None else instant_of(function, until)
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
        as_of_us=None if as_of is None else instant_of(function, as_of),
        min_score=None if min_score is None else check_fraction(function, "min_score", min_score),
        include_archived=bool(include_archived),
        weights=weights,
        cursor=cursor,
    )


def _scopes(function: str, scopes: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if scopes is None:
        return None
    listed = [scopes] if isinstance(scopes, str) else check_listed(function, "scope", scopes)
    return tuple(check_scope(function, scope) for scope in listed)


def _kind(function: str, name: str) -> Kind:
    known = check_member(function, "kind", name, [kind.name.lower() for kind in Kind])
    return Kind[known.upper()]
