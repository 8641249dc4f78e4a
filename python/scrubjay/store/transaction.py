"""One atomic write: what ``base/ports.py`` calls a Transaction, over one SQLite transaction.

Words and vectors wait until the end, so that a row rewritten by its successor is filed once; what
reads them inside the transaction flushes them first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.errors import CorruptionError, InvalidArgumentError, NotFoundError, UnitError
from scrubjay.base.ids import EngramId, Entropy, format_id, make_id
from scrubjay.base.ports import JournalEvent
from scrubjay.base.trace import Assertion, Engram, Firing, Intention, Skill, State
from scrubjay.store import (
    archive,
    assertions,
    engrams,
    erasure,
    intentions,
    journal,
    settings,
    skills,
    text,
    vectors,
)
from scrubjay.store.connection import Database
from scrubjay.store.ledger import Ledger, write_ledger
from scrubjay.store.scopes import ScopeBook
from scrubjay.store.segments import SegmentFolder

__all__ = ["SqliteTransaction"]

_SALT_BYTES = 16


class SqliteTransaction:
    """The write in progress. Thread-safety: only the thread that opened it may use it."""

    def __init__(
        self,
        database: Database,
        ledger: Ledger,
        *,
        now_us: int,
        entropy: Entropy,
        folder: SegmentFolder,
        scopes: ScopeBook,
        spaces: vectors.SpaceBook,
    ) -> None:
        """Write through ``database``, whose transaction is open, from the state of ``ledger``."""
        self._database = database
        self._ledger = ledger
        self._changes_before = database.total_changes()
        self._entropy = entropy
        self._folder = folder
        self._scopes = scopes
        self._spaces = spaces
        self._text = text.PendingText()
        self._vectors = vectors.PendingVectors()
        self._marks: dict[int, str] = {}
        self._new: list[int] = []
        self._ids_given = False
        self.now_us = now_us
        self.seq = ledger.seq + 1
        self.files = archive.Changes()
        self.erased = False

    def new_id(self) -> EngramId:
        """Allocate the next id of this directory."""
        self._ledger.id_counter += 1
        self._ids_given = True
        return make_id(now_us=self.now_us, node=self._ledger.node, counter=self._ledger.id_counter)

    def scope_id(self, path: str) -> int:
        """Return the id of a scope, creating it and its ancestors."""
        return self._scopes.make(self._database, path)

    def add_engram(self, engram: Engram) -> int:
        """Insert a row and return its local key.

        Raises InvalidArgumentError (a lone surrogate, a bad scope or id), ConflictError (the id
        exists).
        """
        scope_id = self.scope_id(engram.scope)
        salt = self._entropy.token(_SALT_BYTES)
        local = engrams.insert(self._database, engram, seq=self.seq, scope_id=scope_id, salt=salt)
        self._marks[local] = self._scopes.marks(self._database, scope_id)
        self._text.expect(local)
        self._new.append(local)
        return local

    def put_vector(self, local: int, space: str, vector: NDArray[np.float32], gain: float) -> None:
        """Store (or replace) the vector of a row in one vector space.

        Raises ShapeError, UnitError, NotFoundError.
        """
        if not 0.0 < gain <= 1.0:
            msg = f"put_vector: gain out of range, got {gain}, expected 0 < gain <= 1"
            raise UnitError(msg)
        data = vectors.pack(vector)
        if local not in self._marks:
            self._marks[local] = self._marks_of(local)
            engrams.log_changes(self._database, [local], seq=self.seq)
        self._vectors.put(self._spaces.make(self._database, space, vector.size), local, gain, data)

    def put_text(self, local: int, *, turn: Sequence[str], context: Sequence[str]) -> None:
        """Index (or re-index) the tokens of a row alone and with its neighbours."""
        marks = self._marks.get(local) or self._marks_of(local)
        self._text.put(local, turn=turn, context=context, marks=marks)

    def reinforce(self, local: int, *, last_us: int, evict_at_us: int | None) -> None:
        """Count one use: frequency + 1, t_m = ``last_us`` (never back in time)."""
        self._touch("reinforce", [local])
        self._database.run(
            "UPDATE engram SET frequency = frequency + 1, last_us = max(last_us, ?),"
            " evict_at_us = ? WHERE local = ?",
            (last_us, evict_at_us, local),
        )

    def set_state(self, locals_: Iterable[int], state: State) -> None:
        """Move rows to another state; into and out of the archive go ``archive`` and ``restore``.

        Raises InvalidArgumentError, NotFoundError.
        """
        if state is State.ARCHIVED:
            msg = "set_state: rows enter the archive by archive(), got state ARCHIVED"
            raise InvalidArgumentError(msg)
        keys = list(locals_)
        self._touch("set_state", keys)
        self._database.run_many(
            "UPDATE engram SET state = ? WHERE local = ?", [(int(state), key) for key in keys]
        )

    def set_consolidated(self, locals_: Iterable[int]) -> None:
        """Mark rows as having passed a sleep cycle."""
        self._database.run_many(
            "UPDATE engram SET consolidated = 1 WHERE local = ? AND consolidated = 0",
            [(key,) for key in locals_],
        )

    def set_pinned(self, local: int, *, pinned: bool) -> None:
        """Pin or unpin a row."""
        self._touch("set_pinned", [local])
        self._database.run("UPDATE engram SET pinned = ? WHERE local = ?", (pinned, local))

    def archive(self, engrams: Sequence[Engram]) -> str:
        """Write rows to one cold segment, drop them from hot search, return its name.

        The rows are read from the database; no rows give the empty name. Raises NotFoundError,
        ConflictError (pinned or cold already), StorageError.
        """
        if not engrams:
            return ""
        self.flush()
        name, gone = archive.archive(
            self._database,
            self._folder,
            [engram.id for engram in engrams],
            seq=self.seq,
            changes=self.files,
        )
        self._forget(gone)
        return name

    def restore(self, ids: Sequence[EngramId]) -> int:
        """Bring archived rows back to HOT with their vectors; return how many.

        Their words are not kept in the archive: the caller puts the text of each again. Raises
        NotFoundError.
        """
        restored = archive.restore(
            self._database, self._folder, ids, seq=self.seq, changes=self.files
        )
        for local, stored in restored:
            for space, gain, data in stored:
                dim = len(data) // 2
                space_id = self._spaces.make(self._database, space, dim)
                self._vectors.put(space_id, local, gain, data)
        return len(restored)

    def erase(self, ids: Sequence[EngramId]) -> int:
        """Remove rows and all traces of them everywhere; return how many there were."""
        self.flush()
        erased = erasure.erase(self._database, self._folder, ids, seq=self.seq, changes=self.files)
        self._forget(erased.locals_)
        self.erased = self.erased or bool(erased.locals_)
        return erased.requested

    def add_assertion(self, assertion: Assertion) -> None:
        """Insert an immutable statement. Raises NotFoundError if its engram does not exist."""
        self._require("add_assertion", assertion.id)
        assertions.insert(self._database, assertion, scope_id=self.scope_id(assertion.scope))

    def declare_predicate(self, name: str, *, functional: bool) -> None:
        """Declare whether a predicate holds one value at a time."""
        assertions.declare(self._database, name, functional=functional)

    def add_skill(self, skill: Skill) -> None:
        """Insert a skill or a new version; the same id again brings its record up to date.

        Raises NotFoundError if its engram does not exist, ConflictError.
        """
        self._require("add_skill", skill.id)
        skills.put(self._database, skill, scope_id=self.scope_id(skill.scope))

    def add_intention(self, intention: Intention) -> None:
        """Insert an intention. Raises NotFoundError if its engram does not exist."""
        self._require("add_intention", intention.id)
        intentions.insert(self._database, intention, scope_id=self.scope_id(intention.scope))

    def set_intention_status(self, id_: EngramId, status: str) -> None:
        """Move an intention along its life cycle. Raises NotFoundError."""
        intentions.set_status(self._database, id_, status)

    def put_firing(self, firing: Firing) -> bool:
        """Insert or update the firing of one occurrence; False if it was there already.

        Raises NotFoundError, ConflictError (the lease has passed to somebody else).
        """
        return intentions.put_firing(self._database, firing)

    def put_progress(self, source: str, *, position: int, digest: str) -> None:
        """Remember how far a transcript was read."""
        settings.put_progress(self._database, source, position=position, digest=digest)

    def put_meta(self, key: str, value: str) -> None:
        """Set a directory-wide setting."""
        settings.put_meta(self._database, key, value)

    def journal(self, event: str, *, subject: str = "", detail: str = "{}") -> None:
        """Append to the audit chain."""
        line = JournalEvent(self._ledger.journal_seq + 1, self.now_us, event, subject, detail)
        self.append_line(line)

    def append_line(self, line: JournalEvent) -> None:
        """Append a line that is whole already, as an import does.

        Raises CorruptionError if it is not the next one.
        """
        ledger = self._ledger
        if line.seq != ledger.journal_seq + 1:
            msg = (
                f"import: a journal line is missing or out of place, got line {line.seq}, "
                f"expected {ledger.journal_seq + 1}; export the memory again"
            )
            raise CorruptionError(msg)
        ledger.journal_hash = journal.append(self._database, line, ledger.journal_hash)
        ledger.journal_seq = line.seq
        ledger.last_us = line.now_us if ledger.last_us is None else max(ledger.last_us, line.now_us)

    def cache_embeddings(self, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Add to the embedding cache as part of this write."""
        settings.cache_embeddings(self._database, space, rows)

    def claim_counter(self, counter: int) -> None:
        """Never give out ids up to ``counter``, which exist already."""
        self._ledger.id_counter = max(self._ledger.id_counter, counter)

    @property
    def node(self) -> int:
        """The node in the ids of this directory."""
        return self._ledger.node

    def read_through(self) -> Database:
        """Return the connection, through which this thread sees its own writes."""
        return self._database

    def flush_log(self) -> None:
        """Enter the rows inserted so far in the index log."""
        engrams.log_new(self._database, self._new, seq=self.seq)
        self._new.clear()

    def flush_text(self) -> None:
        """Write the words that wait."""
        self._text.flush(self._database)

    def flush_vectors(self) -> None:
        """Write the vectors that wait."""
        self._vectors.flush(self._database)

    def flush(self) -> None:
        """Write everything that waits."""
        self.flush_log()
        self.flush_vectors()
        self.flush_text()

    def finish(self) -> bool:
        """Complete the write before the commit; False if there is nothing to commit."""
        self.flush()
        if self.erased:
            text.optimise(self._database)
        if self._database.total_changes() == self._changes_before and not self._ids_given:
            return False
        ledger = self._ledger
        ledger.seq = self.seq
        ledger.last_us = self.now_us if ledger.last_us is None else max(ledger.last_us, self.now_us)
        write_ledger(self._database, ledger)
        return True

    def _touch(self, function: str, locals_: Sequence[int]) -> None:
        for local in locals_:
            row = self._database.row("SELECT state FROM engram WHERE local = ?", (local,))
            if row is None or row[0] == State.ARCHIVED:
                what = "does not exist" if row is None else "is in the archive; restore it first"
                msg = f"{function}: the row {what}, got local key {local}"
                raise NotFoundError(msg)
        engrams.log_changes(self._database, locals_, seq=self.seq)

    def _marks_of(self, local: int) -> str:
        row = self._database.row("SELECT scope_id, state FROM engram WHERE local = ?", (local,))
        if row is None or row[1] == State.ARCHIVED:
            msg = f"put_text: no such hot row, got local key {local}"
            raise NotFoundError(msg)
        return self._scopes.marks(self._database, row[0])

    def _require(self, function: str, id_: EngramId) -> None:
        if not engrams.locals_of(self._database, [id_]):
            msg = f"{function}: its engram does not exist, got id {format_id(id_)}"
            raise NotFoundError(msg)

    def _forget(self, locals_: Sequence[int]) -> None:
        self._text.discard(locals_)
        self._vectors.discard(locals_)
        for local in locals_:
            self._marks.pop(local, None)
