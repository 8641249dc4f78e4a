"""The doctor: whether all parts of a store tell the same story."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from scrubjay.base.errors import StorageError
from scrubjay.store import checks
from scrubjay.store.checks import Finding
from scrubjay.store.connection import Database
from scrubjay.store.sqlite import SqliteStore

__all__ = ["DoctorReport", "Finding", "verify"]


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was counted and what was found; all counts agree where ``ok`` is true.

    ``rows`` are those that are not cold; ``index_rows`` is None if no index was given.
    """

    rows: int
    vectors: int
    turn_texts: int
    context_texts: int
    index_rows: int | None
    cold_rows: int
    segments: int
    journal_events: int
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.findings


def verify(
    store: SqliteStore, index_locals: set[int] | None = None, *, index_seq: int | None = None
) -> DoctorReport:
    """Check every promise of the store against one snapshot of it; changes nothing.

    Args:
        store: An open store; others may go on writing, and a write in progress is not seen.
        index_locals: The local keys that the index in memory holds, if there is one.
        index_seq: The commit up to which the index had caught up when they were read: what was
            committed since is not held against it.

    Cost: reads every row and every segment once.
    """
    # A connection that has searched before keeps FTS5's list of segments, and SQLite 3.54 checks
    # its integrity against that list although another connection has rewritten them. The reader is
    # fresh until `pragma integrity_check` looks at the version of the list, as queries do.
    with store.fresh_reader() as database:
        database.run("BEGIN")
        findings = list(_findings(database, store, index_locals, index_seq))
        return _report(database, index_locals, findings)


def _findings(
    database: Database, store: SqliteStore, index_locals: set[int] | None, index_seq: int | None
) -> Iterator[Finding]:
    live = checks.live_locals(database)
    examinations: list[Callable[[], Iterator[Finding]]] = [
        lambda: checks.check_database(database),
        lambda: checks.check_rows(database),
        lambda: checks.check_vectors(database, live),
        lambda: checks.check_lengths(database),
        lambda: checks.check_text(database, live),
        lambda: checks.check_index_log(database),
        lambda: checks.check_links(database),
        lambda: checks.check_journal(database),
        lambda: checks.check_ledger(database),
        lambda: checks.check_archive(database, store.folder),
    ]
    if index_locals is not None:
        since = checks.changed_since(database, index_seq)
        examinations.append(lambda: checks.check_index(live - since, index_locals - since))
    for examine in examinations:
        try:
            yield from examine()
        except StorageError as error:
            yield Finding(
                part="database",
                problem=str(error),
                remedy="restore the directory from a backup, or import an export into a new one",
            )


def _report(
    database: Database, index_locals: set[int] | None, findings: list[Finding]
) -> DoctorReport:
    def count(sql: str) -> int:
        return int(database.rows(sql)[0][0])

    return DoctorReport(
        rows=count("SELECT count(*) FROM engram WHERE state <> 1"),
        vectors=count("SELECT count(DISTINCT local) FROM vector"),
        turn_texts=count("SELECT count(*) FROM turn_text_docsize"),
        context_texts=count("SELECT count(*) FROM context_text_docsize"),
        index_rows=None if index_locals is None else len(index_locals),
        cold_rows=count("SELECT count(*) FROM engram WHERE state = 1"),
        segments=count("SELECT count(*) FROM segment"),
        journal_events=count("SELECT count(*) FROM journal"),
        findings=tuple(findings),
    )
