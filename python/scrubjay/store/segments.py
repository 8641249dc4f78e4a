"""Cold segments: immutable Parquet files, named after the hash of their bytes.

A file's name is the SHA-256 of its content, so a reader can cache it for ever and a damaged file is
known by its name. The same rows give the same bytes. Each file holds whole engrams with their
vectors and can be read without the database.

pyarrow is imported at first use: a store that never archives does not pay for it.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from scrubjay.base.errors import CorruptionError, StorageError
from scrubjay.base.ids import EngramId
from scrubjay.base.trace import Engram, ToolCall, ToolResult
from scrubjay.store import directory, failures

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SUFFIX", "ColdRow", "Segment", "SegmentFile", "SegmentFolder", "StoredVector"]

SUFFIX = ".parquet"
_TEMPORARY = ".writing"
_CACHED_SEGMENTS = 8
_COMPRESSION_LEVEL = 3

_encode = msgspec.json.Encoder().encode
_decode_calls = msgspec.json.Decoder(tuple[ToolCall, ...]).decode
_decode_result = msgspec.json.Decoder(ToolResult).decode


class StoredVector(NamedTuple):
    """A vector as the database keeps it."""

    space: str
    gain: float
    data: bytes


class ColdRow(NamedTuple):
    """One row on its way into or out of a segment."""

    engram: Engram
    vectors: tuple[StoredVector, ...]


class SegmentFile(NamedTuple):
    """What the manifest says of a segment."""

    name: str
    sha256: bytes
    size_bytes: int
    engrams: int


def _schema() -> pa.Schema:
    import pyarrow as pa

    vector = pa.struct([("space", pa.string()), ("gain", pa.float32()), ("data", pa.binary())])
    return pa.schema(
        [
            ("id", pa.binary(16)),
            ("scope", pa.string()),
            ("kind", pa.uint8()),
            ("category", pa.uint8()),
            ("content", pa.string()),
            ("role", pa.string()),
            ("channel", pa.string()),
            ("principal", pa.string()),
            ("authority", pa.uint8()),
            ("plane", pa.uint8()),
            ("session", pa.string()),
            ("message_id", pa.string()),
            ("position", pa.int64()),
            ("parents", pa.list_(pa.binary(16))),
            ("recorded_us", pa.int64()),
            ("event_us", pa.int64()),
            ("event_offset_min", pa.int32()),
            ("last_us", pa.int64()),
            ("frequency", pa.int64()),
            ("salience", pa.float64()),
            ("quality", pa.float64()),
            ("half_life_us", pa.int64()),
            ("evict_at_us", pa.int64()),
            ("tool_calls", pa.string()),
            ("tool_result", pa.string()),
            ("vectors", pa.list_(vector)),
        ]
    )


def _line(row: ColdRow) -> list[Any]:
    engram, origin = row.engram, row.engram.provenance
    return [
        engram.id,
        engram.scope,
        int(engram.kind),
        int(engram.category),
        engram.content,
        str(origin.role),
        str(origin.channel),
        origin.principal,
        int(origin.authority),
        int(origin.plane),
        origin.session,
        origin.message_id,
        origin.position,
        list(origin.parents),
        engram.recorded_us,
        engram.event_us,
        engram.event_offset_min,
        engram.last_us,
        engram.frequency,
        engram.salience,
        engram.quality,
        engram.half_life_us,
        engram.evict_at_us,
        _encode(engram.tool_calls).decode() if engram.tool_calls else None,
        _encode(engram.tool_result).decode() if engram.tool_result else None,
        [vector._asdict() for vector in row.vectors],
    ]


class Segment:
    """One segment read into memory. Immutable, so thread-safe."""

    def __init__(self, table: pa.Table) -> None:
        """Index the rows of a table by id."""
        self.table = table
        self._ids: list[bytes] = table.column("id").to_pylist()
        self._rows = {EngramId(id_): at for at, id_ in enumerate(self._ids)}
        self._contents: list[str] = table.column("content").to_pylist()

    @property
    def ids(self) -> frozenset[EngramId]:
        """The ids of its rows."""
        return frozenset(self._rows)

    def fill(self, engram: Engram) -> Engram:
        """Return a cold engram with its text. Raises CorruptionError if it is not here."""
        content, calls, result = self.raw(engram.id)
        return msgspec.structs.replace(
            engram,
            content=content,
            tool_calls=_decode_calls(calls) if calls else (),
            tool_result=_decode_result(result) if result else None,
        )

    def raw(self, id_: EngramId) -> tuple[str, str | None, str | None]:
        """Return the text of one row and the JSON of its tool calls and result."""
        at = self._at(id_)
        calls = self.table.column("tool_calls")[at].as_py()
        return self._contents[at], calls, self.table.column("tool_result")[at].as_py()

    def vectors(self, id_: EngramId) -> tuple[StoredVector, ...]:
        """Return the vectors of one row in every space."""
        listed = self.table.column("vectors")[self._at(id_)].as_py() or []
        return tuple(StoredVector(**vector) for vector in listed)

    def without(self, ids: frozenset[EngramId]) -> pa.Table:
        """Return its table without some rows."""
        import pyarrow as pa

        kept = [at for at, id_ in enumerate(self._ids) if id_ not in ids]
        return self.table.take(pa.array(kept, pa.int64()))

    def _at(self, id_: EngramId) -> int:
        at = self._rows.get(id_)
        if at is None:
            msg = f"archive: a cold row is missing from its segment, got id {id_.hex()}"
            raise CorruptionError(msg)
        return at


class SegmentFolder:
    """The files of one tenant's archive. Thread-safe."""

    def __init__(self, path: Path) -> None:
        """Name the folder; it is made with the first segment."""
        self.path = path
        self._cache: OrderedDict[str, Segment] = OrderedDict()
        self._lock = threading.Lock()

    def names(self) -> set[str]:
        """Return the names of all files in the folder, finished or not."""
        try:
            return {entry.name for entry in self.path.iterdir()}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise failures.of_system("archive", error, self.path) from error

    def write(self, rows: Sequence[ColdRow]) -> SegmentFile:
        """Write rows, in order of id, as a new segment. Raises StorageError."""
        import pyarrow as pa

        lines = [_line(row) for row in sorted(rows, key=lambda row: row.engram.id)]
        schema = _schema()
        columns = [
            pa.array(values, field.type)
            for values, field in zip(zip(*lines, strict=True), schema, strict=True)
        ]
        return self.write_table(pa.table(columns, schema=schema))

    def write_table(self, table: pa.Table) -> SegmentFile:
        """Write a table of the segment schema; durable when this returns. Raises StorageError."""
        import pyarrow.parquet as pq

        sink = io.BytesIO()
        pq.write_table(
            table, sink, compression="zstd", compression_level=_COMPRESSION_LEVEL,
            store_schema=False,
        )  # fmt: skip
        data = sink.getvalue()
        digest = hashlib.sha256(data)
        name = digest.hexdigest() + SUFFIX
        directory.make_directory(self.path)
        directory.write_whole(
            self.path / name, data, temporary=self.path / (digest.hexdigest() + _TEMPORARY)
        )
        return SegmentFile(name, digest.digest(), len(data), table.num_rows)

    def read(self, name: str) -> Segment:
        """Return a segment, from memory if it was read lately.

        Raises:
            CorruptionError: the file's bytes do not hash to its name.
            StorageError: it is missing or cannot be read.
        """
        with self._lock:
            segment = self._cache.get(name)
            if segment is not None:
                self._cache.move_to_end(name)
                return segment
        segment = Segment(self._load(name))
        with self._lock:
            self._cache[name] = segment
            while len(self._cache) > _CACHED_SEGMENTS:
                self._cache.popitem(last=False)
        return segment

    def check(self, name: str) -> str | None:
        """Return what is wrong with a file, None if its bytes hash to its name."""
        try:
            self._load(name)
        except StorageError as error:
            return str(error)
        return None

    def remove(self, name: str) -> None:
        """Delete a file; it may be gone already. Raises StorageError."""
        with self._lock:
            self._cache.pop(name, None)
        path = self.path / name
        try:
            path.unlink(missing_ok=True)
            directory.sync_directory(self.path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise failures.of_system("archive", error, path) from error

    def _load(self, name: str) -> pa.Table:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path / name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise failures.of_system("archive", error, path) from error
        got = hashlib.sha256(data).hexdigest() + SUFFIX
        if got != name:
            msg = (
                f"archive: {path}: the segment is damaged, got SHA-256 {got.removesuffix(SUFFIX)}, "
                f"expected its name; restore this file from a backup"
            )
            raise CorruptionError(msg)
        # Not by read_table: threads of a dataset give the buffer back late, and a process that ends
        # meanwhile is aborted, because the buffer is Python's.
        file = pq.ParquetFile(pa.BufferReader(data), pre_buffer=False)
        return file.read(use_threads=False).cast(_schema())
