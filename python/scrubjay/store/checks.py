"""What the doctor looks at, one function for each promise of the store.

Each takes a reader inside one snapshot and yields what is wrong; none changes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from scrubjay.base.errors import CorruptionError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.store import archive, engrams
from scrubjay.store.connection import Database
from scrubjay.store.engrams import content_hash
from scrubjay.store.journal import broken_link
from scrubjay.store.ledger import read_ledger
from scrubjay.store.segments import Segment, SegmentFolder
from scrubjay.store.settings import EMBEDDER_KEY, get_meta
from scrubjay.store.vectors import find_space, unpack

__all__ = [
    "Finding",
    "changed_since",
    "check_archive",
    "check_database",
    "check_index",
    "check_index_log",
    "check_journal",
    "check_ledger",
    "check_lengths",
    "check_links",
    "check_rows",
    "check_text",
    "check_vectors",
    "live_locals",
]

_PAGE = 1_000
_NAMED = 5
_LENGTH_TOLERANCE = 0.01
_REEMBED = "run `scrubjay reembed` with the embedder of this directory"
_REFILE = "export the memory and import it into a new directory"
_RESTORE = "restore the directory from a backup, or import an export into a new one"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: where, what, and what to do."""

    part: str
    problem: str
    remedy: str


def _listed(keys: Sequence[object]) -> str:
    shown = ", ".join(str(key) for key in keys[:_NAMED])
    return shown if len(keys) <= _NAMED else f"{shown} and {len(keys) - _NAMED} more"


def _compare(
    part: str, live: set[int], found: set[int], *, missing: str, surplus: str, remedy: str
) -> Iterator[Finding]:
    if lost := sorted(live - found):
        yield Finding(part=part, problem=f"{missing}: local {_listed(lost)}", remedy=remedy)
    if extra := sorted(found - live):
        yield Finding(part=part, problem=f"{surplus}: local {_listed(extra)}", remedy=remedy)


def live_locals(database: Database) -> set[int]:
    """Return the local keys of all rows that are not cold."""
    return {row[0] for row in database.rows("SELECT local FROM engram WHERE state <> 1")}


def check_database(database: Database) -> Iterator[Finding]:
    """SQLite's own look at every page, index and full-text table."""
    for row in database.rows("PRAGMA integrity_check"):
        if row[0] != "ok":
            yield Finding(part="database", problem=str(row[0]), remedy=_RESTORE)
    for table, rowid, *_ in database.rows("PRAGMA foreign_key_check"):
        yield Finding(
            part="database", problem=f"{table} row {rowid} names nothing", remedy=_RESTORE
        )


def check_rows(database: Database) -> Iterator[Finding]:
    """Every row holds values a write could have stored, and the text that was stored with them."""
    last = 0
    while rows := database.rows(
        engrams.SELECT + "WHERE e.local > ? ORDER BY e.local LIMIT ?", (last, _PAGE)
    ):
        for row in rows:
            try:
                engrams.from_row(row)
            except CorruptionError as error:
                yield Finding(part="rows", problem=str(error), remedy=_RESTORE)
        last = rows[-1][0]


