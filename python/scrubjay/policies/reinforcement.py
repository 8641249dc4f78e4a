"""Reinforcement: a memory that was used grows younger; one that was merely looked at does not.

A use counts at most once per memory, session and hour, so that an agent that shows the same
memory in every turn does not make it immortal.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.activation.retention import eviction_instant
from scrubjay.base.clock import HOUR_US
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store
from scrubjay.base.trace import State

__all__ = ["Reinforcer"]


class Reinforcer:
    """Counts uses. Not thread-safe; the facade holds its lock."""

    def __init__(self, store: Store) -> None:
        """Reinforce rows of ``store``."""
        self._store = store
        self._counted: set[tuple[EngramId, str]] = set()
        self._hour = -1

    def used(self, ids: Sequence[EngramId], *, session: str, now_us: int) -> int:
        """Count the use of memories in one transaction; return how many were counted.

        Archived memories are counted when they are restored, not before.

        Raises:
            NotFoundError: an id does not exist; nothing was counted.
        """
        hour = now_us // HOUR_US
        counted = self._counted if hour == self._hour else set()
        fresh = [id_ for id_ in dict.fromkeys(ids) if (id_, session) not in counted]
        rows = [self._store.engram(id_) for id_ in fresh]
        hot = [row for row in rows if row.state is not State.ARCHIVED]
        if hot:
            with self._store.write(now_us=now_us) as tx:
                for row in hot:
                    evict_at_us = eviction_instant(
                        last_us=now_us,
                        salience=row.salience,
                        frequency=row.frequency + 1,
                        half_life_us=row.half_life_us,
                    )
                    tx.reinforce(row.local, last_us=now_us, evict_at_us=evict_at_us)
                    tx.journal("reinforce", subject=format_id(row.id))
        self._hour = hour
        self._counted = counted | {(row.id, session) for row in hot}
        return len(hot)
