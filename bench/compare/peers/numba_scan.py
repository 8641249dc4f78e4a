"""numba: an exact scan as one would write it in an evening, compiled, vectorised by fastmath."""

import numba
import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import FORMS, Contender, Numbers


@numba.njit(fastmath=True, nogil=True)
def best_rows(rows, allowed, query, k):  # pragma: no cover (compiled)
    """Return the k rows with the largest inner product, by insertion into a short list."""
    found = np.full(k, -1, np.int64)
    value = np.full(k, -np.inf, np.float32)
    for number in range(len(rows)):
        if not allowed[number]:
            continue
        product = np.float32(0)
        for at in range(len(query)):
            product += rows[number, at] * query[at]
        if product > value[k - 1]:
            place = k - 1
            while place > 0 and product > value[place - 1]:
                value[place] = value[place - 1]
                found[place] = found[place - 1]
                place -= 1
            value[place] = product
            found[place] = number
    return found


class NumbaScan(Contender):
    """A compiled loop over all rows."""

    library = "numba"
    name = "numba f32"
    exact = True

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        self.rows = np.ascontiguousarray(rows)
        self.all = np.ones(len(rows), bool)
        best_rows(self.rows[:2], self.all[:2], self.rows[0], 1)

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        return self.filtered(queries, k, ef, self.all)

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: NDArray[np.bool_]) -> Numbers:
        return np.stack([best_rows(self.rows, allowed, query, k) for query in queries])

    def memory_bytes(self) -> int:
        return self.rows.nbytes


FORMS["numba f32"] = NumbaScan
