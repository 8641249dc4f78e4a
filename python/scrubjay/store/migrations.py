"""Bringing a file to the present schema: numbered steps, each whole or not at all.

``application_id`` says the file is scrubjay's, ``user_version`` which step it has reached. Both are
set inside the step's own transaction, so a crash leaves the step before.
"""

from __future__ import annotations

from pathlib import Path

from scrubjay.base.errors import CorruptionError, FormatVersionError
from scrubjay.store.connection import Database
from scrubjay.store.schema import APPLICATION_ID, FIRST_MIGRATION

__all__ = ["CURRENT_VERSION", "check_format", "create_schema", "is_blank"]

_MIGRATIONS: tuple[str, ...] = (FIRST_MIGRATION,)
CURRENT_VERSION = len(_MIGRATIONS)
_GENESIS = bytes(32)


def is_blank(database: Database) -> bool:
    """Return whether the file holds no schema at all."""
    row = database.row("SELECT count(*) FROM sqlite_schema")
    return row is not None and row[0] == 0


def check_format(database: Database, tenant: str) -> None:
    """Refuse a file that is not ours, is newer, or belongs to another tenant.

    Raises:
        FormatVersionError: foreign or newer.
        CorruptionError: the tenant's row is missing or names another tenant.
    """
    path: Path = database.path
    mark, version = database.pragma("application_id"), database.pragma("user_version")
    if mark != APPLICATION_ID:
        msg = (
            f"open: {path}: not a scrubjay database, got application_id {mark:#x}, "
            f"expected {APPLICATION_ID:#x}; choose another directory"
        )
        raise FormatVersionError(msg)
    if version > CURRENT_VERSION:
        msg = (
            f"open: {path}: written by a newer scrubjay, got format {version}, "
            f"expected at most {CURRENT_VERSION}; install a newer scrubjay"
        )
        raise FormatVersionError(msg)
    row = database.row("SELECT name FROM tenant WHERE number = 1")
    if row is None or row[0] != tenant:
        got = "none" if row is None else repr(row[0])
        msg = (
            f"open: {path}: the file names another tenant, got {got}, expected {tenant!r}; "
            "a file was moved between tenants: move it back"
        )
        raise CorruptionError(msg)


def create_schema(database: Database, *, tenant: str, node: int) -> None:
    """Run every missing migration; the caller holds the gate.

    Raises BusyError, StorageError; the file is then as before.
    """
    database.run("BEGIN IMMEDIATE")
    try:
        version = int(database.pragma("user_version"))
        for number, script in enumerate(_MIGRATIONS[version:], start=version + 1):
            database.run(script)
            database.set_pragma("application_id", APPLICATION_ID)
            database.set_pragma("user_version", number)
        if version == 0:
            database.run("INSERT INTO tenant (number, name) VALUES (1, ?)", (tenant,))
            database.run("INSERT INTO ledger VALUES (1, ?, 0, 0, 0, ?, NULL)", (node, _GENESIS))
        database.run("COMMIT")
    except BaseException:
        database.rollback()
        raise
