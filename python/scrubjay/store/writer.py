"""The one writer of a store: takes the turn, runs the transaction, tidies up behind it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scrubjay.base.errors import BusyError, ClosedError, ConflictError
from scrubjay.base.ids import Entropy
from scrubjay.store import archive, settings
from scrubjay.store.connection import Database
from scrubjay.store.ledger import read_ledger
from scrubjay.store.locks import FileGate, ThreadQueue, waits_s
from scrubjay.store.scopes import ScopeBook
from scrubjay.store.segments import SegmentFolder
from scrubjay.store.transaction import SqliteTransaction
from scrubjay.store.vectors import SpaceBook

__all__ = ["BUSY_TIMEOUT_S", "Writer"]

BUSY_TIMEOUT_S = 60.0
"""How long a write waits for its turn before it gives up with BusyError."""

_SCRUB_PATIENCE_S = 0.2


class Writer:
    """Serialises the writes of this process and takes turns with others. Thread-safe."""

    def __init__(
        self,
        database: Database,
        gate: FileGate,
        folder: SegmentFolder,
        entropy: Entropy,
        *,
        timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        """Write through ``database``, a connection of its own that does not wait by itself."""
        self._database = database
        self._gate = gate
        self._folder = folder
        self._entropy = entropy
        self._timeout_s = timeout_s
        self._queue = ThreadQueue()
        self._pause = threading.Event()
        self._scopes = ScopeBook()
        self._spaces = SpaceBook()
        self._current: SqliteTransaction | None = None
        self._scrub_due = False
        self._closed = False

    def own_transaction(self) -> SqliteTransaction | None:
        """Return the transaction of the calling thread, None if it has none."""
        return self._current if self._queue.held_here() else None

    @contextmanager
    def transaction(self, *, now_us: int) -> Iterator[SqliteTransaction]:
        """Run one write; see ``SqliteStore.write``."""
        with self._turn():
            tx = SqliteTransaction(
                self._database,
                read_ledger(self._database),
                now_us=now_us,
                entropy=self._entropy,
                folder=self._folder,
                scopes=self._scopes,
                spaces=self._spaces,
            )
            self._current = tx
            try:
                yield tx
                if tx.finish():
                    self._database.run("COMMIT")
            except BaseException:
                self._abandon(tx.files.written)
                raise
            finally:
                self._current = None
            for name in tx.files.superfluous:
                self._folder.remove(name)
            if tx.erased or self._scrub_due:
                self._scrub()

    def cache_embeddings(self, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Add to the embedding cache; not a commit that readers of the index need to see."""
        with self._turn():
            try:
                settings.cache_embeddings(self._database, space, rows)
                self._database.run("COMMIT")
            except BaseException:
                self._abandon([])
                raise

    def sweep(self) -> list[str]:
        """Delete archive files that no commit knows; returns their names."""
        with self._turn():
            return archive.sweep(self._database, self._folder)

    def refuse_inside(self) -> None:
        """Raise ConflictError if the calling thread is inside a write."""
        if self._queue.held_here():
            msg = "close: this thread is inside a write, expected it to end first"
            raise ConflictError(msg)

    def close(self) -> None:
        """Wait for the write in progress, then close; idempotent. Raises BusyError."""
        if self._closed:
            return
        if not self._queue.acquire(self._timeout_s):
            raise self._busy("another thread")
        try:
            self._closed = True
            if self._scrub_due:
                self._scrub()
            self._database.close()
            self._gate.close()
        finally:
            self._queue.release()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._queue.held_here():
            msg = "write: this thread is inside a write already; use its transaction"
            raise ConflictError(msg)
        if not self._queue.acquire(self._timeout_s):
            raise self._busy("another thread")
        try:
            if self._closed:
                msg = f"write: {self._database.path} was closed; open the memory again"
                raise ClosedError(msg)
            self._begin()
            try:
                yield
            finally:
                self._database.rollback()
        finally:
            self._queue.release()

    def _begin(self) -> None:
        self._gate.enter(self._timeout_s)
        try:
            for pause_s in waits_s(self._timeout_s):
                if self._database.try_begin_immediate():
                    return
                self._pause.wait(pause_s)
        finally:
            self._gate.leave()
        raise self._busy("another process")

    def _abandon(self, written: Sequence[str]) -> None:
        self._scopes.clear()
        self._spaces.clear()
        self._database.rollback()
        if written:
            known = archive.manifest(self._database)
            for name in written:
                if name not in known:
                    self._folder.remove(name)

    def _scrub(self) -> None:
        self._scrub_due = True
        for pause_s in waits_s(_SCRUB_PATIENCE_S):
            if self._database.checkpoint(truncate=True):
                self._scrub_due = False
                return
            self._pause.wait(pause_s)

    def _busy(self, who: str) -> BusyError:
        path: Path = self._database.path
        return BusyError(
            f"write: {path}: {who} was writing for {self._timeout_s:g} s, "
            "expected a turn; try again"
        )
