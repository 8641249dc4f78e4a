"""hnswlib: floats. Its filter is a Python function that the walk calls for every row it meets."""

from typing import Any

import hnswlib
import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import EF_CONSTRUCTION, FORMS, Contender, M, Numbers, padded


class Hnswlib(Contender):
    """hnswlib over floats; removed rows make room for new ones."""

    library = "hnswlib"
    name = "hnswlib f32"

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        self.threads = threads
        self.index = hnswlib.Index("ip", rows.shape[1])
        self.index.init_index(
            len(rows) + spare, M=M, ef_construction=EF_CONSTRUCTION, allow_replace_deleted=True
        )
        self.index.add_items(rows, np.arange(len(rows)), num_threads=threads)

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        self.index.set_ef(max(ef, k))
        return self.index.knn_query(queries, k, num_threads=1)[0].astype(np.int64)

    def allow(self, mask: NDArray[np.bool_]) -> Any:
        return frozenset(np.flatnonzero(mask).tolist()).__contains__

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: Any) -> Numbers:
        self.index.set_ef(max(ef, k))
        return padded([self._filtered(query, k, allowed) for query in queries], k)

    def _filtered(self, query: Matrix, k: int, allowed: Any) -> Numbers:
        # It raises instead of returning fewer than k.
        for wanted in range(k, 0, -1):
            try:
                return self.index.knn_query(query, wanted, num_threads=1, filter=allowed)[0][0]
            except RuntimeError:
                continue
        return np.zeros(0, np.int64)

    def add(self, keys: Numbers, rows: Matrix) -> None:
        self.index.add_items(rows, keys, num_threads=1, replace_deleted=True)

    def remove(self, keys: Numbers) -> None:
        for key in keys.tolist():
            self.index.mark_deleted(key)

    def memory_bytes(self) -> int:
        return int(self.index.index_file_size())


FORMS["hnswlib f32"] = Hnswlib
