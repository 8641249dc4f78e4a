"""Upkeep: the life of an open memory, and the calls that look after it rather than use it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from os import PathLike
from types import TracebackType
from typing import Self

from scrubjay.assembly import Parts
from scrubjay.base.errors import ArgumentTypeError, ClosedError
from scrubjay.base.ids import EngramId, parse_id
from scrubjay.base.trace import Engram, RowFilter, State
from scrubjay.policies import exchange, intake
from scrubjay.policies.inspection import Stats, check_health, take_stats
from scrubjay.store import DoctorReport

__all__ = ["Upkeep"]


class Upkeep:
    """What every open memory offers besides memory itself. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        """Look after the parts of one memory.

        Raises:
            ArgumentTypeError: called by a user; Memory.open(path) makes the parts.
        """
        if not isinstance(parts, Parts):
            msg = f"Memory: got {parts!r:.60}, expected the parts of one; use Memory.open(path)"
            raise ArgumentTypeError(msg)
        self._parts = parts
        self._writing = threading.RLock()
        self._closed = False

    def __repr__(self) -> str:
        """Return directory, tenant and whether it is closed."""
        store = self._parts.store
        state = ", closed" if self._closed else ""
        return f"Memory({str(store.path)!r}, tenant {store.tenant!r}{state})"

    def engram(self, id_: EngramId | str) -> Engram:
        """Return one row by id, hot or archived. Raises NotFoundError."""
        with self._operation():
            return self._parts.store.engram(parse_id(id_))

    def engrams(self, *, include_archived: bool = False) -> Iterator[Engram]:
        """Iterate over rows in order of id, which is the order of recording."""
        where = RowFilter(states=tuple(State)) if include_archived else None
        with self._operation():
            yield from self._parts.store.engrams(where=where)

    def stats(self) -> Stats:
        """Return counts of rows by kind and state, sizes and settings."""
        with self._operation():
            return take_stats(self._parts.store, self._parts.engine)

    def doctor(self) -> DoctorReport:
        """Verify rows, index, full text, archive and the audit chain against each other."""
        with self._operation():
            return check_health(self._parts.store, self._parts.engine)

    def export(self, path: str | PathLike[str]) -> int:
        """Write all memories as canonical JSON Lines; return the number of lines."""
        with self._operation():
            return exchange.export_file(self._parts.store, intake.checked_target("export", path))

    def import_(self, path: str | PathLike[str]) -> int:
        """Read an export into this empty memory; return the number of lines."""
        with self._operation(writes=True) as now_us:
            file = intake.checked_file("import", path)
            self._parts.declare_space(now_us=now_us)
            return exchange.import_file(self._parts.store, self._parts.encoder, file, now_us=now_us)

    def close(self) -> None:
        """Release the files; closing twice is harmless."""
        with self._writing:
            if not self._closed:
                self._closed = True
                self._parts.engine.close()
                self._parts.store.close()

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the memory."""
        self.close()

    @contextmanager
    def _operation(self, *, writes: bool = False) -> Iterator[int]:
        with self._writing if writes else nullcontext():
            if self._closed:
                msg = "Memory: this memory was closed, got a call; open it again with Memory.open"
                raise ClosedError(msg)
            now_us = self._parts.pace.instant(self._parts.clock.now_us())
            if writes:
                self._parts.pace.record_step_back(now_us=now_us)
            yield now_us
