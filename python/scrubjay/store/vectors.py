"""Vectors by row and space, and the columns the index is built from.

A vector is stored as little-endian float16 with a float32 gain: at unit length the rounding is
below what separates two memories, and half the bytes are read when a store opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.errors import CorruptionError, ShapeError, UnitError
from scrubjay.base.ports import IndexRows
from scrubjay.store.connection import Database, Row
from scrubjay.store.filters import int_set

__all__ = [
    "FOREVER_US",
    "PendingVectors",
    "SpaceBook",
    "drop",
    "index_rows",
    "pack",
    "unpack",
]

FOREVER_US = 2**63 - 1
"""The half-life that stands for no decay at all."""

_STORED = np.dtype("<f2")
_LONGEST_SQUARED = float(np.finfo(_STORED).max) ** 2


def pack(vector: NDArray[np.float32]) -> bytes:
    """Return the stored bytes of one vector.

    Raises:
        ShapeError: not one-dimensional.
        UnitError: NaN, infinite, or longer than float16 can hold.
    """
    if vector.ndim != 1 or vector.size == 0:
        msg = f"put_vector: not a vector, got shape {vector.shape}, expected (d,)"
        raise ShapeError(msg)
    # The square of the length bounds every component, and NaN fails the comparison.
    if not vector.dot(vector) <= _LONGEST_SQUARED:
        msg = (
            f"put_vector: not a finite float16 vector, got length {np.linalg.norm(vector)}, "
            "expected a unit vector or zeros"
        )
        raise UnitError(msg)
    return vector.astype(_STORED).tobytes()


def unpack(data: bytes) -> NDArray[np.float32]:
    """Return the vector of stored bytes."""
    return np.frombuffer(data, _STORED).astype(np.float32)


class SpaceBook:
    """What the writer knows of vector spaces: identity to (id, dim); cleared after a rollback.

    Thread-safety: used under the write lock.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._spaces: dict[str, tuple[int, int]] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._spaces.clear()

    def make(self, database: Database, identity: str, dim: int) -> int:
        """Return the id of a space, creating it with ``dim`` dimensions.

        Raises ShapeError if it has another number of them.
        """
        known = self._spaces.get(identity) or find_space(database, identity)
        if known is None:
            database.run(
                "INSERT INTO space (tenant, identity, dim) VALUES (1, ?, ?)", (identity, dim)
            )
            known = (database.last_rowid(), dim)
        self._spaces[identity] = known
        if known[1] != dim:
            msg = (
                f"put_vector: wrong number of dimensions in space {identity!r}, "
                f"got {dim}, expected {known[1]}"
            )
            raise ShapeError(msg)
        return known[0]


def find_space(database: Database, identity: str) -> tuple[int, int] | None:
    """Return (id, dim) of a space, None if it does not exist."""
    row = database.row("SELECT id, dim FROM space WHERE tenant = 1 AND identity = ?", (identity,))
    return None if row is None else (row[0], row[1])


class PendingVectors:
    """Vectors waiting for the end of a transaction; the last one put for a row counts.

    Thread-safety: used under the write lock.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._rows: dict[tuple[int, int], tuple[float, bytes]] = {}

    def __bool__(self) -> bool:
        """Return whether anything waits."""
        return bool(self._rows)

    def put(self, space_id: int, local: int, gain: float, data: bytes) -> None:
        """Store (or replace) a vector at the next ``flush``."""
        self._rows[space_id, local] = (gain, data)

    def discard(self, locals_: Iterable[int]) -> None:
        """Forget what waits for rows that go away."""
        gone = set(locals_)
        for key in [key for key in self._rows if key[1] in gone]:
            del self._rows[key]

    def flush(self, database: Database) -> None:
        """Write everything that waits."""
        if not self._rows:
            return
        database.run_many(
            "INSERT INTO vector (space_id, local, gain, data) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (space_id, local) DO UPDATE SET gain = excluded.gain,"
            " data = excluded.data",
            [(*key, *value) for key, value in sorted(self._rows.items())],
        )
        self._rows.clear()


def drop(database: Database, locals_: Sequence[int]) -> None:
    """Remove the vectors of rows in every space."""
    database.run("DELETE FROM vector WHERE local IN carray(?)", (int_set(locals_),))


_COLUMNS = """
SELECT e.local, v.data, v.gain, e.scope_id, e.kind, e.category, e.state, e.plane, e.authority,
    e.pinned, e.quality, e.salience, e.frequency, e.half_life_us, e.last_us, e.event_us
FROM engram e LEFT JOIN vector v ON v.space_id = ? AND v.local = e.local
WHERE e.state <> 1
"""


def index_rows(database: Database, *, space: str, locals_: Sequence[int] | None) -> IndexRows:
    """Return the index columns in order of the local key; a row without a vector has zeros.

    ``vectors`` has no columns while the space does not exist.
    """
    found = find_space(database, space)
    space_id, dim = found if found is not None else (0, 0)
    if locals_ is None:
        rows = database.rows(_COLUMNS + "ORDER BY e.local", (space_id,))
    else:
        rows = database.rows(
            _COLUMNS + "AND e.local IN carray(?) ORDER BY e.local", (space_id, int_set(locals_))
        )
    return _columns(rows, dim)


def _columns(rows: list[Row], dim: int) -> IndexRows:
    names = list(zip(*rows, strict=True)) or [()] * 16
    blank = bytes(dim * _STORED.itemsize)
    for local, data in zip(names[0], names[1], strict=True):
        if data is not None and len(data) != len(blank):
            msg = (
                f"index: the vector of local {local} is damaged, got {len(data)} bytes, expected "
                f"{len(blank)}; run `scrubjay reembed`"
            )
            raise CorruptionError(msg)
    vectors = np.frombuffer(b"".join(data or blank for data in names[1]), _STORED)
    return IndexRows(
        local=np.array(names[0], np.int64),
        vectors=vectors.reshape(len(rows), dim).astype(np.float32),
        gain=np.array([1.0 if gain is None else gain for gain in names[2]], np.float32),
        scope_id=np.array(names[3], np.uint32),
        kind=np.array(names[4], np.uint8),
        category=np.array(names[5], np.uint8),
        state=np.array(names[6], np.uint8),
        plane=np.array(names[7], np.uint8),
        authority=np.array(names[8], np.uint8),
        pinned=np.array(names[9], np.uint8),
        quality=np.array(names[10], np.float32),
        salience=np.array(names[11], np.float32),
        frequency=np.array(names[12], np.float32),
        half_life_us=np.array([FOREVER_US if h is None else h for h in names[13]], np.int64),
        last_us=np.array(names[14], np.int64),
        event_us=np.array(names[15], np.int64),
    )
