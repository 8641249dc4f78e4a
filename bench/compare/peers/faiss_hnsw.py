"""faiss: IndexHNSW over floats, halves and 8-bit codes, the last with a second look at floats.

It cannot remove rows from a graph; removed ones are kept out by a selector, as its users do.
"""

from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import EF_CONSTRUCTION, FORMS, Contender, M, Numbers

QUANTIZERS = {
    "f16": faiss.ScalarQuantizer.QT_fp16,
    "sq8": faiss.ScalarQuantizer.QT_8bit,
    "sq8+refine": faiss.ScalarQuantizer.QT_8bit,
}
REFINED = 2.0
"""How many times k candidates the second look computes exactly."""


class Faiss(Contender):
    """One graph of faiss; removed rows stay in it, hidden."""

    library = "faiss-cpu"

    def __init__(self, form: str) -> None:
        self.form = form
        self.name = f"faiss {form}"

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        faiss.omp_set_num_threads(threads)
        dim, metric = rows.shape[1], faiss.METRIC_INNER_PRODUCT
        if self.form == "f32":
            self.graph = faiss.IndexHNSWFlat(dim, M, metric)
        else:
            self.graph = faiss.IndexHNSWSQ(dim, QUANTIZERS[self.form], M, metric)
        self.graph.hnsw.efConstruction = EF_CONSTRUCTION
        self.index = self.graph
        if self.form.endswith("refine"):
            self.index = faiss.IndexRefineFlat(self.graph)
        self.index.train(rows)
        self.index.add(rows)
        faiss.omp_set_num_threads(1)
        self.keys = np.arange(len(rows))
        self.live = np.ones(len(rows), bool)

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        return self._search(queries, k, ef, None if self.live.all() else self._selector(self.live))

    def _search(self, queries: Matrix, k: int, ef: int, selector: Any) -> Numbers:
        given = faiss.SearchParametersHNSW(efSearch=ef, sel=selector)
        if self.index is not self.graph:
            given = faiss.IndexRefineSearchParameters(
                k_factor=REFINED, base_index_params=given, sel=selector
            )
        _, slots = self.index.search(queries, k, params=given)
        return np.where(slots < 0, -1, self.keys[slots])

    @staticmethod
    def _selector(mask: NDArray[np.bool_]) -> Any:
        return faiss.IDSelectorBitmap(np.packbits(mask, bitorder="little"))

    def allow(self, mask: NDArray[np.bool_]) -> Any:
        return self._selector(mask)

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: Any) -> Numbers:
        return self._search(queries, k, ef, allowed)

    def add(self, keys: Numbers, rows: Matrix) -> None:
        self.index.add(rows)
        self.keys = np.concatenate([self.keys, keys])
        self.live = np.concatenate([self.live, np.ones(len(keys), bool)])

    def remove(self, keys: Numbers) -> None:
        self.live &= ~np.isin(self.keys, keys)

    def memory_bytes(self) -> int:
        return len(faiss.serialize_index(self.index))


for form in ("f32", *QUANTIZERS):
    FORMS[f"faiss {form}"] = lambda form=form: Faiss(form)
