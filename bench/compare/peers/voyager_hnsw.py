"""voyager: floats, 8-bit floats (E4M3) and 8-bit fixed point. No filter: filtering over-fetches."""

import numpy as np
from voyager import Index, Space, StorageDataType

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import EF_CONSTRUCTION, FORMS, Contender, M, Numbers

STORAGE = {
    "f32": StorageDataType.Float32,
    "e4m3": StorageDataType.E4M3,
    "float8": StorageDataType.Float8,
}


class Voyager(Contender):
    """voyager in one storage type."""

    library = "voyager"
    walks_filtered = False

    def __init__(self, form: str) -> None:
        self.form = form
        self.name = f"voyager {form}"

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        # Cosine keeps unit rows as they are; its inner product adds a dimension.
        self.index = Index(
            Space.Cosine,
            rows.shape[1],
            M=M,
            ef_construction=EF_CONSTRUCTION,
            max_elements=len(rows) + spare,
            storage_data_type=STORAGE[self.form],
        )
        self.index.add_items(rows, np.arange(len(rows)), num_threads=threads)

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        found, _ = self.index.query(queries, k, num_threads=1, query_ef=max(ef, k))
        return found.astype(np.int64)

    def one(self, query: Matrix, k: int, ef: int) -> Numbers:
        return self.index.query(query, k, num_threads=1, query_ef=max(ef, k))[0].astype(np.int64)

    def add(self, keys: Numbers, rows: Matrix) -> None:
        self.index.add_items(rows, keys, num_threads=1)

    def remove(self, keys: Numbers) -> None:
        for key in keys.tolist():
            self.index.mark_deleted(key)

    def memory_bytes(self) -> int:
        return len(self.index.as_bytes())


for form in STORAGE:
    FORMS[f"voyager {form}"] = lambda form=form: Voyager(form)
