"""How much memory an index takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.index.columns import whole

if TYPE_CHECKING:
    from scrubjay._kernels import RetentionIndex

__all__ = ["Room"]


class Room:
    """The part of an index that takes memory for rows to come."""

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
