"""Opening a tenant: finds or makes its files, refuses what is not scrubjay's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scrubjay.base.errors import (
    CorruptionError,
    InvalidArgumentError,
    MissingTenantError,
)
from scrubjay.base.ids import Entropy
from scrubjay.store import archive, directory, failures, header, ledger, migrations, wal
from scrubjay.store.connection import Database, Durability, Mode, ReaderPool, open_database
from scrubjay.store.locks import FileGate
from scrubjay.store.segments import SegmentFolder
from scrubjay.store.sqlite import SqliteStore
from scrubjay.store.writer import Writer

__all__ = ["open_store"]

_DAMAGED_FROM = 2
"""One commit behind a broken frame may be a write that a power cut stopped."""


def open_store(
    path: Path,
    *,
    tenant: str,
    create: bool,
    entropy: Entropy,
    now_us: int,
    durability: Durability = "commit",
    read_only: bool = False,
    vfs: str | None = None,
) -> SqliteStore:
    """Open the store of one tenant in the directory ``path``.

    Args:
        path: The directory of the memory.
        tenant: 1 to 200 characters without NUL.
        create: Make directory and tenant if they do not exist.
        entropy: Where the node of a new directory and the salts of rows come from.
        now_us: The present instant, journalled if something had to be cleaned up.
        durability: "commit" syncs every commit to disk; "batch" may lose the last instants when
            the power fails, but nothing when the process dies.
        read_only: Open without the right to write; also works in a read-only directory.
        vfs: The SQLite file system to use; for tests that inject faults.

    Raises:
        MissingTenantError: the tenant does not exist and ``create`` is False; nothing is made.
        StorageError: the path is a file, or cannot be read or written.
        FormatVersionError: written by a newer scrubjay, or not scrubjay's.
        CorruptionError: damaged.
    """
    directory.check_tenant(tenant)
    # Readers are opened when they are needed, wherever the process has gone by then.
    root = Path(path).absolute()
    if "\0" in str(root):
        msg = f"open: the path holds NUL, got {str(root)!r:.80}, expected a directory name"
        raise InvalidArgumentError(msg)
    database_path = directory.database_path(root, tenant)
    mark = directory.read_mark(root)
    exists = mark is not None and _is_file(database_path)
    if mark is None:
        directory.refuse_unmarked(root)
    if not exists:
        directory.refuse_lost(root, tenant)
    if not exists and (read_only or not create):
        msg = (
            f"open: no tenant {tenant!r} in {root}, got {'no memory' if mark is None else 'others'}"
            " there; open it with create=True to make it"
        )
        raise MissingTenantError(msg)
    folder = SegmentFolder(directory.archive_path(root, tenant))
    if read_only and mark is not None:
        _dropped_commits(database_path, "commit")
        mode = _read_mode(database_path)
        readers = ReaderPool(database_path, mode=mode, vfs=vfs)
        with _telling_foreign(database_path, vfs), readers.lease() as database:
            if migrations.is_blank(database):
                directory.refuse_lost(root, tenant)
            _check(database, tenant, node=mark.node)
        return SqliteStore(Path(path), tenant, readers=readers, writer=None, folder=folder)
    dropped = _dropped_commits(database_path, durability)
    mark = directory.open_mark(root, entropy)
    directory.make_directory(database_path.parent)
    database = _open_writer(
        database_path, root, tenant, node=mark.node, durability=durability, vfs=vfs
    )
    gate = FileGate(directory.gate_path(root, tenant))
    writer = Writer(database, gate, folder, entropy)
    readers = ReaderPool(database_path, mode="read", vfs=vfs)
    store = SqliteStore(Path(path), tenant, readers=readers, writer=writer, folder=folder)
    try:
        _sweep(store, writer, folder, now_us)
        if dropped:
            with store.write(now_us=now_us) as tx:
                tx.journal("log.damaged", detail=f'{{"commits":{dropped}}}')
    except BaseException:
        store.close()
        raise
    return store


def _dropped_commits(path: Path, durability: Durability) -> int:
    """Return how many commits SQLite is going to drop from a damaged log.

    Raises CorruptionError under durability "commit", which had promised to keep them.
    """
    dropped = wal.commits_behind_damage(path)
    if dropped < _DAMAGED_FROM:
        return 0
    if durability == "commit":
        msg = (
            f"open: {path}-wal: the log is damaged, got {dropped} commits at or behind a broken "
            "frame, expected at most the one that was being written; restore the directory from a "
            'backup, or open it once with durability="batch" to go on without them'
        )
        raise CorruptionError(msg)
    return dropped


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        raise failures.of_system("open", error, path) from error


def _open_writer(
    path: Path, root: Path, tenant: str, *, node: int, durability: Durability, vfs: str | None
) -> Database:
    gate = FileGate(directory.gate_path(root, tenant), function="open")
    with gate, _telling_foreign(path, vfs):
        database = open_database(path, mode="write", durability=durability, vfs=vfs)
        try:
            if migrations.is_blank(database):
                directory.refuse_lost(root, tenant)
                migrations.create_schema(database, tenant=tenant, node=node)
            _check(database, tenant, node=node)
            if not directory.is_sealed(root, tenant):
                database.checkpoint(truncate=False)
                directory.seal_tenant(root, tenant)
            database.set_busy_timeout(0)
        except BaseException:
            database.close()
            raise
    return database


@contextmanager
def _telling_foreign(path: Path, vfs: str | None) -> Iterator[None]:
    """Tell a file that never was a database from one that is damaged."""
    try:
        yield
    except CorruptionError:
        header.refuse_foreign(path, vfs=vfs)
        raise


def _check(database: Database, tenant: str, *, node: int) -> None:
    migrations.check_format(database, tenant)
    got = ledger.read_ledger(database).node
    if got != node:
        msg = (
            f"open: {database.path}: made in another directory, got node {got}, expected {node}; "
            f"restore {directory.MARK_NAME} beside it, or export there and import here"
        )
        raise CorruptionError(msg)


def _read_mode(path: Path) -> Mode:
    """A file that cannot be written and has no log beside it cannot change while it is read."""
    log = path.with_name(path.name + "-wal")
    if os.access(path.parent, os.W_OK):
        return "read"
    if log.exists() and log.stat().st_size:
        return "read"
    return "immutable"


def _sweep(store: SqliteStore, writer: Writer, folder: SegmentFolder, now_us: int) -> None:
    with store.reader() as database:
        strays = folder.names() - set(archive.manifest(database))
    if strays and writer.sweep():
        with store.write(now_us=now_us) as tx:
            tx.journal("archive.swept", detail=f'{{"files":{len(strays)}}}')
