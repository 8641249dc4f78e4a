"""Intentions, and the one firing of each occurrence."""

from __future__ import annotations

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.trace import Firing, Intention
from scrubjay.store.connection import Database

__all__ = ["firings", "insert", "put_firing", "select", "set_status"]

_SELECT = """
SELECT i.id, s.path, i.action, i.due_us, i.status, i.expires_us, i.created_us
FROM intention i JOIN scope s ON s.id = i.scope_id WHERE i.tenant = 1
"""
_FIRING = "SELECT intention, occurrence_us, fired_us, token, leased_until_us, acknowledged_us"


def insert(database: Database, intention: Intention, *, scope_id: int) -> None:
    """Insert an intention. Raises ConflictError if the id exists."""
    database.run(
        "INSERT INTO intention VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
        (
            intention.id,
            scope_id,
            intention.action,
            intention.due_us,
            intention.status,
            intention.expires_us,
            intention.created_us,
        ),
    )


def set_status(database: Database, id_: EngramId, status: str) -> None:
    """Move an intention along its life cycle. Raises NotFoundError."""
    database.run("UPDATE intention SET status = ? WHERE tenant = 1 AND id = ?", (status, id_))
    if database.changes() == 0:
        msg = f"set_intention_status: no such intention, got {format_id(id_)}"
        raise NotFoundError(msg)


def select(database: Database, *, status: str | None) -> list[Intention]:
    """Return intentions by (due_us, id)."""
    if status is None:
        rows = database.rows(_SELECT + " ORDER BY i.due_us, i.id")
    else:
        rows = database.rows(_SELECT + " AND i.status = ? ORDER BY i.due_us, i.id", (status,))
    return [
        Intention(
            id=EngramId(row[0]),
            scope=row[1],
            action=row[2],
            due_us=row[3],
            status=row[4],
            expires_us=row[5],
            created_us=row[6],
        )
        for row in rows
    ]


def put_firing(database: Database, firing: Firing) -> bool:
    """Insert the firing of one occurrence, or bring it up to date; True if it is new.

    Raises:
        NotFoundError: there is no such intention.
        ConflictError: the token is older than the stored one, or an acknowledgement would be
            taken back: the caller's lease has passed to somebody else.
    """
    key = (firing.intention, firing.occurrence_us)
    known = database.row("SELECT 1 FROM intention WHERE tenant = 1 AND id = ?", key[:1])
    if known is None:
        msg = f"put_firing: no such intention, got {format_id(firing.intention)}"
        raise NotFoundError(msg)
    row = database.row(
        "SELECT token, acknowledged_us FROM firing"
        " WHERE tenant = 1 AND intention = ? AND occurrence_us = ?",
        key,
    )
    if row is None:
        database.run(
            "INSERT INTO firing VALUES (1, ?, ?, ?, ?, ?, ?)",
            (
                *key,
                firing.fired_us,
                firing.token,
                firing.leased_until_us,
                firing.acknowledged_us,
            ),
        )
        return True
    token, acknowledged_us = row
    if firing.token < token or (acknowledged_us is not None and firing.acknowledged_us is None):
        msg = (
            f"put_firing: the lease of {format_id(firing.intention)} has passed on, "
            f"got token {firing.token}, expected {token}; ask for what is due again"
        )
        raise ConflictError(msg)
    database.run(
        "UPDATE firing SET fired_us = ?, token = ?, leased_until_us = ?, acknowledged_us = ?"
        " WHERE tenant = 1 AND intention = ? AND occurrence_us = ?",
        (firing.fired_us, firing.token, firing.leased_until_us, firing.acknowledged_us, *key),
    )
    return False


def firings(database: Database, *, unacknowledged: bool) -> list[Firing]:
    """Return firings by (occurrence_us, intention)."""
    test = " AND acknowledged_us IS NULL" if unacknowledged else ""
    rows = database.rows(
        f"{_FIRING} FROM firing WHERE tenant = 1{test} ORDER BY occurrence_us, intention"
    )
    return [
        Firing(
            intention=EngramId(row[0]),
            occurrence_us=row[1],
            fired_us=row[2],
            token=row[3],
            leased_until_us=row[4],
            acknowledged_us=row[5],
        )
        for row in rows
    ]
