"""Reading texts directly: BM25 of a few rows, each alone and with its neighbours.

A full-text index weighs words by how rare they are among its rows, which tells nothing while there
are few: in a memory of three notes every word is common. Small stores and the cold archive are
therefore read here, with words weighed as if among a thousand rows. The scores have the units of
``relevance``: divided by the idf mass of the question.

Invariant: rows are ordered by (group, position, key); neighbours are adjacent rows of one group.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.base.tokens import tokenize
from scrubjay.base.trace import Engram, Kind
from scrubjay.policies.recall.relevance import K1, B

__all__ = ["PREDECESSORS", "SUCCESSORS", "Page", "Reading", "page_of"]

PREDECESSORS = 2
SUCCESSORS = 1
"""The turns around a turn that make up its context."""

_LEAST_COLLECTION = 1024
_SPOKEN = frozenset({Kind.TURN, Kind.TOOL_RESULT})


class Page(msgspec.Struct, frozen=True):
    """One text as it is read: ``group`` is the conversation it belongs to, empty if none."""

    key: int
    group: tuple[str, str] | None
    position: int
    counts: Counter[str]


def page_of(engram: Engram) -> Page:
    """Return the words of one memory and its place in its conversation."""
    source = engram.provenance
    spoken = engram.kind in _SPOKEN
    return Page(
        engram.local,
        (engram.scope, source.session) if spoken else None,
        source.position,
        Counter(tokenize(engram.content)),
    )


class Reading:
    """A fixed set of pages to be searched. Immutable; thread-safe."""

    def __init__(self, pages: Iterable[Page]) -> None:
        """Order the pages; cost linear in their number."""
        self._pages = sorted(
            pages, key=lambda page: (page.group or ("", ""), page.position, page.key)
        )
        self.keys = np.array([page.key for page in self._pages], np.int64)
        self._lengths = np.array([page.counts.total() for page in self._pages], np.float64)
        self._next_to = _adjacent(self._pages)

    def scores(self, tokens: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (words, context) of every page in order of ``keys``, in units of relevance.

        Cost: one look-up per page and word.
        """
        size = len(self._pages)
        words, context = np.zeros(size), np.zeros(size)
        if not tokens or not size:
            return words, context
        around = self._sum_around(self._lengths)
        norm = _length_norm(self._lengths)
        norm_around = _length_norm(around)
        mass = mass_around = 0.0
        for token in dict.fromkeys(tokens):
            held = np.array([page.counts.get(token, 0) for page in self._pages], np.float64)
            held_around = self._sum_around(held)
            idf = _idf(int(np.count_nonzero(held)), size)
            idf_around = _idf(int(np.count_nonzero(held_around)), size)
            mass += idf
            mass_around += idf_around
            words += idf * held * (K1 + 1) / (held + norm)
            context += idf_around * held_around * (K1 + 1) / (held_around + norm_around)
        return words / mass, context / mass_around

    def _sum_around(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return, per page, the sum of ``values`` over its window."""
        total = values.copy()
        for step in range(1, max(PREDECESSORS, SUCCESSORS) + 1):
            joined = self._next_to[step - 1]
            if step <= PREDECESSORS:
                total[step:][joined] += values[:-step][joined]
            if step <= SUCCESSORS:
                total[:-step][joined] += values[step:][joined]
        return total


def _adjacent(pages: Sequence[Page]) -> list[NDArray[np.bool_]]:
    """Return, for each distance 1, 2, …, whether a page and the one so far on are one group."""
    groups = [page.group for page in pages]
    return [
        np.array(
            [
                group is not None and group == later
                for group, later in zip(groups, groups[step:], strict=False)
            ],
            bool,
        )
        for step in range(1, max(PREDECESSORS, SUCCESSORS) + 1)
    ]


def _length_norm(lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return BM25's penalty of long rows; the smallest positive one for empty ones."""
    mean = float(lengths.mean()) or 1.0
    return K1 * (1.0 - B + B * lengths / mean)


def _idf(frequency: int, size: int) -> float:
    """Return the weight of a word that ``frequency`` of ``size`` rows hold; always positive."""
    size = max(size, _LEAST_COLLECTION)
    return math.log1p((size - frequency + 0.5) / (frequency + 0.5))
