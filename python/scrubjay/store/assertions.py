"""Immutable statements, and how many values a predicate holds at a time."""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Plane
from scrubjay.base.terms import entity_key, predicate_key
from scrubjay.base.trace import Assertion, Precision
from scrubjay.store.connection import Database, Row
from scrubjay.store.filters import id_set

__all__ = ["among", "declare", "functional", "insert", "select"]

_SELECT = """
SELECT a.id, s.path, a.subject, a.predicate, a.object, a.plane, a.authority, a.principal,
    a.recorded_us, a.event_us, a.valid_from_us, a.valid_to_us, a.precision, a.negated, a.hedged,
    a.confidence
FROM assertion a JOIN scope s ON s.id = a.scope_id
JOIN engram e ON e.tenant = a.tenant AND e.id = a.id
WHERE a.tenant = 1
"""


def insert(database: Database, assertion: Assertion, *, scope_id: int) -> None:
    """Insert a statement; its engram must exist (ConflictError)."""
    database.run(
        "INSERT INTO assertion VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            assertion.id,
            scope_id,
            assertion.subject,
            assertion.predicate,
            assertion.object,
            int(assertion.plane),
            int(assertion.authority),
            assertion.principal,
            assertion.recorded_us,
            assertion.event_us,
            assertion.valid_from_us,
            assertion.valid_to_us,
            str(assertion.precision),
            assertion.negated,
            assertion.hedged,
            assertion.confidence,
            entity_key(assertion.subject),
            predicate_key(assertion.predicate),
        ),
    )


def _from_row(row: Row) -> Assertion:
    return Assertion(
        id=EngramId(row[0]),
        scope=row[1],
        subject=row[2],
        predicate=row[3],
        object=row[4],
        plane=Plane(row[5]),
        authority=row[6],
        principal=row[7],
        recorded_us=row[8],
        event_us=row[9],
        valid_from_us=row[10],
        valid_to_us=row[11],
        precision=Precision(row[12]),
        negated=row[13] == 1,
        hedged=row[14] == 1,
        confidence=row[15],
    )


def select(
    database: Database,
    *,
    scope: str | None = None,
    subject: str | None = None,
    predicate: str | None = None,
    pending: bool = False,
) -> list[Assertion]:
    """Return statements by id, those that wait for confirmation only if asked; None is any.

    Subject and predicate are compared by key: case, spaces and articles do not count.
    """
    sql, values = _SELECT + ("" if pending else " AND e.state <> 2"), []
    for clause, value in (
        (" AND s.path = ?", scope),
        (" AND a.subject_key = ?", None if subject is None else entity_key(subject)),
        (" AND a.predicate_key = ?", None if predicate is None else predicate_key(predicate)),
    ):
        if value is not None:
            sql += clause
            values.append(value)
    return [_from_row(row) for row in database.rows(sql + " ORDER BY a.id", values)]


def among(database: Database, ids: Iterable[EngramId]) -> list[Assertion]:
    """Return the statements, in any state, whose ids are given, by id."""
    sql = _SELECT + " AND a.id IN carray(?) ORDER BY a.id"
    return [_from_row(row) for row in database.rows(sql, (id_set(ids),))]


def declare(database: Database, name: str, *, functional: bool) -> None:
    """Store whether a predicate holds one value at a time."""
    database.run(
        "INSERT INTO predicate VALUES (1, ?, ?)"
        " ON CONFLICT DO UPDATE SET functional = excluded.functional",
        (name, functional),
    )


def functional(database: Database) -> dict[str, bool]:
    """Return every declared predicate, by name."""
    rows = database.rows("SELECT name, functional FROM predicate WHERE tenant = 1 ORDER BY name")
    return {row[0]: row[1] == 1 for row in rows}
