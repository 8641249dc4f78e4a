"""Engrams as rows: how one is written, read back, and found.

A cold row is read without its text; ``archive`` fills that in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from scrubjay.base.errors import CorruptionError, InvalidArgumentError, NotFoundError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Kind, State, ToolCall, ToolResult
from scrubjay.store.connection import Database, Row
from scrubjay.store.filters import int_set

__all__ = [
    "SELECT",
    "by_id",
    "by_locals",
    "content_hash",
    "find_message",
    "from_row",
    "ids_of",
    "insert",
    "is_spoken",
    "locals_of",
    "log_changes",
    "log_new",
    "neighbours",
    "session_tail",
]

SELECT = """
SELECT e.local, e.id, e.seq, s.path, e.kind, e.category, e.state, e.consolidated, e.pinned,
    e.recorded_us, e.event_us, e.event_offset_min, e.last_us, e.frequency, e.salience, e.quality,
    e.half_life_us, e.evict_at_us, e.role, e.channel, e.authority, e.plane, e.principal, e.session,
    e.message_id, e.position, e.content, e.tool_calls, e.tool_result,
    CASE WHEN e.derived THEN (
        SELECT group_concat(hex(p.parent), '' ORDER BY p.place) FROM parent p
        WHERE p.tenant = e.tenant AND p.child = e.id) END,
    e.salt, e.content_hash
FROM engram e JOIN scope s ON s.id = e.scope_id
"""

_INSERT = """
INSERT INTO engram (tenant, id, seq, scope_id, kind, category, state, consolidated, pinned,
    recorded_us, event_us, event_offset_min, last_us, frequency, salience, quality, half_life_us,
    evict_at_us, role, channel, authority, plane, principal, session, message_id, position,
    spoken, derived, salt, content_hash, content, tool_calls, tool_result)
VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    ?, ?, ?)
"""

_ID_BYTES = 16
_SESSION_KINDS = {Kind.TURN, Kind.TOOL_RESULT, Kind.NOTE}
_KINDS = {int(kind): kind for kind in Kind}
_CATEGORIES = {int(category): category for category in Category}
_STATES = {int(state): state for state in State}
_ROLES = {str(role): role for role in Role}
_CHANNELS = {str(channel): channel for channel in Channel}
_AUTHORITIES = {int(authority): authority for authority in Authority}
_PLANES = {int(plane): plane for plane in Plane}
_encode = msgspec.json.Encoder().encode
_decode_calls = msgspec.json.Decoder(tuple[ToolCall, ...]).decode
_decode_result = msgspec.json.Decoder(ToolResult).decode


def content_hash(salt: bytes, content: str) -> bytes:
    """Return the salted hash by which a row's text is checked; the salt goes when the row goes."""
    return hashlib.sha256(salt + content.encode()).digest()


def is_spoken(engram: Engram) -> bool:
    """Return whether a row belongs to the sequence of its session: said, reported or read there."""
    return (
        engram.kind in _SESSION_KINDS
        and engram.category in {Category.DIALOGUE, Category.TELEMETRY}
        and not engram.provenance.parents
    )


def from_row(row: Row) -> Engram:
    """Make the engram of one row of ``SELECT``; the content of a cold row is empty.

    Raises:
        CorruptionError: a value that no write could have stored, or a text that changed since.
    """
    content, salt, digest = row[26], row[30], row[31]
    try:
        changed = content is not None and content_hash(salt, content) != digest
        engram = _engram_of(row)
    except (KeyError, ValueError, msgspec.MsgspecError) as error:
        raise _damaged(row, f"the value {error}") from error
    if changed:
        raise _damaged(row, "a text that changed since it was stored")
    return engram


def _damaged(row: Row, got: str) -> CorruptionError:
    return CorruptionError(
        f"store: the row {format_id(row[1])} is damaged, got {got:.100}, expected what was "
        "written; run `scrubjay doctor`, then restore a backup or import an export"
    )


