"""The retention-aware index; see the package for the score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from scrubjay import _kernels
from scrubjay.index.columns import (
    CODES,
    DTYPES,
    FOREVER_US,
    LARGEST_U32,
    ceiling_of,
    choice,
    column,
    flag,
    graph_of,
    instant,
    machine_of,
    rows_of,
    whole,
)
from scrubjay.index.contents import Contents
from scrubjay.index.query import (
    DEFAULT_WEIGHTS,
    Asked,
    Filter,
    SearchResult,
    Weights,
    ask,
    one_row,
    predicate_of,
)
from scrubjay.index.room import Room
from scrubjay.index.snapshot import open_core, save_core

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Index"]


class Index(Contents, Room):
    """An index of vectors with retention columns.

    Searches read every matching row while those are few; beyond that they walk a graph (HNSW) that
    the index grows by itself and keeps in step with every change.

    Any thread may call it. Writers take turns; searches run beside the writer, which shows its
    rows in pieces of at most 256, in the order of the batch, each row as a whole. Ctrl-C ends a
    long call within 0.1 s: a search leaves nothing behind, a writer a prefix of its batch. A signal
    handler must not use the index that it interrupts.

    Args:
        dim: Length of the vectors, 1 to 65,536.
        metric: ``"cosine"``; ``"ip"`` for the inner product of vectors whose length is 1 within
            0.001, kept as given; ``"l2"`` for ``1 / (1 + distance)``, zero vectors being points
            like any other, none longer than 2**60.
        storage: ``"f32"``, or ``"f16"`` or ``"i8"`` to scan a half or a quarter of the bytes.
        frequency: ``"raw"`` for ``ln(1 + f)``; ``"saturating"`` for a term that stops at 1.
        frequency_ceiling: F, the count at which the saturating term reaches 1.
        keep_originals: With f16 and i8, also keep the f32 rows: answers are then exactly those of
            f32 storage, since a stored error bound tells which few rows need the exact look.
        capacity: Rows to make room for at once.
        connectivity: Links a row has on each upper level of the graph, twice as many on the lowest;
            2 to 128. More find more and take more memory: 8 bytes a row and link.
        ef_construction: Rows looked at when links are chosen, 1 to 10,000.
        exact_below: Rows from which on there is a graph; None: once 8 MiB of vectors are scanned.
        seed: Of the levels of the graph: same rows in same order and same seed, same graph.
        threads: For batches and the graph; None: every CPU of this process. Changes no answer.
        isa: One instruction set, for tests; None takes the active one. All give the same bits.

    Raises:
        UnitError: A number is out of range.
        InvalidArgumentError: metric, storage, frequency or isa is unknown, F is missing or unasked
            for, or originals are not kept with ``"l2"``.

    >>> import numpy as np
    >>> index = Index(2)
    >>> rows = np.array([[3, 0], [1, 1], [0, 2]], np.float32)
    >>> index.add(np.arange(3), rows, now_us=0, salience=0.5, half_life_us=1_000_000)
    >>> result = index.search(np.array([1, 0], np.float32), 2, now_us=1_000_000)
    >>> result.keys, result.scores, result.recency
    (array([0, 1]), array([0.7      , 0.5535534], dtype=float32), array([0.1, 0.1], dtype=float32))
    """

    def __init__(
        self,
        dim: int,
        *,
        metric: Literal["cosine", "ip", "l2"] = "cosine",
        storage: Literal["f32", "f16", "i8"] = "f32",
        frequency: Literal["raw", "saturating"] = "raw",
        frequency_ceiling: int | None = None,
        keep_originals: bool = True,
        capacity: int = 0,
        connectivity: int = 32,
        ef_construction: int = 200,
        exact_below: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        isa: str | None = None,
    ) -> None:
        """Make an empty index; see the class for the arguments."""
        self._watermark, self._epoch = 0, b""
        self._core = _kernels.RetentionIndex(
            whole("Index: dim", dim, 1, 65_536),
            metric=choice("Index: metric", metric, ("cosine", "ip", "l2")),
            storage=choice("Index: storage", storage, ("f32", "f16", "i8")),
            frequency_ceiling=ceiling_of(frequency, frequency_ceiling),
            keep_originals=flag("Index: keep_originals", keep_originals),
            capacity=whole("Index: capacity", capacity, 0, LARGEST_U32 - CODES),
            **graph_of(connectivity, ef_construction, seed, exact_below),
            **machine_of("Index", threads, isa),
        )

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        verify: Literal["full", "header"] = "full",
        threads: int | None = None,
        isa: str | None = None,
    ) -> Index:
        """Return the index that ``save`` wrote, ready for every call.

        The file is mapped, not copied: processes share its pages. Changes stay in this process.
        Nobody may write into the file; replacing it by another ``save`` is fine.

        Args:
            path: The file.
            verify: ``"full"`` checks every byte; ``"header"`` leaves out checksums and the range of
                vectors, for files that only this program can have written.
            threads: As for the class.
            isa: As for the class.

        Raises:
            StorageError: The file cannot be read.
            CorruptionError: It is damaged; the message names the part.
            FormatVersionError: Another version wrote it, or it is no snapshot at all.

        Cost: one pass over the file; over its columns with ``"header"``. Source: docs/formats/.
        """
        self = cls.__new__(cls)
        self._core, self._watermark, self._epoch = open_core(path, verify, threads, isa)
        return self

    def save(self, path: str | os.PathLike[str], *, watermark: int = 0, epoch: bytes = b"") -> None:
        """Write the index into one file, replacing it as a whole.

        Whoever opens the path finds the old file or the new one, also after a crash or a refusal.
        Same operations, same bytes, and none of a removed row. Searches go on meanwhile.

        Args:
            path: The file, in a directory that exists.
            watermark: 0 to 2**64 - 1, for the caller: up to which change the index has followed.
            epoch: Up to 256 bytes, for the caller: in which life of its source.

        Raises:
            StorageError: The disk is full, or the path cannot be written.

        Cost: two passes over memory and the disk's time. Source: docs/formats/.

        >>> index = Index(2)
        >>> index.add(np.array([7]), np.ones((1, 2), np.float32), now_us=0)
        >>> index.save("notes.sji", watermark=12)
        >>> again = Index.open("notes.sji")
        >>> again.keys(), again.watermark
        (array([7]), 12)
        """
        save_core(self._core, path, watermark, epoch)

    def add(
        self,
        keys: NDArray[np.int64],
        vectors: NDArray[np.float32],
        *,
        now_us: int,
        scope: ArrayLike = 0,
        kind: ArrayLike = 0,
        category: ArrayLike = 0,
        state: ArrayLike = 0,
        authority: ArrayLike = 0,
        plane: ArrayLike = 0,
        flags: ArrayLike = 0,
        quality: ArrayLike = 1.0,
        salience: ArrayLike = 0.4,
        frequency: ArrayLike = 0,
        half_life_us: ArrayLike = FOREVER_US,
        last_us: ArrayLike | None = None,
        event_us: ArrayLike | None = None,
        gain: ArrayLike = 1.0,
        replace: bool = False,
        allow_zero: bool = False,
    ) -> None:
        """Add rows; a column is one value for all of them or an array of shape ``(n,)``.

        Args:
            keys: int64 ``(n,)``, distinct; the caller never uses a removed key again.
            vectors: float32 ``(n, dim)``, C-contiguous, of a length the metric takes; cosine
                normalises them.
            now_us: Stands for last_us (last reinforcement) and event_us where those are None.
            scope: Number of the row's scope, unsigned 32 bits.
            kind: Code 0 to 63, like category, state and plane.
            category: Code.
            state: Code.
            authority: 0 to 255; a filter asks for at least so much.
            plane: Code.
            flags: Eight bits.
            quality: In [0, 1].
            salience: In [0, 1].
            frequency: Uses so far.
            half_life_us: Positive microseconds; FOREVER_US never fades.
            last_us: Last reinforcement; None is now_us.
            event_us: When it happened; None is now_us.
            gain: Scales the similarity, in (0, 1].
            replace: Overwrite rows whose keys are known instead of raising ConflictError.
            allow_zero: Accept zero vectors; their cosine with everything is 0.

        Raises:
            ShapeError, ArgumentTypeError, UnitError, ConflictError: Nothing has changed.

        Cost: O(n * dim); about 0.3 s for 100,000 rows of 256.
        """
        values = locals()
        now = instant("Index.add: now_us", now_us)
        values["last_us"] = now if last_us is None else last_us
        values["event_us"] = now if event_us is None else event_us
        rows = rows_of("Index.add", keys)
        columns = {n: column("Index.add", n, values[n], rows) for n in DTYPES}
        self._core.add(
            keys,
            vectors,
            columns,
            replace=flag("Index.add: replace", replace),
            allow_zero=flag("Index.add: allow_zero", allow_zero),
        )

    def update(
        self,
        keys: NDArray[np.int64],
        *,
        vectors: NDArray[np.float32] | None = None,
        scope: ArrayLike | None = None,
        kind: ArrayLike | None = None,
        category: ArrayLike | None = None,
        state: ArrayLike | None = None,
        authority: ArrayLike | None = None,
        plane: ArrayLike | None = None,
        flags: ArrayLike | None = None,
        quality: ArrayLike | None = None,
        salience: ArrayLike | None = None,
        frequency: ArrayLike | None = None,
        half_life_us: ArrayLike | None = None,
        last_us: ArrayLike | None = None,
        event_us: ArrayLike | None = None,
        gain: ArrayLike | None = None,
        allow_zero: bool = False,
    ) -> None:
        """Overwrite the given columns, or vectors, of known rows in place; None leaves as it is.

        Arguments, units and errors as in add; an unknown key is a NotFoundError, and then nothing
        has changed. Cost: O(n), plus O(n * dim) for vectors.
        """
        values = locals()
        rows = rows_of("Index.update", keys)
        columns = {
            n: column("Index.update", n, values[n], rows) for n in DTYPES if values[n] is not None
        }
        zeros = flag("Index.update: allow_zero", allow_zero)
        self._core.update(keys, vectors, columns, allow_zero=zeros)

    def reinforce(self, keys: NDArray[np.int64], *, now_us: int, count: int = 1) -> None:
        """Record uses: last_us becomes ``max(last_us, now_us)`` and frequency grows by count.

        Raises: NotFoundError for an unknown key (nothing changed), UnitError. Cost: O(n).
        """
        now = instant("Index.reinforce: now_us", now_us)
        uses = whole("Index.reinforce: count", count, 0, LARGEST_U32)
        self._core.reinforce(keys, now_us=now, count=uses)

    def remove(
        self, keys: NDArray[np.int64], *, missing: Literal["refuse", "ignore"] = "refuse"
    ) -> int:
        """Remove rows and return how many there were; their memory is used again.

        Raises: NotFoundError for an unknown key unless missing is ``"ignore"``; nothing changed.
        Cost: O(n).
        """
        ignored = choice("Index.remove: missing", missing, ("refuse", "ignore")) == "ignore"
        return self._core.remove(keys, ignore_missing=ignored)

    def search(
        self,
        query: NDArray[np.float32] | None,
        k: int,
        *,
        now_us: int,
        weights: Weights = DEFAULT_WEIGHTS,
        where: Filter | None = None,
        ef: int = 64,
        exact: bool = False,
    ) -> SearchResult:
        """Return the best k of the rows that match.

        Args:
            query: float32 ``(dim,)`` of a length the metric takes, for cosine any but 0; None
                scores by the prior alone.
            k: At least 1; more than match gives all of them.
            now_us: The instant at which ages are taken; ages below 0 count as 0.
            weights: Of the four terms.
            where: Which rows may be returned; None: all.
            ef: Rows a walk over the graph keeps, at least k in any case: more find more and take
                longer.
            exact: Read every matching row, whatever it costs.

        Raises:
            ShapeError: The query has another dimension, dtype or layout.
            UnitError: k < 1; NaN, infinity or a length the metric refuses in query; a value out of
                range.

        Cost: one pass over the rows that match, or a walk past some ``20 * ef`` rows; see
        ``docs/engine.md``.
        """
        rows = None if query is None else one_row("Index.search", query, self.dim)
        (answer,) = ask(self._core, rows, k, Asked(now_us, weights, where, ef, exact))
        return answer

    def search_batch(
        self,
        queries: NDArray[np.float32],
        k: int,
        *,
        now_us: int,
        weights: Weights = DEFAULT_WEIGHTS,
        where: Filter | None = None,
        ef: int = 64,
        exact: bool = False,
    ) -> tuple[SearchResult, ...]:
        """Return one answer per row of ``queries`` ``(m, dim)``, each as ``search`` would give it.

        Rows and priors are read once for every sixteen queries, by ``threads`` threads. Rows that
        another thread adds or removes meanwhile may count for some of the queries only. Errors as
        in ``search``.
        """
        return ask(self._core, queries, k, Asked(now_us, weights, where, ef, exact))

    def similarity(
        self, query: NDArray[np.float32], *, where: Filter | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return every matching key, ascending, and its ``gain * similarity``, to fuse.

        Arguments and errors as in ``search``. Cost: one pass over the rows that match.
        """
        row = one_row("Index.similarity", query, self.dim)
        return self._core.similarity(row, predicate_of(where))
