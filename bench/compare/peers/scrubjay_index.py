"""scrubjay: floats, halves and codes, the last two with originals that settle close calls."""

import inspect
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import EF_CONSTRUCTION, FORMS, Contender, M, Numbers, padded
from scrubjay.index import Filter, Index, Weights

PURE = Weights(relevance=1.0, recency=0.0, salience=0.0, frequency=0.0)
CHOSEN = 1
"""The scope of the rows that a filter lets pass; all others are in scope 0."""


def known(call: Any, **arguments: Any) -> dict[str, Any]:
    """Return those arguments that the call takes, so that the exact index is measured, too."""
    return {k: v for k, v in arguments.items() if k in inspect.signature(call).parameters}


class Scrubjay(Contender):
    """The index of this repository; always by its graph, whatever the number of rows."""

    library = "scrubjay"
    takes_ef: ClassVar[bool] = "ef" in inspect.signature(Index.search).parameters
    exact = not takes_ef

    def __init__(self, storage: str, *, keep_originals: bool = True) -> None:
        self.storage, self.keep_originals = storage, keep_originals
        self.name = f"scrubjay {storage}{'' if keep_originals else ' alone'}"

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        self.index = self.empty(rows.shape[1], capacity=len(rows) + spare, threads=threads)
        self.add(np.arange(len(rows)), rows)
        # Whatever the index leaves to its first search belongs to the build.
        self.one(rows[0], 1, EF_CONSTRUCTION)

    def empty(self, dim: int, *, capacity: int, threads: int, **more: Any) -> Index:
        graph = {"connectivity": M, "ef_construction": EF_CONSTRUCTION, "exact_below": 0}
        given = known(Index, **graph, threads=threads)
        return Index(
            dim,
            storage=self.storage,
            keep_originals=self.keep_originals,
            capacity=capacity,
            **given,
            **more,
        )

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        return self._search(queries, k, ef, None)

    def _search(self, queries: Matrix, k: int, ef: int, where: Filter | None) -> Numbers:
        given = known(self.index.search_batch, ef=ef, threads=1)
        found = self.index.search_batch(queries, k, now_us=0, weights=PURE, where=where, **given)
        return padded([answer.keys for answer in found], k)

    def one(self, query: Matrix, k: int, ef: int) -> Numbers:
        if self.takes_ef:
            return self.index.search(query, k, now_us=0, weights=PURE, ef=ef).keys
        return self.index.search(query, k, now_us=0, weights=PURE).keys

    def allow(self, mask: NDArray[np.bool_]) -> Filter:
        """Put the allowed rows into a scope of their own: what a store would have done before."""
        self.index.update(np.arange(len(mask)), scope=np.where(mask, CHOSEN, 0))
        return Filter(scopes=[CHOSEN])

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: Filter) -> Numbers:
        return self._search(queries, k, ef, allowed)

    def add(self, keys: Numbers, rows: Matrix) -> None:
        self.index.add(keys.astype(np.int64), rows, now_us=0)

    def remove(self, keys: Numbers) -> None:
        self.index.remove(keys.astype(np.int64))

    def memory_bytes(self) -> int:
        return self.index.memory_bytes


for storage in ("f32", "f16", "i8"):
    FORMS[f"scrubjay {storage}"] = lambda storage=storage: Scrubjay(storage)
FORMS["scrubjay i8 alone"] = lambda: Scrubjay("i8", keep_originals=False)