def _engram_of(row: Row) -> Engram:
    calls, result, parents = row[27], row[28], row[29]
    lineage: tuple[EngramId, ...] = ()
    if parents:
        joined = bytes.fromhex(parents)
        lineage = tuple(
            EngramId(joined[at : at + _ID_BYTES]) for at in range(0, len(joined), _ID_BYTES)
        )
    return Engram(
        local=row[0],
        id=EngramId(row[1]),
        seq=row[2],
        scope=row[3],
        kind=_KINDS[row[4]],
        category=_CATEGORIES[row[5]],
        state=_STATES[row[6]],
        consolidated=row[7] == 1,
        pinned=row[8] == 1,
        recorded_us=row[9],
        event_us=row[10],
        event_offset_min=row[11],
        last_us=row[12],
        frequency=row[13],
        salience=row[14],
        quality=row[15],
        half_life_us=row[16],
        evict_at_us=row[17],
        provenance=Provenance(
            role=_ROLES[row[18]],
            channel=_CHANNELS[row[19]],
            authority=_AUTHORITIES[row[20]],
            plane=_PLANES[row[21]],
            principal=row[22],
            session=row[23],
            message_id=row[24],
            position=row[25],
            parents=lineage,
        ),
        content=row[26] or "",
        tool_calls=_decode_calls(calls) if calls else (),
        tool_result=_decode_result(result) if result else None,
    )


def insert(database: Database, engram: Engram, *, seq: int, scope_id: int, salt: bytes) -> int:
    """Insert a row that is not cold and return its local key; the caller logs it.

    Raises:
        InvalidArgumentError: a malformed id, a lone surrogate, or state ARCHIVED.
        ConflictError: the id exists.
    """
    origin = engram.provenance
    if len(engram.id) != _ID_BYTES or engram.state is State.ARCHIVED:
        msg = (
            f"add_engram: cannot insert, got id {engram.id!r:.50} in state {engram.state.name}, "
            "expected a 16-byte id and a row that is not archived"
        )
        raise InvalidArgumentError(msg)
    try:
        digest = content_hash(salt, engram.content)
        values: tuple[Any, ...] = (
            engram.id, seq, scope_id, int(engram.kind), int(engram.category), int(engram.state),
            engram.consolidated, engram.pinned, engram.recorded_us, engram.event_us,
            engram.event_offset_min, engram.last_us, engram.frequency, engram.salience,
            engram.quality, engram.half_life_us, engram.evict_at_us, str(origin.role),
            str(origin.channel), int(origin.authority), int(origin.plane), origin.principal,
            origin.session, origin.message_id, origin.position, is_spoken(engram),
            bool(origin.parents), salt, digest,
            engram.content,
            _encode(engram.tool_calls).decode() if engram.tool_calls else None,
            _encode(engram.tool_result).decode() if engram.tool_result else None,
        )  # fmt: skip
        database.run(_INSERT, values)
    except UnicodeEncodeError as error:
        msg = (
            f"add_engram: a text holds a lone surrogate, got {error.object[error.start]!r} "
            f"at {error.start}, expected valid Unicode; replace it before storing"
        )
        raise InvalidArgumentError(msg) from error
    local = database.last_rowid()
    if origin.parents:
        database.run_many(
            "INSERT INTO parent VALUES (1, ?, ?, ?) ON CONFLICT DO NOTHING",
            [(engram.id, parent, place) for place, parent in enumerate(origin.parents)],
        )
    return local


def log_changes(
    database: Database, locals_: Sequence[int], *, seq: int, dropped: bool = False
) -> None:
    """Move rows to ``seq`` in the index log; call before the rows themselves change or go."""
    bound = int_set(locals_)
    database.run(
        "DELETE FROM index_log WHERE (tenant, seq, local) IN ("
        " SELECT tenant, seq, local FROM engram WHERE local IN carray(?))",
        (bound,),
    )
    database.run(
        "INSERT INTO index_log SELECT 1, ?, local, ? FROM engram WHERE local IN carray(?)",
        (seq, dropped, bound),
    )
    database.run("UPDATE engram SET seq = ? WHERE local IN carray(?)", (seq, bound))


def log_new(database: Database, locals_: Sequence[int], *, seq: int) -> None:
    """Enter rows inserted in this transaction in the index log, unless they changed since."""
    database.run_many(
        "INSERT INTO index_log VALUES (1, ?, ?, 0) ON CONFLICT DO NOTHING",
        [(seq, local) for local in locals_],
    )


