"""The live rows: the bare index and the columns of a store, kept in step with its commits.

The store is the truth and this is derived from it: ``refresh`` replays what any process committed
since the last look. Readers take one ``View``, which never changes; a refresh puts a new one in its
place.

Invariants:
1. ``View.keys`` ascends, and every column is aligned with it.
2. A view holds exactly the rows the store had at ``View.seq``, but for the archive.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.activation.retention import RetentionWeights
from scrubjay.base.errors import CorruptionError, InvalidArgumentError
from scrubjay.base.ports import Change, IndexRows, Store
from scrubjay.base.trace import RowFilter
from scrubjay.index import FOREVER_US, Index
from scrubjay.policies.recall.words import WordIndex, page_of

__all__ = ["MOST_ROWS_IN_MEMORY", "LiveRows", "View"]

MOST_ROWS_IN_MEMORY = 8192
"""Up to this many live rows, their words are kept in memory (about 50 us a row at the first
question); of more, the store's full text is asked."""

_LN2 = float(np.log(2.0))

_NO_ROWS = IndexRows(
    local=np.zeros(0, np.int64),
    vectors=np.zeros((0, 0), np.float32),
    gain=np.zeros(0, np.float32),
    scope_id=np.zeros(0, np.uint32),
    kind=np.zeros(0, np.uint8),
    category=np.zeros(0, np.uint8),
    state=np.zeros(0, np.uint8),
    plane=np.zeros(0, np.uint8),
    authority=np.zeros(0, np.uint8),
    pinned=np.zeros(0, np.uint8),
    quality=np.zeros(0, np.float32),
    salience=np.zeros(0, np.float32),
    frequency=np.zeros(0, np.float32),
    half_life_us=np.zeros(0, np.int64),
    last_us=np.zeros(0, np.int64),
    event_us=np.zeros(0, np.int64),
)


@dataclass(frozen=True, slots=True)
class View:
    """The live rows as of commit ``seq``; ``words`` is there while they are few.

    ``cold_version`` changes whenever rows may have entered or left the archive.
    """

    seq: int
    cold_version: int
    rows: IndexRows
    scopes: Mapping[str, int]
    words: WordIndex | None

    @property
    def keys(self) -> NDArray[np.int64]:
        """The local keys, ascending."""
        return self.rows.local

    def matching(self, where: RowFilter) -> NDArray[np.intp]:
        """Return the positions of the rows that pass a filter, ascending."""
        rows = self.rows
        passed = np.isin(rows.state, np.array([int(state) for state in where.states], np.uint8))
        for column, allowed in (
            (rows.scope_id, where.scope_ids),
            (rows.kind, where.kinds),
            (rows.category, where.categories),
            (rows.plane, where.planes),
        ):
            if allowed is not None:
                passed &= np.isin(column, np.array([int(value) for value in allowed], np.int64))
        if where.event_from_us is not None:
            passed &= rows.event_us >= where.event_from_us
        if where.event_to_us is not None:
            passed &= rows.event_us < where.event_to_us
        if where.authority_min:
            passed &= rows.authority >= where.authority_min
        if where.quality_min:
            passed &= rows.quality >= where.quality_min
        return np.flatnonzero(passed)

    def priors(
        self, at: NDArray[np.intp], *, now_us: int, weights: RetentionWeights
    ) -> NDArray[np.float64]:
        """Return recency, salience and frequency of some rows, weighted; shape (3, n).

        A negative age counts as none, so recency never exceeds its weight.
        """
        rows = self.rows
        age_us = np.maximum(now_us - rows.last_us[at], 0).astype(np.float64)
        half_life_us = rows.half_life_us[at]
        periods = np.where(half_life_us == FOREVER_US, 0.0, age_us / half_life_us)
        return np.stack(
            [
                weights.recency * np.exp(-_LN2 * periods),
                weights.salience * rows.salience[at].astype(np.float64),
                weights.frequency * np.log1p(rows.frequency[at].astype(np.float64)),
            ]
        )


