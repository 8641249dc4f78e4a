"""The audit chain: append-only lines, each hashed with the one before.

    hash = SHA-256( hash before (32 bytes) + seq (8 bytes, big-endian) + now_us (8, signed)
                    + for event, subject, detail: length in bytes (4) and the UTF-8 text )

The first line follows 32 zero bytes. Lengths stand before texts, so no two lines hash alike. The
newest number and hash are kept in the ledger too: a chain cut short at its end is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from scrubjay.base.ports import JournalEvent
from scrubjay.store.connection import Database

__all__ = ["GENESIS", "append", "broken_link", "events", "link"]

GENESIS = bytes(32)
_PAGE = 500


def link(before: bytes, event: JournalEvent) -> bytes:
    """Return the hash of one line."""
    digest = hashlib.sha256(before)
    digest.update(event.seq.to_bytes(8, "big"))
    digest.update(event.now_us.to_bytes(8, "big", signed=True))
    for text in (event.event, event.subject, event.detail):
        raw = text.encode()
        digest.update(len(raw).to_bytes(4, "big"))
        digest.update(raw)
    return digest.digest()


def append(database: Database, event: JournalEvent, before: bytes) -> bytes:
    """Write one line and return its hash."""
    after = link(before, event)
    database.run("INSERT INTO journal VALUES (1, ?, ?, ?, ?, ?, ?)", (*event, after))
    return after


def events(database: Database, after_seq: int, limit: int) -> list[JournalEvent]:
    """Return the lines after a number, in order."""
    rows = database.rows(
        "SELECT seq, now_us, event, subject, detail FROM journal"
        " WHERE tenant = 1 AND seq > ? ORDER BY seq LIMIT ?",
        (after_seq, limit),
    )
    return [JournalEvent(*row) for row in rows]


def _chain(database: Database) -> Iterator[tuple[JournalEvent, bytes]]:
    after = 0
    while rows := database.rows(
        "SELECT seq, now_us, event, subject, detail, hash FROM journal"
        " WHERE tenant = 1 AND seq > ? ORDER BY seq LIMIT ?",
        (after, _PAGE),
    ):
        for row in rows:
            yield JournalEvent(*row[:5]), row[5]
        after = rows[-1][0]


def broken_link(database: Database) -> str | None:
    """Return what is wrong with the chain, None if it holds from the first line to the ledger's."""
    before, expected = GENESIS, 1
    for event, stored in _chain(database):
        if event.seq != expected:
            return f"line {expected} is missing"
        if link(before, event) != stored:
            return f"line {event.seq} was changed"
        before, expected = stored, expected + 1
    row = database.row("SELECT journal_seq, journal_hash FROM ledger WHERE tenant = 1")
    if row is None or (row[0], row[1]) != (expected - 1, before):
        return f"the chain ends at line {expected - 1}, not where the ledger says"
    return None
