"""One SQLite connection with scrubjay's settings, and a pool of them for readers.

Each pragma is one call whose effect is read back: a statement after a semicolon in the same string
would be dropped silently, and a pragma that is refused says nothing.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote

import apsw

from scrubjay.base.errors import ClosedError, StorageError
from scrubjay.store import failures

__all__ = ["Database", "Durability", "Lease", "Mode", "ReaderPool", "Row", "open_database"]

Mode = Literal["write", "read", "immutable"]
Durability = Literal["commit", "batch"]
Row = tuple[Any, ...]

_SYNCHRONOUS = {"batch": 1, "commit": 2}
_READER_BUSY_MS = 10_000
_CACHE_KIB = 16_384
_WAL_LIMIT_BYTES = 64 << 20
_STATEMENTS = 200


class Database:
    """One connection; raises only scrubjay errors.

    Thread-safety: one thread at a time; a lease or the write lock says which.
    """

    __slots__ = ("_connection", "path", "seen_seq", "seen_version")

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        """Wrap an open connection to the file at ``path``."""
        self._connection = connection
        self.path = path
        self.seen_version = -1
        self.seen_seq = 0

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement and return all its rows."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except apsw.Error as error:
            raise failures.of_database("store", error, self.path) from error
        except UnicodeDecodeError as error:
            raise failures.of_text("store", error, self.path) from error

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """Run one statement and return its first row, None if there is none."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run one statement that returns nothing."""
        try:
            self._connection.execute(sql, values)
        except apsw.Error as error:
            raise failures.of_database("store", error, self.path) from error

    def run_many(self, sql: str, many: Iterable[Sequence[Any]]) -> None:
        """Run one statement once for each row of values."""
        try:
            self._connection.executemany(sql, many)
        except apsw.Error as error:
            raise failures.of_database("store", error, self.path) from error

    def try_begin_immediate(self) -> bool:
        """Take the write lock if it is free; False if another connection holds it."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            return False
        except apsw.Error as error:
            raise failures.of_database("write", error, self.path) from error
        return True

    def rollback(self) -> None:
        """Undo the open transaction, if SQLite has not done so already."""
        if self.in_transaction():
            self.run("ROLLBACK")

    def in_transaction(self) -> bool:
        """Return whether a transaction is open."""
        return not self._connection.get_autocommit()

    def last_rowid(self) -> int:
        """Return the key of the row inserted last."""
        return self._connection.last_insert_rowid()

    def changes(self) -> int:
        """Return how many rows the last statement changed."""
        return self._connection.changes()

    def total_changes(self) -> int:
        """Return how many rows this connection ever changed."""
        return self._connection.total_changes()

    def data_version(self) -> int:
        """Return a number that moves when another connection commits."""
        try:
            return int(self._connection.pragma("data_version"))
        except apsw.Error as error:
            raise failures.of_database("store", error, self.path) from error

    def pragma(self, name: str) -> Any:
        """Return the value of a pragma."""
        try:
            return self._connection.pragma(name)
        except apsw.Error as error:
            raise failures.of_database("open", error, self.path) from error

    def set_pragma(self, name: str, value: str | int, *, expected: str | int | None = None) -> None:
        """Set a pragma and read it back.

        Raises:
            StorageError: the database did not take the value.
        """
        wanted = value if expected is None else expected
        try:
            self._connection.pragma(name, value)
            got = self._connection.pragma(name)
        except apsw.Error as error:
            raise failures.of_database("open", error, self.path) from error
        if got != wanted:
            msg = f"open: {self.path}: pragma {name} was refused, got {got!r}, expected {wanted!r}"
            raise StorageError(msg)

    def set_busy_timeout(self, busy_ms: int) -> None:
        """Set how long a statement waits for a lock by itself."""
        self._connection.set_busy_timeout(busy_ms)

    def checkpoint(self, *, truncate: bool) -> bool:
        """Move the write-ahead log into the database; False if readers stood in the way."""
        mode = apsw.SQLITE_CHECKPOINT_TRUNCATE if truncate else apsw.SQLITE_CHECKPOINT_PASSIVE
        try:
            self._connection.wal_checkpoint(mode=mode)
        except (apsw.BusyError, apsw.LockedError):
            return False
        except apsw.Error as error:
            raise failures.of_database("checkpoint", error, self.path) from error
        return True

    def close(self) -> None:
        """Close the connection; idempotent."""
        try:
            self._connection.close()
        except apsw.Error as error:
            raise failures.of_database("close", error, self.path) from error


def open_database(
    path: Path,
    *,
    mode: Mode,
    durability: Durability = "commit",
    busy_ms: int = _READER_BUSY_MS,
    vfs: str | None = None,
) -> Database:
    """Open the file at ``path`` and apply the settings every connection needs.

    A writer creates the file if it is missing. ``immutable`` reads a file that nobody can change,
    such as one in a read-only directory. Raises StorageError, CorruptionError.
    """
    flags = apsw.SQLITE_OPEN_URI | (
        apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        if mode == "write"
        else apsw.SQLITE_OPEN_READONLY
    )
    suffix = "?immutable=1" if mode == "immutable" else ""
    uri = f"file:{quote(str(path))}{suffix}"
    try:
        connection = apsw.Connection(uri, flags, vfs, _STATEMENTS)
        connection.set_busy_timeout(busy_ms)
    except apsw.Error as error:
        raise failures.of_database("open", error, path) from error
    database = Database(connection, path)
    try:
        _apply_settings(database, mode, durability)
    except BaseException:
        database.close()
        raise
    return database


def _apply_settings(database: Database, mode: Mode, durability: Durability) -> None:
    database.set_pragma("foreign_keys", 1)
    database.set_pragma("trusted_schema", 0)
    database.set_pragma("cell_size_check", 1)
    database.set_pragma("temp_store", 2)
    database.set_pragma("cache_size", -_CACHE_KIB)
    if mode != "write":
        database.set_pragma("query_only", 1)
        return
    database.set_pragma("journal_mode", "wal")
    database.set_pragma("synchronous", _SYNCHRONOUS[durability])
    database.set_pragma("secure_delete", 1)
    database.set_pragma("journal_size_limit", _WAL_LIMIT_BYTES)


class Lease:
    """A reader borrowed for the length of a ``with`` block."""

    __slots__ = ("_database", "_pool")

    def __init__(self, database: Database, pool: ReaderPool | None) -> None:
        """Lend ``database``; without a pool it is not given back anywhere."""
        self._database = database
        self._pool = pool

    def __enter__(self) -> Database:
        """Return the reader."""
        return self._database

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the reader back."""
        if self._pool is not None:
            self._pool.give_back(self._database)


