"""Cold search: rows of the archive are read and scored as live ones are.

The archive has no full-text index. It is read once, its words and vectors are kept in memory until
a row enters or leaves it, and words weigh by how rare they are among cold rows.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.activation.retention import prior_terms
from scrubjay.base.ports import Store
from scrubjay.base.trace import Engram, Kind, RowFilter, State
from scrubjay.policies.recall.scopes import Reach
from scrubjay.policies.recall.scoring import Question, Scored, score
from scrubjay.policies.recall.words import WordIndex, page_of

__all__ = ["MOST_COLD_ROWS", "ColdRows", "Shelf", "search_cold"]

MOST_COLD_ROWS = 50_000
"""Cold rows kept in memory, the newest segments first; with more the answer says so."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The cold rows as of one version, by local key; ``whole`` if none was left out."""

    version: int
    engrams: Mapping[int, Engram]
    keys: NDArray[np.int64]
    words: WordIndex
    vectors: NDArray[np.float32]
    gains: NDArray[np.float32]
    whole: bool


class ColdRows:
    """Keeps the archive at hand. Thread-safe."""

    def __init__(self, store: Store, *, dim: int) -> None:
        """Read nothing yet."""
        self._store = store
        self._dim = dim
        self._taking = threading.Lock()
        self._shelf: Shelf | None = None

    def shelf(self, version: int) -> Shelf:
        """Return the cold rows, reading them if the archive changed since the last time."""
        with self._taking:
            if self._shelf is None or self._shelf.version != version:
                self._shelf = self._read(version)
            return self._shelf

    def _read(self, version: int) -> Shelf:
        everything = RowFilter(states=(State.ARCHIVED,))
        found = list(self._store.search_archive(where=everything, limit=MOST_COLD_ROWS + 1))
        hits = sorted(found[:MOST_COLD_ROWS], key=lambda hit: hit.engram.local)
        vectors = np.zeros((len(hits), self._dim), np.float32)
        for row, hit in enumerate(hits):
            if hit.vector.shape == (self._dim,):
                vectors[row] = hit.vector
        return Shelf(
            version=version,
            engrams={hit.engram.local: hit.engram for hit in hits},
            keys=np.array([hit.engram.local for hit in hits], np.int64),
            words=WordIndex(page_of(hit.engram) for hit in hits),
            vectors=vectors,
            gains=np.array([hit.gain for hit in hits], np.float32),
            whole=len(found) <= MOST_COLD_ROWS,
        )


def search_cold(question: Question, shelf: Shelf, reach: Reach) -> Scored:
    """Score every cold row that the request may see.

    Cost: linear in the rows of the archive.
    """
    words, context = shelf.words.scores(question.tokens, shelf.keys)
    cosine = np.zeros(len(shelf.keys))
    if question.vector is not None:
        cosine = (shelf.vectors @ question.vector).astype(np.float64)
    engrams = list(shelf.engrams.values())
    at = np.array([n for n, engram in enumerate(engrams) if _may_see(question, engram, reach)], int)
    weights = question.request.effective_weights

    def priors(kept: NDArray[np.intp]) -> NDArray[np.float64]:
        terms = [
            prior_terms(engrams[row], now_us=question.now_us, weights=weights)
            for row in at[kept].tolist()
        ]
        table = [(term.recency, term.salience, term.frequency) for term in terms]
        return np.array(table, np.float64).reshape(len(table), 3).T

    return score(
        question,
        keys=shelf.keys[at],
        signals=np.stack([words, context, cosine * shelf.gains])[:, at],
        cosine=cosine[at],
        priors=priors,
        complete=shelf.whole,
    )


def _may_see(question: Question, engram: Engram, reach: Reach) -> bool:
    """Return whether a cold row passes the filters of the request."""
    where = reach.where
    if reach.paths is not None and engram.scope not in reach.paths:
        return False
    if where.kinds is not None and engram.kind not in where.kinds:
        return False
    if where.event_from_us is not None and engram.event_us < where.event_from_us:
        return False
    if where.event_to_us is not None and engram.event_us >= where.event_to_us:
        return False
    as_of_us = question.request.as_of_us
    return as_of_us is None or engram.event_us <= as_of_us or engram.kind is Kind.BELIEF
