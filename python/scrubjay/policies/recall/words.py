"""Words of rows kept in memory: BM25 of each row alone and with its neighbours.

The full-text index of the store holds any number of rows, but a question costs it milliseconds, and
it weighs words by how rare they are among its rows, which tells nothing while there are few: in a
memory of three notes every word is common. A store that fits is therefore kept here, as is the
cold archive, with words weighed as if among at least a thousand rows. Scores have the units of
``relevance``: BM25 divided by the idf mass of the question.

Invariants:
1. Slot 0 is nobody: it holds no words, and stands wherever a row has no neighbour.
2. ``succ`` and ``pred`` link the live rows of one conversation in order of (position, key).
3. A dropped row keeps its slot, without words and unlinked, until half of all slots are such.
"""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.base.tokens import tokenize
from scrubjay.base.trace import Engram, Kind
from scrubjay.policies.recall.relevance import K1, B, idf_of

__all__ = ["Page", "WordIndex", "page_of"]

_LEAST_COLLECTION = 1024
_FIRST_SLOTS = 256
_SPOKEN = frozenset({Kind.TURN, Kind.TOOL_RESULT})

_Signal = NDArray[np.float64]
_Group = tuple[str, str]


class Page(msgspec.Struct, frozen=True):
    """One text as it is read: ``group`` is the conversation it belongs to, None if it has none."""

    key: int
    group: _Group | None
    position: int
    tokens: Sequence[str]


def page_of(engram: Engram) -> Page:
    """Return the words of one memory and its place in its conversation."""
    source = engram.provenance
    group = (engram.scope, source.session) if engram.kind in _SPOKEN else None
    return Page(engram.local, group, source.position, tokenize(engram.content))


