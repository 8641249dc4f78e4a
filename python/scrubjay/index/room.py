"""How much memory an index takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.index.columns import whole

if TYPE_CHECKING:
    from scrubjay._kernels import RetentionIndex

__all__ = ["Room"]


class Room:
    """The part of an index that takes memory for rows to come and gives it back."""

    _core: RetentionIndex

    @property
    def memory_bytes(self) -> int:
        """Bytes of rows, columns, key map, graph and blocks of priors, spare capacity included."""
        return self._core.bytes()

    def reserve(self, rows: int) -> None:
        """Make room for that many rows in all, so that adding them copies nothing.

        Until there are so many, no array of columns, keys, vectors or links has to grow, nor does
        that of a graph that comes meanwhile. Memory is asked for, not touched: the system provides
        it as rows come. Fewer than there are changes nothing. Each row of a graph whose vector is
        replaced takes one place more until links are mended.

        Args:
            rows: Those that are there already included.

        Raises:
            UnitError: rows is negative or beyond 2**64 - 1.
            CapacityError: The machine, the system or one index cannot hold so many; no row has
                changed.

        Cost: one copy of what is there, beside the searches, if it has to move.

        >>> import numpy as np
        >>> from scrubjay.index import Index
        >>> index = Index(64)
        >>> index.reserve(10_000)
        >>> before = index.memory_bytes
        >>> index.add(np.arange(10_000), np.ones((10_000, 64), np.float32), now_us=0)
        >>> index.memory_bytes == before
        True
        """
        self._core.reserve(whole("Index.reserve: rows", rows, 0, 2**64 - 1))

    def shrink(self) -> None:
        """Give back the memory of removed rows, and what was reserved.

        Rows move together, and the index then takes what one takes that never had the others. Where
        there is a graph, its rows stay, mended, while that wastes at most a quarter of it; beyond
        that they move too and the graph is made anew, as adding the rows would make it. Columns,
        vectors and exact answers stay bit for bit what they are.

        Searches go on meanwhile, other writers wait. Ctrl-C leaves every row where it was.

        Raises:
            MemoryError: There is none for the rows that stay, once more; nothing has changed.

        Cost: one copy of the rows that stay, and, where a graph is made anew, what growing one over
        them costs.

        >>> import numpy as np
        >>> from scrubjay.index import Index
        >>> rows = np.ones((10_000, 64), np.float32)
        >>> index, small = Index(64), Index(64)
        >>> index.add(np.arange(10_000), rows, now_us=0)
        >>> index.remove(np.arange(1_000, 10_000))
        9000
        >>> index.shrink()
        >>> small.add(np.arange(1_000), rows[:1_000], now_us=0)
        >>> index.memory_bytes == small.memory_bytes
        True
        """
        self._core.shrink()
