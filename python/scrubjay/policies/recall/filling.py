"""Filling an answer: places in the order become hits, restatements fold, closed beliefs drop out.

Only what is looked at is read from the store: k rows and a few to spare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scrubjay.base.ids import EngramId
from scrubjay.base.ports import Store
from scrubjay.base.trace import Engram, Kind
from scrubjay.policies.recall.answer import Hit, Reinforce
from scrubjay.policies.recall.folding import Signature, signature_of
from scrubjay.policies.recall.request import RecallRequest
from scrubjay.policies.recall.scoring import Order, Place
from scrubjay.systems.semantic import Beliefs

__all__ = ["Filling"]

_SPARE = 4
"""Places read beyond k, so that folding seldom needs a second read."""


class Filling:
    """Turns the order of one answer into its hits."""

    def __init__(
        self, store: Store, request: RecallRequest, *, reinforce: Reinforce | None, now_us: int
    ) -> None:
        """Fill an answer to ``request`` from ``store``."""
        self._store = store
        self._request = request
        self._reinforce = reinforce
        self._now_us = now_us
        self._standing: frozenset[EngramId] | None = None

    def fill(
        self, order: Order, *, first: int, cold: Mapping[int, Engram]
    ) -> tuple[tuple[Hit, ...], int]:
        """Return up to k hits from place ``first`` on, and the place that comes next.

        A restatement folds into the hit that says it first and takes no place of its own.
        """
        said_first: dict[Signature, tuple[int, Engram]] = {}
        restated: dict[Signature, list[EngramId]] = {}
        rank = first
        for rank, engram in self._rows(order, first, cold):
            if engram is None or not self._stands(engram):
                continue
            said = signature_of(engram)
            if said in said_first:
                restated.setdefault(said, []).append(engram.id)
            elif len(said_first) < self._request.k:
                said_first[said] = (rank, engram)
            else:
                break
        else:
            rank = len(order)
        hits = (
            self._hit(order.place(at), engram, tuple(restated.get(said, ())))
            for said, (at, engram) in said_first.items()
        )
        return tuple(hits), rank

    def _rows(
        self, order: Order, first: int, cold: Mapping[int, Engram]
    ) -> Iterator[tuple[int, Engram | None]]:
        """Yield (rank, row); a row that left the store meanwhile is None."""
        start, step = first, self._request.k + _SPARE
        while start < len(order):
            keys = order.keys(start, start + step)
            hot = self._store.engrams_by_local([key for key, source in keys if source == "hot"])
            for rank, (key, source) in enumerate(keys, start):
                yield rank, hot.get(key) if source == "hot" else cold.get(key)
            start, step = start + step, 2 * step

    def _stands(self, engram: Engram) -> bool:
        """Return whether a row may be shown: a belief asked for as of an instant must hold then."""
        as_of_us = self._request.as_of_us
        if as_of_us is None or engram.kind is not Kind.BELIEF:
            return True
        if self._standing is None:
            held = Beliefs(self._store).facts(as_of_us=as_of_us, now_us=self._now_us)
            self._standing = frozenset(id_ for belief in held for id_ in belief.support)
        return engram.id in self._standing

    def _hit(self, place: Place, engram: Engram, restated: tuple[EngramId, ...]) -> Hit:
        return Hit(
            engram=engram,
            score=place.score,
            relevance=place.relevance,
            terms=place.terms,
            source=place.source,
            restated=restated,
            reinforce=self._reinforce,
        )
