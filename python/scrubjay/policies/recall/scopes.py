"""Scopes asked for, resolved to the ids they stand for; names are taken literally."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scrubjay.base.trace import RowFilter, State
from scrubjay.policies.recall.request import RecallRequest

__all__ = ["Reach", "reach_of"]

_LIVE = (State.HOT,)
_EVER_HELD = (State.HOT, State.SUPERSEDED)


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """What a request may see: as a filter over rows, and as scope paths for cold ones.

    ``paths`` None means every scope.
    """

    where: RowFilter
    paths: frozenset[str] | None
    unknown: tuple[str, ...]


def reach_of(request: RecallRequest, scopes: Mapping[str, int]) -> Reach:
    """Resolve the scopes and filters of a request.

    A prefix stands for itself and everything below it, by whole components. What is asked as of
    an instant keeps its event window open at the end, since a belief may have been recorded after
    it became true; the engine closes it for everything else.
    """
    wanted, unknown = _resolve(request, scopes)
    where = RowFilter(
        scope_ids=None if wanted is None else tuple(sorted(scopes[path] for path in wanted)),
        kinds=request.kinds,
        states=_LIVE if request.as_of_us is None else _EVER_HELD,
        event_from_us=request.event_from_us,
        event_to_us=request.event_to_us,
    )
    return Reach(where=where, paths=wanted, unknown=unknown)


def _resolve(
    request: RecallRequest, scopes: Mapping[str, int]
) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    if request.scope is None and request.under is None:
        return None, ()
    found: set[str] = set()
    unknown: list[str] = []
    for path in request.scope or ():
        found.update([path] if path in scopes else [])
        unknown += [] if path in scopes else [path]
    for prefix in request.under or ():
        below = [path for path in scopes if path == prefix or path.startswith(prefix + "/")]
        found.update(below)
        unknown += [] if below else [prefix]
    return frozenset(found), tuple(dict.fromkeys(unknown))
