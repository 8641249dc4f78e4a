"""usearch: floats, halves and 8-bit codes. Its Python has no filter, so filtering over-fetches."""

import numpy as np
from usearch.index import Index

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import EF_CONSTRUCTION, FORMS, Contender, M, Numbers, padded


class Usearch(Contender):
    """usearch in one scalar type."""

    library = "usearch"
    walks_filtered = False

    def __init__(self, form: str) -> None:
        self.form = form
        self.name = f"usearch {form}"

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        self.threads = threads
        self.index = Index(
            ndim=rows.shape[1],
            metric="ip",
            dtype=self.form,
            connectivity=M,
            expansion_add=EF_CONSTRUCTION,
        )
        self.add(np.arange(len(rows)), rows)
        self.threads = 1

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        self.index.expansion_search = ef
        found = self.index.search(queries, k, threads=1)
        if len(queries) == 1:
            return padded([found.keys.reshape(-1)], k)
        counts = np.asarray(found.counts)
        keys = found.keys.astype(np.int64)
        keys[np.arange(k) >= counts[:, None]] = -1
        return keys

    def one(self, query: Matrix, k: int, ef: int) -> Numbers:
        self.index.expansion_search = ef
        return self.index.search(query, k, threads=1).keys

    def add(self, keys: Numbers, rows: Matrix) -> None:
        self.index.add(keys.astype(np.uint64), rows, threads=self.threads)

    def remove(self, keys: Numbers) -> None:
        self.index.remove(keys.astype(np.uint64), threads=1)

    def memory_bytes(self) -> int:
        return int(self.index.memory_usage)


for form in ("f32", "f16", "i8"):
    FORMS[f"usearch {form}"] = lambda form=form: Usearch(form)
