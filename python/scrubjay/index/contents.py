"""What an index holds, told without a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.index.columns import Columns, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scrubjay._kernels import RetentionIndex

__all__ = ["Contents"]


class Contents:
    """The part of an index that tells its form and gives back its rows."""

    _core: RetentionIndex
    _watermark: int
    _epoch: bytes

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return self._core.dim

    @property
    def storage(self) -> str:
        """How rows are kept: ``"f32"``, ``"f16"`` or ``"i8"``."""
        return self._core.storage

    @property
    def metric(self) -> str:
        """What similarity means: ``"cosine"``, ``"ip"`` or ``"l2"``."""
        return self._core.metric

    @property
    def watermark(self) -> int:
        """What ``save`` stored so in the file this was opened from; 0 for a new index."""
        return self._watermark

    @property
    def epoch(self) -> bytes:
        """What ``save`` stored so, as for ``watermark``; empty for a new index."""
        return self._epoch

    def __len__(self) -> int:
        """Return the number of live rows."""
        return self._core.size()

    def __contains__(self, key: int) -> bool:
        """Return whether a row has that key."""
        return self._core.contains(whole("Index: key", key, -(2**63), 2**63 - 1))

    def __repr__(self) -> str:
        """Return dimension, metric, storage and number of rows."""
        form = f"dim={self.dim}, metric={self.metric!r}, storage={self.storage!r}"
        return f"{type(self).__name__}({form}, rows={len(self)})"

    def columns(self, keys: NDArray[np.int64]) -> Columns:
        """Return the columns of those rows. Raises NotFoundError for an unknown key."""
        return Columns(**self._core.columns(keys))  # type: ignore[arg-type]

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return those rows as kept, ``(n, dim)``: the originals, else the decoded rows.

        Cosine keeps them at length 1, the other metrics as given. Raises NotFoundError.
        """
        return self._core.vectors(keys)

    def keys(self) -> NDArray[np.int64]:
        """Return the keys of all live rows, ascending."""
        return self._core.keys()