class WordIndex:
    """Rows by word, with two predecessors and one successor as their context. Thread-safe."""

    def __init__(self, pages: Iterable[Page] = ()) -> None:
        """Hold ``pages``."""
        self._lock = threading.Lock()
        self._top = 0
        self._dead = 0
        self._stale = True
        self._slot_of: dict[int, int] = {}
        self._pages: dict[int, Page] = {}
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._lines: dict[_Group, list[tuple[int, int, int]]] = {}
        self._length = np.zeros(_FIRST_SLOTS)
        self._succ = np.zeros(_FIRST_SLOTS, np.int64)
        self._pred = np.zeros(_FIRST_SLOTS, np.int64)
        self._norm = self._norm_around = np.zeros(0)
        self._sorted_keys = self._sorted_slots = np.zeros(0, np.int64)
        self.put(pages)

    def __len__(self) -> int:
        return len(self._slot_of)

    def put(self, pages: Iterable[Page]) -> None:
        """Add rows, or replace those whose key is known. Cost: linear in their words."""
        with self._lock:
            for page in pages:
                self._drop(page.key)
                self._add(page)
            self._stale = True

    def drop(self, keys: Iterable[int]) -> None:
        """Remove rows; unknown keys are passed over."""
        with self._lock:
            for key in keys:
                self._drop(key)
            self._stale = True
            if self._dead > len(self._slot_of) + _FIRST_SLOTS:
                self._compact()

    def scores(
        self, tokens: Sequence[str], keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (words, context) of the rows ``keys``, in units of relevance; 0 if unknown.

        Cost: linear in the rows that hold a word asked for, plus len(keys).
        """
        with self._lock:
            if not tokens or not self._slot_of:
                return np.zeros(len(keys)), np.zeros(len(keys))
            if self._stale:
                self._settle()
            words, context = self._score(list(dict.fromkeys(tokens)))
            at = np.searchsorted(self._sorted_keys, keys)
            at[at == len(self._sorted_keys)] = 0
            slots = np.where(self._sorted_keys[at] == keys, self._sorted_slots[at], 0)
            return words[slots], context[slots]

    def _score(self, tokens: Sequence[str]) -> tuple[_Signal, _Signal]:
        """Return (words, context) by slot."""
        size, rows = self._top + 1, max(len(self._slot_of), _LEAST_COLLECTION)
        words, context = np.zeros(size), np.zeros(size)
        mass = mass_around = 0.0
        for token in tokens:
            slots, held = self._held(token)
            idf = idf_of(rows, len(slots))
            words[slots] += idf * held * (K1 + 1) / (held + self._norm[slots])
            later = self._succ[slots]
            windows = np.concatenate([slots, later, self._succ[later], self._pred[slots]])
            around = np.bincount(windows, np.concatenate([held] * 4), minlength=size)
            around[0] = 0.0
            near = np.flatnonzero(around)
            held_around = around[near]
            idf_around = idf_of(rows, len(near))
            context[near] += (
                idf_around * held_around * (K1 + 1) / (held_around + self._norm_around[near])
            )
            mass += idf
            mass_around += idf_around
        return words / mass, context / mass_around

    def _held(self, token: str) -> tuple[NDArray[np.int64], _Signal]:
        """Return the live slots that hold a word, and how often."""
        posting = self._postings.get(token)
        if posting is None:
            return np.zeros(0, np.int64), np.zeros(0)
        slots = np.array(posting[0], np.int64)
        held = np.array(posting[1], np.float64)
        if self._dead:
            live = self._length[slots] > 0
            slots, held = slots[live], held[live]
        return slots, held

    def _settle(self) -> None:
        """Recompute what depends on all rows: penalties of length, and the order of keys."""
        size = self._top + 1
        length, pred, succ = self._length[:size], self._pred[:size], self._succ[:size]
        around = length + length[pred] + length[pred[pred]] + length[succ]
        around[length == 0] = 0.0
        self._norm = _length_norm(length, len(self._slot_of))
        self._norm_around = _length_norm(around, len(self._slot_of))
        keys = np.fromiter(self._slot_of.keys(), np.int64, len(self._slot_of))
        slots = np.fromiter(self._slot_of.values(), np.int64, len(self._slot_of))
        order = np.argsort(keys, kind="stable")
        self._sorted_keys, self._sorted_slots = keys[order], slots[order]
        self._stale = False

    def _add(self, page: Page) -> None:
        self._top += 1
        slot = self._top
        if slot == len(self._length):
            self._length = np.concatenate([self._length, np.zeros_like(self._length)])
            self._succ = np.concatenate([self._succ, np.zeros_like(self._succ)])
            self._pred = np.concatenate([self._pred, np.zeros_like(self._pred)])
        self._slot_of[page.key] = slot
        self._pages[page.key] = page
        self._length[slot] = len(page.tokens)
        counts: dict[str, int] = {}
        for token in page.tokens:
            counts[token] = counts.get(token, 0) + 1
        for token, count in counts.items():
            posting = self._postings.get(token)
            if posting is None:
                posting = self._postings[token] = (array("q"), array("q"))
            posting[0].append(slot)
            posting[1].append(count)
        if page.group is not None:
            line = self._lines.setdefault(page.group, [])
            entry = (page.position, page.key, slot)
            insort(line, entry)
            self._link(line, bisect_left(line, entry))

    def _drop(self, key: int) -> None:
        slot = self._slot_of.pop(key, None)
        if slot is None:
            return
        page = self._pages.pop(key)
        self._dead += 1
        self._length[slot] = 0
        self._succ[slot] = self._pred[slot] = 0
        if page.group is not None:
            line = self._lines[page.group]
            at = bisect_left(line, (page.position, key, slot))
            del line[at]
            self._link(line, at)

    def _link(self, line: Sequence[tuple[int, int, int]], at: int) -> None:
        """Link the entry at ``at`` to its neighbours, or the two that closed up there."""
        for place in (at - 1, at):
            first = line[place][2] if 0 <= place < len(line) else 0
            second = line[place + 1][2] if 0 <= place + 1 < len(line) else 0
            self._succ[first] = second
            self._pred[second] = first
        self._succ[0] = self._pred[0] = 0

    def _compact(self) -> None:
        """Give the live rows new slots without gaps."""
        pages = list(self._pages.values())
        self._top = self._dead = 0
        for held in (self._slot_of, self._pages, self._postings, self._lines):
            held.clear()
        for column in (self._length, self._succ, self._pred):
            column[:] = 0
        for page in pages:
            self._add(page)


def _length_norm(length: _Signal, rows: int) -> _Signal:
    """Return BM25's penalty of long rows by slot."""
    mean = float(length.sum()) / max(rows, 1) or 1.0
    return K1 * (1.0 - B + B * length / mean)