class ReaderPool:
    """Readers of one file, opened as they are needed and used last-in first-out.

    A reader never waits for a writer or for another reader. Thread-safe.
    """

    def __init__(self, path: Path, *, mode: Mode, vfs: str | None = None) -> None:
        """Prepare a pool; nothing is opened yet."""
        self._path = path
        self._mode = mode
        self._vfs = vfs
        self._idle: deque[Database] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def lease(self) -> Lease:
        """Borrow a reader. Raises ClosedError, StorageError."""
        if self._closed:
            msg = f"store: {self._path} was closed; open the memory again"
            raise ClosedError(msg)
        try:
            database = self._idle.pop()
        except IndexError:
            database = self.open_one()
        return Lease(database, self)

    def open_one(self) -> Database:
        """Open a reader that does not belong to the pool."""
        return open_database(self._path, mode=self._mode, vfs=self._vfs)

    def give_back(self, database: Database) -> None:
        """Take a reader back, or close it if the pool was closed meanwhile."""
        with self._lock:
            if not self._closed:
                self._idle.append(database)
                return
        database.close()

    def close(self) -> None:
        """Close every idle reader; those on loan close when they come back."""
        with self._lock:
            self._closed = True
            idle = list(self._idle)
            self._idle.clear()
        for database in idle:
            database.close()
