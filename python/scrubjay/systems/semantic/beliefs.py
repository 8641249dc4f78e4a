"""Beliefs of a store: questions to its timelines, by subject, by instant, by what was known."""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.base.ids import EngramId
from scrubjay.base.ports import Store
from scrubjay.base.trace import Assertion
from scrubjay.systems.semantic.timeline import Belief, Holding, timeline

__all__ = ["Beliefs"]


class Beliefs:
    """The semantic memory of one store.

    Models what is held true and since when. Promises that answers follow from live assertions
    alone. Forgets nothing; what is closed stays as history. Thread-safe as far as the store is.
    """

    def __init__(self, store: Store) -> None:
        """Read from ``store``; nothing is kept besides."""
        self._store = store

    def facts(
        self,
        about: str | None = None,
        *,
        predicate: str | None = None,
        scope: str | None = None,
        as_of_us: int | None = None,
        recorded_as_of_us: int | None = None,
        include_past: bool = False,
        now_us: int,
    ) -> list[Belief]:
        """Return beliefs that hold at ``as_of_us`` (None: now), by scope, subject and predicate.

        Where a partial date leaves it open which of two holds, both are returned and ``holds_at``
        says MAYBE. Hedged beliefs are included and marked.

        Args:
            about: Only this subject, however it is spelled.
            predicate: Only this property.
            scope: Exactly this scope; None means every scope.
            as_of_us: The instant asked about.
            recorded_as_of_us: Count only what had been recorded by then.
            include_past: Also what has ended, what is contested and what was denied.
            now_us: The present.

        Cost: linear in the statements that match.
        """
        said = self._assertions(about, predicate, scope, recorded_as_of_us)
        at_us = now_us if as_of_us is None else as_of_us
        beliefs = timeline(said, self._store.functional_predicates(), now_us=at_us)
        if include_past:
            return beliefs
        return [b for b in beliefs if b.holds_at(at_us) is not Holding.NO and not b.negated]

    def history(
        self, subject: str, predicate: str | None = None, *, scope: str | None = None, now_us: int
    ) -> list[Belief]:
        """Return every interval ever believed of a subject, also denied and contested ones."""
        return self.facts(
            subject, predicate=predicate, scope=scope, include_past=True, now_us=now_us
        )

    def superseded_ids(self, keys: Iterable[tuple[str, str, str]]) -> dict[EngramId, bool]:
        """Return each statement of some (scope, subject, predicate) with whether it was closed.

        Cost: one query for each.
        """
        functional = self._store.functional_predicates()
        out: dict[EngramId, bool] = {}
        for scope, subject, predicate in sorted(set(keys)):
            said = self._store.assertions(scope=scope, subject=subject, predicate=predicate)
            for belief in timeline(said, functional):
                closed = belief.superseded_by is not None and not belief.contested
                out.update(dict.fromkeys(belief.support, closed))
        return out

    def _assertions(
        self,
        about: str | None,
        predicate: str | None,
        scope: str | None,
        recorded_as_of_us: int | None,
    ) -> list[Assertion]:
        said = self._store.assertions(scope=scope, subject=about, predicate=predicate)
        if recorded_as_of_us is None:
            return said
        return [one for one in said if one.recorded_us <= recorded_as_of_us]