class LiveRows:
    """Keeps the index and its view in step with a store. Thread-safe."""

    def __init__(self, store: Store, *, space: str, dim: int) -> None:
        """Mirror the rows of ``store`` with their vectors in ``space``; empty until refreshed."""
        # Recall fuses the similarity of every row, so a graph would be grown and never walked.
        self.index = Index(dim, storage="f16", keep_originals=False, exact_below=2**32 - 1)
        self._store = store
        self._space = space
        self._dim = dim
        self._refreshing = threading.Lock()
        self._view = View(seq=-1, cold_version=0, rows=_NO_ROWS, scopes={}, words=WordIndex())

    def refresh(self) -> View:
        """Catch up with the store and return the view; cheap when nothing was committed."""
        with self._refreshing:
            seq = self._store.last_seq()
            view = self._view
            if seq == view.seq:
                return view
            if view.seq < 0:
                gone: list[int] = []
                fresh = self._store.index_rows(space=self._space)
            else:
                changes = self._store.changes_since(view.seq)
                fresh, gone = self._changed(changes)
                seq = max([seq, *(change.seq for change in changes)])
            self._apply(fresh, gone)
            rows = self._merged(view.rows, fresh, gone)
            returned = np.isin(fresh.local, view.keys, invert=True) & (
                fresh.local <= view.keys.max(initial=0)
            )
            self._view = View(
                seq=seq,
                cold_version=view.cold_version + bool(gone or returned.any()),
                rows=rows,
                scopes=self._store.scopes(),
                words=self._words(view.words, rows, fresh=fresh.local.tolist(), gone=gone),
            )
            return self._view

    def _changed(self, changes: Sequence[Change]) -> tuple[IndexRows, list[int]]:
        """Return the rows that were put, and the keys that no longer name a live row."""
        put = [change.local for change in changes if not change.dropped]
        fresh = self._store.index_rows(space=self._space, locals_=put)
        found = set(fresh.local.tolist())
        return fresh, [change.local for change in changes if change.local not in found]

    def _apply(self, fresh: IndexRows, gone: Sequence[int]) -> None:
        if gone:
            self.index.remove(np.array(gone, np.int64), missing="ignore")
        if not len(fresh.local):
            return
        try:
            self._add(fresh)
        except InvalidArgumentError as error:
            msg = (
                f"recall: a row of {self._store.path} is damaged, {error}; run `scrubjay doctor`, "
                "then restore a backup or import an export"
            )
            raise CorruptionError(msg) from error

    def _add(self, fresh: IndexRows) -> None:
        self.index.add(
            fresh.local,
            self._vectors(fresh),
            now_us=0,
            scope=fresh.scope_id,
            kind=fresh.kind,
            category=fresh.category,
            state=fresh.state,
            authority=fresh.authority,
            plane=fresh.plane,
            flags=fresh.pinned,
            quality=fresh.quality,
            salience=fresh.salience,
            frequency=fresh.frequency.astype(np.int64),
            half_life_us=fresh.half_life_us,
            last_us=fresh.last_us,
            event_us=fresh.event_us,
            gain=fresh.gain,
            replace=True,
            allow_zero=True,
        )

    def _vectors(self, fresh: IndexRows) -> NDArray[np.float32]:
        """Return the vectors of new rows; zeros where the space does not exist yet."""
        if fresh.vectors.shape[1] == self._dim:
            return np.ascontiguousarray(fresh.vectors)
        return np.zeros((len(fresh.local), self._dim), np.float32)

    @staticmethod
    def _merged(old: IndexRows, fresh: IndexRows, gone: Sequence[int]) -> IndexRows:
        """Return the columns without replaced and dropped rows, with new ones, by key."""
        replaced = np.array([*gone, *fresh.local.tolist()], np.int64)
        kept = ~np.isin(old.local, replaced)
        order = np.argsort(np.concatenate([old.local[kept], fresh.local]), kind="stable")
        columns = {
            name: np.concatenate([getattr(old, name)[kept], getattr(fresh, name)])[order]
            for name in IndexRows._fields
            if name != "vectors"
        }
        return IndexRows(vectors=np.zeros((len(order), 0), np.float32), **columns)

    def _words(
        self, old: WordIndex | None, rows: IndexRows, *, fresh: list[int], gone: Sequence[int]
    ) -> WordIndex | None:
        """Return the words of a store that fits, reading only what changed; else None."""
        if len(rows.local) > MOST_ROWS_IN_MEMORY:
            return None
        words = WordIndex() if old is None else old
        words.drop(gone)
        unread = rows.local.tolist() if old is None else fresh
        found = self._store.engrams_by_local(unread)
        words.put(page_of(found[key]) for key in unread if key in found)
        return words
