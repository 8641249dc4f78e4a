"""Governance: what is asked to be forgotten is erased, with everything derived from it.

Erasure follows derivations. A belief that an erased statement had closed is current again, since
timelines are recomputed from what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from scrubjay.base.ids import EngramId
from scrubjay.base.ports import Store, Transaction
from scrubjay.base.tokens import tokenize
from scrubjay.base.trace import Engram, RowFilter, State
from scrubjay.policies.encoding import PREDECESSORS
from scrubjay.policies.timelines import TimelineKey, refresh_timelines
from scrubjay.store.engrams import is_spoken

__all__ = ["Selection", "forget"]

_EVERY_STATE = tuple(State)


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What to forget; the conditions are joined by "and", and at least one is given."""

    ids: tuple[EngramId, ...] | None = None
    scope: str | None = None
    session: str | None = None
    principal: str | None = None


def forget(
    store: Store,
    selection: Selection,
    *,
    now_us: int,
    let_go: Callable[[Collection[str]], None] | None = None,
) -> int:
    """Erase the selected rows and all that was derived only from them; return how many matched.

    ``let_go`` is told the texts of the selected rows once they are gone, so that what else holds
    them in memory drops them as well.

    Raises:
        NotFoundError: one of ``selection.ids`` does not exist; nothing was erased.
        BusyError, StorageError: nothing was erased.
    """
    with store.write(now_us=now_us) as tx:
        doomed = _select(store, selection)
        if not doomed:
            return 0
        ids = [row.id for row in doomed]
        closing = store.assertions_resting_on(ids)
        keys: list[TimelineKey] = [(a.scope, a.subject, a.predicate) for a in closing]
        around = _survivors_around(store, doomed) if _cuts_sessions(selection) else []
        count = tx.erase(ids)
        for row in around:
            _rewrite_context(store, tx, row)
        refresh_timelines(store, tx, keys)
        detail = msgspec.json.encode({"rows": count}).decode()
        tx.journal("forget", detail=detail)
    if let_go is not None:
        let_go({row.content for row in doomed})
    return count


def _select(store: Store, selection: Selection) -> list[Engram]:
    if selection.ids is not None:
        rows: Iterable[Engram] = [store.engram(id_) for id_ in dict.fromkeys(selection.ids)]
    else:
        scope_ids = None
        if selection.scope is not None:
            known = store.scopes().get(selection.scope)
            if known is None:
                return []
            scope_ids = (known,)
        rows = store.engrams(where=RowFilter(scope_ids=scope_ids, states=_EVERY_STATE))
    return [
        row
        for row in rows
        if (selection.scope is None or row.scope == selection.scope)
        and (selection.session is None or row.provenance.session == selection.session)
        and (selection.principal is None or row.provenance.principal == selection.principal)
    ]


def _cuts_sessions(selection: Selection) -> bool:
    """Tell whether turns of a session may survive beside erased ones."""
    return selection.ids is not None or selection.principal is not None


def _survivors_around(store: Store, doomed: Sequence[Engram]) -> list[Engram]:
    """Return the live turns whose context rows hold words of a doomed turn."""
    gone = {row.id for row in doomed}
    around: dict[EngramId, Engram] = {}
    for row in doomed:
        if is_spoken(row):
            for neighbour in store.neighbours(row, before=1, after=PREDECESSORS):
                if neighbour.id not in gone and neighbour.state is not State.ARCHIVED:
                    around[neighbour.id] = neighbour
    return [around[id_] for id_ in sorted(around)]


def _rewrite_context(store: Store, tx: Transaction, row: Engram) -> None:
    window = store.neighbours(row, before=PREDECESSORS, after=1)
    context = [token for turn in window for token in tokenize(turn.content)]
    tx.put_text(row.local, turn=tokenize(row.content), context=context)
