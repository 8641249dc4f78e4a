"""Where each sequence stands: commits, ids, the audit chain, the newest instant."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.store.connection import Database

__all__ = ["Ledger", "read_ledger", "write_ledger"]


@dataclass(slots=True)
class Ledger:
    """The one line of the table ``ledger``; a transaction moves it on and writes it back.

    ``last_us`` is None until something was written.
    """

    node: int
    seq: int
    id_counter: int
    journal_seq: int
    journal_hash: bytes
    last_us: int | None


def read_ledger(database: Database) -> Ledger:
    """Read the ledger as the connection sees it."""
    row = database.rows(
        "SELECT node, seq, id_counter, journal_seq, journal_hash, last_us"
        " FROM ledger WHERE tenant = 1"
    )[0]
    return Ledger(*row)


def write_ledger(database: Database, ledger: Ledger) -> None:
    """Write the ledger back."""
    database.run(
        "UPDATE ledger SET seq = ?, id_counter = ?, journal_seq = ?, journal_hash = ?, last_us = ?"
        " WHERE tenant = 1",
        (
            ledger.seq,
            ledger.id_counter,
            ledger.journal_seq,
            ledger.journal_hash,
            ledger.last_us,
        ),
    )