def check_lengths(database: Database) -> Iterator[Finding]:
    """Every vector is finite, and of unit length or zero, as far as float16 tells."""
    last = (0, 0)
    while rows := database.rows(
        "SELECT space_id, local, data, gain FROM vector WHERE (space_id, local) > (?, ?)"
        " ORDER BY space_id, local LIMIT ?",
        (*last, _PAGE),
    ):
        for _, local, data, gain in rows:
            length = float(np.linalg.norm(unpack(data[: len(data) // 2 * 2]).astype(np.float64)))
            if not (length == 0 or abs(length - 1) <= _LENGTH_TOLERANCE) or not 0 < gain <= 1:
                yield Finding(
                    part="vectors",
                    problem=f"the vector of local {local} has length {length:g}, gain {gain:g}",
                    remedy=_REEMBED,
                )
        last = rows[-1][:2]


def check_vectors(database: Database, live: set[int]) -> Iterator[Finding]:
    """Every row has a vector in the declared space, of its length; no vector lacks a row."""
    for local, size, dim in database.rows(
        "SELECT v.local, length(v.data), s.dim FROM vector v JOIN space s ON s.id = v.space_id"
        " WHERE length(v.data) <> 2 * s.dim"
    ):
        yield Finding(
            part="vectors",
            problem=f"the vector of local {local} has {size} bytes, expected {2 * dim}",
            remedy=_REEMBED,
        )
    identity = get_meta(database, EMBEDDER_KEY)
    space = None if identity is None else find_space(database, identity)
    if space is None:
        covered = {row[0] for row in database.rows("SELECT DISTINCT local FROM vector")}
    else:
        rows = database.rows("SELECT local FROM vector WHERE space_id = ?", space[:1])
        covered = {row[0] for row in rows}
        others = database.rows("SELECT DISTINCT local FROM vector WHERE space_id <> ?", space[:1])
        covered |= {row[0] for row in others} - live
    yield from _compare(
        "vectors",
        live,
        covered,
        missing="rows without a vector",
        surplus="vectors without a row",
        remedy=_REEMBED,
    )


def check_text(database: Database, live: set[int]) -> Iterator[Finding]:
    """Both text tables hold exactly the rows that are not cold."""
    for table in ("turn_text", "context_text"):
        rows = database.rows(f"SELECT id FROM {table}_docsize")
        yield from _compare(
            table,
            live,
            {row[0] for row in rows},
            missing="rows without full text",
            surplus="full text without a row",
            remedy=_REFILE,
        )


def changed_since(database: Database, seq: int | None) -> set[int]:
    """Return the local keys of rows put or dropped after a commit; None is the newest."""
    if seq is None:
        return set()
    return {row[0] for row in database.rows("SELECT local FROM index_log WHERE seq > ?", (seq,))}


def check_index(live: set[int], index_locals: set[int]) -> Iterator[Finding]:
    """The index in memory holds exactly the rows that are not cold."""
    yield from _compare(
        "index",
        live,
        index_locals,
        missing="rows the index does not hold",
        surplus="index entries without a row",
        remedy="open the memory again: the index is rebuilt from the database",
    )


def check_index_log(database: Database) -> Iterator[Finding]:
    """Every row stands once in the index log, under its own seq and rightly marked."""
    rows = database.rows(
        "SELECT e.local FROM engram e LEFT JOIN index_log l"
        " ON l.tenant = e.tenant AND l.seq = e.seq AND l.local = e.local"
        " WHERE l.local IS NULL OR l.dropped <> (e.state = 1)"
    )
    if rows:
        lost = [row[0] for row in rows]
        yield Finding(
            part="index log",
            problem=f"rows whose last change is not logged: local {_listed(lost)}",
            remedy="open the memory again; if it stays, export and import into a new directory",
        )
    rows = database.rows("SELECT local FROM index_log GROUP BY tenant, local HAVING count(*) > 1")
    rows += database.rows(
        "SELECT l.local FROM index_log l LEFT JOIN engram e ON e.local = l.local"
        " WHERE l.dropped = 0 AND e.local IS NULL"
    )
    if rows:
        extra = [row[0] for row in rows]
        yield Finding(
            part="index log",
            problem=f"entries that no row stands behind: local {_listed(extra)}",
            remedy=_REFILE,
        )


def check_journal(database: Database) -> Iterator[Finding]:
    """The audit chain holds from its first line to the one the ledger names."""
    broken = broken_link(database)
    if broken is not None:
        yield Finding(
            part="journal",
            problem=f"the audit chain is broken: {broken}",
            remedy="somebody edited the file: compare it with a backup",
        )


def check_ledger(database: Database) -> Iterator[Finding]:
    """No sequence lags behind what it has numbered."""
    ledger = read_ledger(database)
    newest = database.rows("SELECT coalesce(max(seq), 0) FROM index_log")[0][0]
    if newest > ledger.seq:
        yield Finding(
            part="ledger", problem=f"seq {ledger.seq} is behind {newest}", remedy=_RESTORE
        )
    node = ledger.node.to_bytes(3, "big")
    row = database.rows(
        "SELECT max(substr(id, 12, 5)) FROM engram WHERE substr(id, 9, 3) = ?", (node,)
    )[0]
    highest = int.from_bytes(row[0] or b"", "big")
    if highest > ledger.id_counter:
        yield Finding(
            part="ledger",
            problem=f"id counter {ledger.id_counter} is behind {highest}",
            remedy=_RESTORE,
        )


def check_links(database: Database) -> Iterator[Finding]:
    """Statements, skills, intentions, firings and links all belong to a row."""
    for table, column in (
        ("assertion", "id"),
        ("skill", "id"),
        ("intention", "id"),
        ("firing", "intention"),
        ("parent", "child"),
    ):
        rows = database.rows(
            f"SELECT DISTINCT t.{column} FROM {table} t LEFT JOIN engram e"
            f" ON e.tenant = t.tenant AND e.id = t.{column} WHERE e.local IS NULL"
        )
        if rows:
            names = _listed([format_id(row[0]) for row in rows])
            yield Finding(
                part="links", problem=f"{table} lines without a row: {names}", remedy=_RESTORE
            )


def check_archive(database: Database, folder: SegmentFolder) -> Iterator[Finding]:
    """Segments are whole, hold exactly the cold rows that name them, and no file is a stray."""
    known = archive.manifest(database)
    files = folder.names()
    for name in sorted(files - set(known)):
        yield Finding(
            part="archive",
            problem=f"a file no commit knows: {name}",
            remedy="open the memory again: it is removed then",
        )
    for name, segment in known.items():
        problem = folder.check(name)
        if problem is not None:
            yield Finding(
                part="archive",
                problem=problem,
                remedy="restore this file from a backup; its rows are listed as cold until then",
            )
            continue
        yield from _check_segment(database, segment, name, folder.read(name))


def _check_segment(
    database: Database, segment: int, name: str, source: Segment
) -> Iterator[Finding]:
    rows = database.rows(
        "SELECT id, salt, content_hash FROM engram WHERE segment_id = ? ORDER BY id", (segment,)
    )
    cold = {EngramId(row[0]) for row in rows}
    for ids, what in (
        (cold - source.ids, "cold rows missing from it"),
        (source.ids - cold, "rows in it that are not cold"),
    ):
        if ids:
            names = _listed([format_id(id_) for id_ in sorted(ids)])
            yield Finding(part="archive", problem=f"{name}: {what}: {names}", remedy=_RESTORE)
    for id_, salt, digest in rows:
        if id_ in source.ids and content_hash(salt, source.raw(id_)[0]) != digest:
            yield Finding(
                part="archive", problem=f"the text of {format_id(id_)} changed", remedy=_RESTORE
            )
