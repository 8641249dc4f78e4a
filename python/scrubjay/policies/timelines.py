"""Timelines: keeps the shadow that beliefs cast on search in step with what is asserted.

The timeline of a subject and predicate is a pure function of its live assertions. What the store
holds besides is a mark for search: a row whose statement was closed is ``SUPERSEDED``, and ``HOT``
again when what had closed it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.base.ports import Store, Transaction
from scrubjay.base.trace import State
from scrubjay.systems.semantic import Beliefs

__all__ = ["TimelineKey", "refresh_timelines"]

TimelineKey = tuple[str, str, str]
"""Scope, subject, predicate: only statements that agree in all three can conflict."""

_MARKED = {State.HOT, State.SUPERSEDED}


def refresh_timelines(store: Store, tx: Transaction, keys: Iterable[TimelineKey]) -> int:
    """Recompute which statements of some timelines hold, and mark rows; return how many closed.

    Requires ``tx`` to be open on ``store`` in this thread: its own writes are part of the input.
    """
    closed_count = 0
    closed_by_id = Beliefs(store).superseded_ids(keys)
    for closed, target in ((True, State.SUPERSEDED), (False, State.HOT)):
        rows = [store.engram(id_) for id_ in sorted(closed_by_id) if closed_by_id[id_] is closed]
        moved = [row.local for row in rows if row.state in _MARKED and row.state is not target]
        if moved:
            tx.set_state(moved, target)
            closed_count += len(moved) if closed else 0
    return closed_count
