"""The store of one tenant on SQLite: what ``base/ports.py`` calls a Store.

What it models: the durable truth, in one file with a cold archive beside it.
What it promises: a write is whole or not there; what was acknowledged is there after a crash;
readers never wait; the thread inside ``write`` sees its own writes, all others the last commit.
What it forgets: nothing by itself; rows leave by ``erase`` alone.
Whom it calls: the file system, SQLite and pyarrow, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scrubjay.base.errors import ClosedError, StorageError
from scrubjay.base.ids import EngramId
from scrubjay.base.ports import ArchiveHit, Change, IndexRows, JournalEvent
from scrubjay.base.trace import (
    Assertion,
    Engram,
    Firing,
    Intention,
    Kind,
    RowFilter,
    Skill,
    State,
)
from scrubjay.store import (
    archive,
    assertions,
    engrams,
    erasure,
    intentions,
    journal,
    ledger,
    settings,
    skills,
    text,
    vectors,
)
from scrubjay.store.connection import Database, Lease, ReaderPool
from scrubjay.store.export import export_lines
from scrubjay.store.filters import condition
from scrubjay.store.scopes import ScopeTree, read_tree
from scrubjay.store.segments import SegmentFolder
from scrubjay.store.statistics import counts
from scrubjay.store.transaction import SqliteTransaction
from scrubjay.store.writer import Writer

__all__ = ["SqliteStore"]

_PAGE = 500
_FAR = 2**63 - 1


class SqliteStore:
    """An open tenant; made by ``open_store``. Thread-safe."""

    def __init__(
        self, path: Path, tenant: str, *, readers: ReaderPool, writer: Writer | None,
        folder: SegmentFolder,
    ) -> None:  # fmt: skip
        """Put the parts together; without a writer the store is read-only."""
        self.path = path
        self.tenant = tenant
        self._readers = readers
        self._writer = writer
        self.folder = folder
        self._tree = ScopeTree([])
        self._closed = False

    @contextmanager
    def write(self, *, now_us: int) -> Iterator[SqliteTransaction]:
        """Begin a write at ``now_us``; commits on leaving, rolls back on an exception.

        Raises:
            BusyError: somebody else wrote for longer than the timeout.
            ConflictError: this thread is inside a write already.
            StorageError: the store is read-only, the disk is full, …; nothing was written.
        """
        writer = self._require_writer()
        with writer.transaction(now_us=now_us) as tx:
            yield tx

    def close(self) -> None:
        """Release the files, after the write in progress; idempotent.

        Raises ConflictError if this thread is inside a write, BusyError if another is for too long.
        """
        if self._writer is not None:
            self._writer.refuse_inside()
        self._closed = True
        # The writer closes last: only it can fold the log into the file and remove it.
        self._readers.close()
        if self._writer is not None:
            self._writer.close()

    def last_seq(self) -> int:
        """Return the newest committed sequence number; some microseconds."""
        with self._lease() as database:
            version = database.data_version()
            if version != database.seen_version:
                database.seen_seq = ledger.read_ledger(database).seq
                database.seen_version = version
            return database.seen_seq

    def last_instant_us(self) -> int | None:
        """Return the newest journalled instant, None if nothing was ever written."""
        with self._lease() as database:
            return ledger.read_ledger(database).last_us

    def changes_since(self, seq: int) -> list[Change]:
        """Return the last change of every row changed after ``seq``, in order of seq, local."""
        if (tx := self._own_write()) is not None:
            tx.flush_log()
        with self._lease() as database:
            rows = database.rows(
                "SELECT seq, local, dropped FROM index_log WHERE tenant = 1 AND seq > ?"
                " ORDER BY seq, local",
                (seq,),
            )
        return [Change(row[0], row[1], row[2] == 1) for row in rows]

    def meta(self, key: str) -> str | None:
        """Return a directory-wide setting."""
        with self._lease() as database:
            return settings.get_meta(database, key)

    def scopes(self) -> dict[str, int]:
        """Return every scope path with its id, ancestors included."""
        with self._lease() as database:
            return dict(self._scope_tree(database).ids)

    def engram(self, id_: EngramId) -> Engram:
        """Return a row by id, from the archive if it is cold. Raises NotFoundError."""
        with self._lease() as database:
            return archive.fill(database, self.folder, engrams.by_id(database, id_))

    def engrams_by_local(self, locals_: Sequence[int]) -> dict[int, Engram]:
        """Return rows that are not cold by local key; missing ones are absent."""
        with self._lease() as database:
            return engrams.by_locals(database, locals_)

    def find_message(
        self, *, scope: str, session: str, message_id: str, position: int | None
    ) -> Engram | None:
        """Return the row already ingested under this message id, else position, else None."""
        with self._lease() as database:
            found = engrams.find_message(
                database, scope=scope, session=session, message_id=message_id, position=position
            )
            return None if found is None else archive.fill(database, self.folder, found)

    def session_tail(self, *, scope: str, session: str, limit: int) -> list[Engram]:
        """Return the last ``limit`` turns of a session, oldest first."""
        with self._lease() as database:
            found = engrams.session_tail(database, scope=scope, session=session, limit=limit)
            return archive.fill_all(database, self.folder, found)

    def neighbours(self, engram: Engram, *, before: int, after: int) -> list[Engram]:
        """Return the turns around one of a session, oldest first, itself included."""
        with self._lease() as database:
            found = engrams.neighbours(database, engram, before=before, after=after)
            return archive.fill_all(database, self.folder, found)

    def unconsolidated(self, *, limit: int, after_local: int = 0) -> list[Engram]:
        """Return turns, tool results and notes no cycle has read, by local key."""
        return self._select(
            "WHERE e.tenant = 1 AND e.consolidated = 0 AND e.kind IN (1, 2, 7) AND e.state = 0"
            " AND e.local > ? ORDER BY e.local LIMIT ?",
            (after_local, limit),
        )

    def evictable(self, *, now_us: int, limit: int) -> list[Engram]:
        """Return hot, consolidated, unpinned rows whose eviction instant has come."""
        return self._select(
            "WHERE e.tenant = 1 AND e.state = 0 AND e.consolidated = 1 AND e.pinned = 0"
            " AND e.evict_at_us IS NOT NULL AND e.evict_at_us <= ?"
            " ORDER BY e.evict_at_us, e.local LIMIT ?",
            (now_us, limit),
        )

    def engrams(
        self, *, kinds: Sequence[Kind] | None = None, where: RowFilter | None = None
    ) -> Iterator[Engram]:
        """Iterate over rows by id; without ``where``, those in any state but ARCHIVED.

        Pages are read one by one: a row written meanwhile may or may not appear.
        """
        hot = tuple(state for state in State if state is not State.ARCHIVED)
        test, values = condition(RowFilter(states=hot) if where is None else where)
        if kinds is not None:
            test += f" AND e.kind IN ({', '.join(str(int(kind)) for kind in sorted(set(kinds)))})"
        last = b""
        while page := self._select(
            f"WHERE {test} AND e.id > ? ORDER BY e.id LIMIT ?", (*values, last, _PAGE)
        ):
            yield from page
            last = page[-1].id

    def ids_of(
        self, *, scope: str | None = None, session: str | None = None, principal: str | None = None
    ) -> list[EngramId]:
        """Return the ids, in any state, of rows that match all that is given, without their texts.

        Names are compared literally. Raises InvalidArgumentError if nothing is given.
        """
        with self._lease() as database:
            return engrams.ids_of(database, scope=scope, session=session, principal=principal)

    def index_rows(self, *, space: str, locals_: Sequence[int] | None = None) -> IndexRows:
        """Return the index columns of all rows that are not cold, or of some."""
        if (tx := self._own_write()) is not None:
            tx.flush_vectors()
        with self._lease() as database:
            return vectors.index_rows(database, space=space, locals_=locals_)

    def match_text(
        self, tokens: Sequence[str], *, context: bool, where: RowFilter, limit: int
    ) -> list[tuple[int, float]]:
        """Return (local, BM25) of rows that hold any token, best first, larger is better."""
        if (tx := self._own_write()) is not None:
            tx.flush_text()
        with self._lease() as database:
            tree = self._tree if where.scope_ids is None else self._scope_tree(database)
            return text.match(
                database, tokens, context=context, where=where, limit=limit, tree=tree
            )

    def token_frequencies(self, tokens: Sequence[str], *, context: bool) -> list[int]:
        """Return, for each token, how many rows of one text index hold it; 0 if none does."""
        if (tx := self._own_write()) is not None:
            tx.flush_text()
        with self._lease() as database:
            return text.frequencies(database, tokens, context=context)

    def search_archive(self, *, where: RowFilter, limit: int) -> Iterator[ArchiveHit]:
        """Iterate over cold rows, newest segments first; the states of ``where`` do not count."""
        place, left = (_FAR, _FAR), limit
        while left > 0:
            with self._lease() as database:
                page = archive.search(database, self.folder, where=where, before=place)
            if not page:
                return
            for hit, _ in page[:left]:
                yield hit
            left -= len(page)
            place = page[-1][1]

    def assertions(
        self,
        *,
        scope: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
    ) -> list[Assertion]:
        """Return statements by id; those that wait for confirmation (PENDING) are left out."""
        with self._lease() as database:
            return assertions.select(database, scope=scope, subject=subject, predicate=predicate)

    def assertions_resting_on(self, ids: Sequence[EngramId]) -> list[Assertion]:
        """Return the statements that an erasure of rows takes with it, by id."""
        with self._lease() as database:
            return assertions.among(database, erasure.resting_on(database, ids))

    def functional_predicates(self) -> dict[str, bool]:
        """Return declared cardinalities: name → holds one value at a time."""
        with self._lease() as database:
            return assertions.functional(database)

    def skills(self, *, scope: str | None = None) -> list[Skill]:
        """Return the newest version of each skill, by id."""
        with self._lease() as database:
            return skills.select(database, scope=scope)

    def intentions(self, *, status: str | None = None) -> list[Intention]:
        """Return intentions ordered by (due_us, id)."""
        with self._lease() as database:
            return intentions.select(database, status=status)

    def firings(self, *, unacknowledged: bool = False) -> list[Firing]:
        """Return firings ordered by (occurrence_us, intention)."""
        with self._lease() as database:
            return intentions.firings(database, unacknowledged=unacknowledged)

    def progress(self, source: str) -> tuple[int, str] | None:
        """Return (position, digest) of a transcript read before."""
        with self._lease() as database:
            return settings.get_progress(database, source)

    def cached_embeddings(self, space: str, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return cached vectors by content digest."""
        with self._lease() as database:
            return settings.cached_embeddings(database, space, digests)

    def cache_embeddings(self, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Add to the embedding cache, in its own small transaction or in this thread's write."""
        if (tx := self._own_write()) is not None:
            tx.cache_embeddings(space, rows)
        elif self._writer is not None:
            self._writer.cache_embeddings(space, rows)

    def journal_events(self, *, after_seq: int = 0) -> Iterator[JournalEvent]:
        """Iterate over the audit chain in order."""
        while True:
            with self._lease() as database:
                page = journal.events(database, after_seq, _PAGE)
            if not page:
                return
            yield from page
            after_seq = page[-1].seq

    def counts(self) -> dict[str, int]:
        """Return row counts by name for ``stats``."""
        if (tx := self._own_write()) is not None:
            tx.flush()
        with self._lease() as database:
            return counts(database)

    def export_lines(self) -> Iterator[bytes]:
        """Yield all logical state of one snapshot as canonical JSON Lines; see ``export``."""
        if (tx := self._own_write()) is not None:
            yield from export_lines(tx.read_through(), self.folder)
            return
        with self._lease() as database:
            database.run("BEGIN")
            try:
                yield from export_lines(database, self.folder)
            finally:
                database.rollback()

    def reader(self) -> Lease:
        """Borrow a connection to read with, for the rest of the store package."""
        return self._lease()

    @contextmanager
    def fresh_reader(self) -> Iterator[Database]:
        """Open a connection for one use."""
        database = self._readers.open_one()
        try:
            yield database
        finally:
            database.close()

    def _select(self, tail: str, values: Sequence[object]) -> list[Engram]:
        with self._lease() as database:
            rows = database.rows(engrams.SELECT + tail, values)
            return archive.fill_all(database, self.folder, map(engrams.from_row, rows))

    def _own_write(self) -> SqliteTransaction | None:
        return None if self._writer is None else self._writer.own_transaction()

    def _lease(self) -> Lease:
        tx = self._own_write()
        if tx is not None:
            return Lease(tx.read_through(), None)
        return self._readers.lease()

    def _require_writer(self) -> Writer:
        if self._closed:
            msg = f"write: {self.path} was closed; open the memory again"
            raise ClosedError(msg)
        if self._writer is None:
            msg = f"write: {self.path} was opened read_only=True; open it again without"
            raise StorageError(msg)
        return self._writer

    def _scope_tree(self, database: Database) -> ScopeTree:
        newest = database.rows("SELECT coalesce(max(id), 0) FROM scope")[0][0]
        if newest != self._tree.newest:
            self._tree = read_tree(database)
        return self._tree
