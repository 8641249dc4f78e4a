"""Who may write next: fair between threads, fair between processes.

SQLite has one write lock per file and no queue: a process that commits in a loop takes the lock
again before one that polls has woken. So threads stand in a queue, and a process that waits holds
the *gate*, a lock on a file of its own, which everybody must pass before asking SQLite. Whoever
has just committed finds the gate held by the one that waits, and comes after it.

The kernel frees the gate when its holder dies; a holder that is merely stopped lets others run
into their timeout, never into a deadlock.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from scrubjay.base.errors import BusyError
from scrubjay.store import failures

__all__ = ["FileGate", "ThreadQueue", "waits_s"]

_FIRST_WAIT_S = 0.000_2
_LONGEST_WAIT_S = 0.004


def waits_s(timeout_s: float) -> Iterator[float]:
    """Yield the pauses of one polling loop, growing, that add up to ``timeout_s``.

    >>> round(sum(waits_s(1.0)), 6)
    1.0
    """
    pause, left = _FIRST_WAIT_S, timeout_s
    while left > 0:
        yield min(pause, left)
        left -= pause
        pause = min(pause * 1.5, _LONGEST_WAIT_S)


class ThreadQueue:
    """A lock that threads get in the order in which they asked.

    Thread-safe. Not re-entrant: ``held_here`` tells a thread that it is inside already.
    """

    def __init__(self) -> None:
        """Start free."""
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._owner: int | None = None
        self._taken = False

    def held_here(self) -> bool:
        """Return whether the calling thread holds the lock."""
        return self._owner == threading.get_ident()

    def acquire(self, timeout_s: float) -> bool:
        """Wait for the turn; False after ``timeout_s``."""
        with self._guard:
            if not self._taken:
                self._taken = True
                self._owner = threading.get_ident()
                return True
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append(ticket)
        try:
            ours = ticket.acquire(timeout=timeout_s)
        except BaseException:
            if not self._withdraw(ticket):
                self.release()
            raise
        if not ours and self._withdraw(ticket):
            return False
        self._owner = threading.get_ident()
        return True

    def _withdraw(self, ticket: threading.Lock) -> bool:
        """Leave the queue; False if the lock was handed over meanwhile."""
        with self._guard:
            if ticket not in self._waiting:
                return False
            self._waiting.remove(ticket)
            return True

    def release(self) -> None:
        """Hand the lock to the thread that has waited longest."""
        with self._guard:
            self._owner = None
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


class FileGate:
    """An exclusive lock between processes on a small file, held for short moments.

    Thread-safety: one thread at a time (the writer's).
    """

    def __init__(self, path: Path, *, function: str = "write") -> None:
        """Name the lock file, created when the gate is first passed, and who speaks in errors."""
        self._path = path
        self._function = function
        self._descriptor: int | None = None
        self._pause = threading.Event()

    def enter(self, timeout_s: float) -> None:
        """Take the gate. Raises BusyError after ``timeout_s``, StorageError."""
        try:
            if self._descriptor is None:
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
                self._descriptor = os.open(self._path, flags, 0o666)
            for pause_s in waits_s(timeout_s):
                if _try_lock(self._descriptor):
                    return
                self._pause.wait(pause_s)
        except OSError as error:
            raise failures.of_system(self._function, error, self._path) from error
        msg = (
            f"{self._function}: {self._path}: another process has waited at the gate, "
            f"got no turn in {timeout_s:g} s; try again or raise the timeout"
        )
        raise BusyError(msg)

    def leave(self) -> None:
        """Free the gate."""
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the lock file; idempotent."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        """Take the gate with a patient timeout."""
        self.enter(30.0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Free the gate and close its file."""
        self.leave()
        self.close()


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EAGAIN, errno.EACCES, errno.EINTR}:
            return False
        raise
    return True
