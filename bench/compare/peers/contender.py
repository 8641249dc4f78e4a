"""What the comparison asks of a library; one subclass per library, in a file of its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix, Numbers

M, EF_CONSTRUCTION = 32, 200
"""Links a node and list length at construction: equal for every graph."""

FORMS: dict[str, Callable[[], "Contender"]] = {}
"""Every contender whose library could be imported, by its name in the tables."""


class Unsupported(Exception):  # noqa: N818 (it is an answer, shown as a dash)
    """The library has no such operation, and none of its users' usual ways round gives it."""


class Contender(ABC):
    """An index of one library in one storage form; rows are unit vectors, keys are given."""

    name: str
    library: ClassVar[str]
    exact: ClassVar[bool] = False
    walks_filtered: ClassVar[bool] = True
    """Whether the library filters itself; else ``filtered`` over-fetches."""

    @abstractmethod
    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        """Index the rows under the keys 0, 1, …, with room for ``spare`` more."""

    @abstractmethod
    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        """Return keys ``(m, k)``, best first and -1 where there are fewer, by the batch API."""

    def one(self, query: Matrix, k: int, ef: int) -> Sequence[int] | Numbers:
        """Return the keys of a single query, as a caller who has one query asks for them."""
        return self.search(query[None, :], k, ef)[0]

    def one_by_one(self, queries: Matrix, k: int, ef: int) -> Numbers:
        return padded([self.one(query, k, ef) for query in queries], k)

    def allow(self, mask: NDArray[np.bool_]) -> Any:
        """Return a filter in the library's own form, made outside the clock."""
        return mask

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: Any) -> Numbers:
        """Return the best k allowed rows; here by asking for more until enough of them pass."""
        return padded([self._over_fetched(query, k, ef, allowed) for query in queries], k)

    def _over_fetched(self, query: Matrix, k: int, ef: int, mask: NDArray[np.bool_]) -> Numbers:
        depth = 4 * k
        while True:
            found = np.asarray(self.one(query, depth, max(ef, depth)))
            passing = found[(found >= 0) & mask[found]]
            if len(passing) >= k or depth >= len(mask):
                return passing[:k]
            depth = min(2 * depth, len(mask))

    def add(self, keys: Numbers, rows: Matrix) -> None:
        raise Unsupported

    def remove(self, keys: Numbers) -> None:
        raise Unsupported

    def memory_bytes(self) -> int:
        """Return bytes of vectors and links, by the library's own count."""
        raise Unsupported

    def version(self) -> str:
        from importlib.metadata import version

        return version(self.library)


def padded(answers: Sequence[Sequence[int] | Numbers], k: int) -> Numbers:
    """Return answers of up to k keys as one matrix, -1 where a list ends early."""
    matrix = np.full((len(answers), k), -1, np.int64)
    for row, answer in zip(matrix, answers, strict=True):
        row[: len(answer)] = answer
    return matrix
