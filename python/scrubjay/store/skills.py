"""Skills: procedures with versions; the newest of each name is the one that counts."""

from __future__ import annotations

import msgspec

from scrubjay.base.errors import ConflictError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.trace import Skill, SkillStep
from scrubjay.store.connection import Database, Row

__all__ = ["put", "select"]

_SELECT = """
SELECT k.id, s.path, k.name, k.description, k.triggers, k.parameters, k.steps, k.recovery,
    k.status, k.version, k.successes, k.failures
FROM skill k JOIN scope s ON s.id = k.scope_id WHERE k.tenant = 1
"""
_NEWEST = """ AND k.version = (SELECT max(o.version) FROM skill o
    WHERE o.tenant = k.tenant AND o.scope_id = k.scope_id AND o.name = k.name)"""

_encode = msgspec.json.Encoder().encode
_decode_texts = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_steps = msgspec.json.Decoder(tuple[SkillStep, ...]).decode


def put(database: Database, skill: Skill, *, scope_id: int) -> None:
    """Insert a skill; the same id again brings its record up to date.

    Raises:
        ConflictError: this name and version exist under another id, or the id has another name.
    """
    database.run(
        "INSERT INTO skill VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (tenant, id) DO UPDATE SET description = excluded.description,"
        " triggers = excluded.triggers, parameters = excluded.parameters, steps = excluded.steps,"
        " recovery = excluded.recovery, status = excluded.status, successes = excluded.successes,"
        " failures = excluded.failures WHERE scope_id = excluded.scope_id"
        " AND name = excluded.name AND version = excluded.version",
        (
            skill.id,
            scope_id,
            skill.name,
            skill.version,
            skill.description,
            _encode(skill.triggers).decode(),
            skill.parameters,
            _encode(skill.steps).decode(),
            _encode(skill.recovery).decode(),
            skill.status,
            skill.successes,
            skill.failures,
        ),
    )
    if database.changes() == 0:
        msg = (
            f"add_skill: the id belongs to another skill or version, got {skill.name!r} version "
            f"{skill.version} under {format_id(skill.id)}; a new version needs a new id"
        )
        raise ConflictError(msg)


def _from_row(row: Row) -> Skill:
    return Skill(
        id=EngramId(row[0]),
        scope=row[1],
        name=row[2],
        description=row[3],
        triggers=_decode_texts(row[4]),
        parameters=row[5],
        steps=_decode_steps(row[6]),
        recovery=_decode_steps(row[7]),
        status=row[8],
        version=row[9],
        successes=row[10],
        failures=row[11],
    )


def select(database: Database, *, scope: str | None, newest: bool = True) -> list[Skill]:
    """Return skills by id: the newest version of each, or every version."""
    sql = _SELECT + (_NEWEST if newest else "")
    if scope is None:
        rows = database.rows(sql + " ORDER BY k.id")
    else:
        rows = database.rows(sql + " AND s.path = ? ORDER BY k.id", (scope,))
    return [_from_row(row) for row in rows]