def by_id(database: Database, id_: EngramId) -> Engram:
    """Return one row. Raises NotFoundError."""
    row = database.row(SELECT + "WHERE e.tenant = 1 AND e.id = ?", (id_,))
    if row is None:
        msg = f"engram: nothing is stored under this id, got {format_id(id_)}"
        raise NotFoundError(msg)
    return from_row(row)


def by_locals(database: Database, locals_: Sequence[int]) -> dict[int, Engram]:
    """Return rows that are not cold by local key, in order of the key."""
    rows = database.rows(
        SELECT + "WHERE e.local IN carray(?) AND e.state <> 1", (int_set(locals_),)
    )
    return {row[0]: from_row(row) for row in sorted(rows)}


def locals_of(database: Database, ids: Sequence[EngramId]) -> dict[EngramId, int]:
    """Return the local keys of the ids that exist."""
    found: dict[EngramId, int] = {}
    for id_ in ids:
        row = database.row("SELECT local FROM engram WHERE tenant = 1 AND id = ?", (id_,))
        if row is not None:
            found[id_] = row[0]
    return found


def ids_of(
    database: Database, *, scope: str | None, session: str | None, principal: str | None
) -> list[EngramId]:
    """Return the ids of rows that match all that is given, in order."""
    given = [
        (clause, value)
        for clause, value in (
            ("e.scope_id = (SELECT id FROM scope WHERE tenant = 1 AND path = ?)", scope),
            ("e.session = ?", session),
            ("e.principal = ?", principal),
        )
        if value is not None
    ]
    if not given:
        msg = "ids_of: nothing to match, got no scope, session or principal, expected at least one"
        raise InvalidArgumentError(msg)
    test = " AND ".join(clause for clause, _ in given)
    rows = database.rows(
        f"SELECT e.id FROM engram e WHERE e.tenant = 1 AND {test} ORDER BY e.id",
        [value for _, value in given],
    )
    return [EngramId(row[0]) for row in rows]


def find_message(
    database: Database, *, scope: str, session: str, message_id: str, position: int | None
) -> Engram | None:
    """Return the row stored under this message id, or under this position where it has none."""
    place = (
        SELECT + "WHERE e.tenant = 1 AND e.session = ?"
        " AND e.scope_id = (SELECT id FROM scope WHERE tenant = 1 AND path = ?) AND "
    )
    if message_id:
        tail, key = "e.message_id = ? AND e.message_id <> '' ORDER BY e.local LIMIT 1", message_id
        row = database.row(place + tail, (session, scope, key))
    elif position is not None:
        tail = "e.position = ? AND e.message_id = '' ORDER BY e.local LIMIT 1"
        row = database.row(place + tail, (session, scope, position))
    else:
        row = None
    return None if row is None else from_row(row)


def session_tail(database: Database, *, scope: str, session: str, limit: int) -> list[Engram]:
    """Return the last turns and tool results of a session, oldest first."""
    rows = database.rows(
        SELECT + "WHERE e.tenant = 1 AND e.session = ? AND e.spoken = 1"
        " AND e.scope_id = (SELECT id FROM scope WHERE tenant = 1 AND path = ?)"
        " ORDER BY e.local DESC LIMIT ?",
        (session, scope, limit),
    )
    return [from_row(row) for row in reversed(rows)]


def neighbours(database: Database, engram: Engram, *, before: int, after: int) -> list[Engram]:
    """Return the turns around one of a session, oldest first, itself included if it is there."""
    place = (
        SELECT + "WHERE e.tenant = 1 AND e.session = ? AND e.spoken = 1"
        " AND e.scope_id = (SELECT id FROM scope WHERE tenant = 1 AND path = ?) AND e.local "
    )
    key = (engram.provenance.session, engram.scope, engram.local)
    head = database.rows(place + "<= ? ORDER BY e.local DESC LIMIT ?", (*key, before + 1))
    if head and head[0][0] != engram.local:
        head = head[:before]
    tail = database.rows(place + "> ? ORDER BY e.local LIMIT ?", (*key, after))
    return [from_row(row) for row in [*reversed(head), *tail]]
