"""Moving rows between hot search and cold segments.

Invariant: every row of every segment in the manifest is a cold row of the database, and every cold
row is in exactly one such segment. Restoring and erasing therefore rewrite the segment.

Order of writing: the new file is durable first, then the database commits, then files that no
longer count are deleted. A crash in between leaves a file that the manifest does not name; the next
opening removes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import ArchiveHit
from scrubjay.base.trace import Engram, RowFilter, State
from scrubjay.store import engrams, text, vectors
from scrubjay.store.connection import Database
from scrubjay.store.filters import condition, int_set
from scrubjay.store.segments import ColdRow, SegmentFile, SegmentFolder, StoredVector
from scrubjay.store.settings import EMBEDDER_KEY, get_meta
from scrubjay.store.vectors import find_space, unpack

__all__ = [
    "Changes",
    "archive",
    "contents",
    "fill",
    "fill_all",
    "manifest",
    "restore",
    "search",
    "shrink",
    "sweep",
]

_PAGE = 256
_SELECT_COLD = (
    engrams.SELECT.replace("SELECT ", "SELECT g.name, g.id, ", 1)
    + "JOIN segment g ON g.id = e.segment_id "
)


class Changes:
    """Files a transaction wrote and files it made superfluous."""

    def __init__(self) -> None:
        """Start without any."""
        self.written: list[str] = []
        self.superfluous: list[str] = []


def manifest(database: Database) -> dict[str, int]:
    """Return the segments that count: name to id."""
    rows = database.rows("SELECT name, id FROM segment WHERE tenant = 1 ORDER BY id")
    return {row[0]: row[1] for row in rows}


def fill_all(database: Database, folder: SegmentFolder, found: Iterable[Engram]) -> list[Engram]:
    """Return engrams with their texts, which a cold one has in its segment."""
    rows = list(found)
    cold = [row.local for row in rows if row.state is State.ARCHIVED]
    if not cold:
        return rows
    pairs = database.rows(
        "SELECT e.local, g.name FROM engram e JOIN segment g ON g.id = e.segment_id"
        " WHERE e.local IN carray(?)",
        (int_set(cold),),
    )
    names = {int(pair[0]): str(pair[1]) for pair in pairs}
    return [_fill(folder, row, names) for row in rows]


def _fill(folder: SegmentFolder, row: Engram, names: dict[int, str]) -> Engram:
    if row.state is not State.ARCHIVED:
        return row
    name = names.get(row.local)
    if name is None:
        msg = f"engram: the row left the archive meanwhile, got {format_id(row.id)}; ask again"
        raise ConflictError(msg)
    return folder.read(name).fill(row)


def fill(database: Database, folder: SegmentFolder, engram: Engram) -> Engram:
    """Return one engram with its text."""
    return fill_all(database, folder, [engram])[0]


def _stored_vectors(database: Database, locals_: Sequence[int]) -> dict[int, list[StoredVector]]:
    found: dict[int, list[StoredVector]] = {local: [] for local in locals_}
    for local, *vector in database.rows(
        "SELECT v.local, s.identity, v.gain, v.data FROM vector v JOIN space s ON s.id = v.space_id"
        " WHERE v.local IN carray(?) ORDER BY v.local, s.identity",
        (int_set(locals_),),
    ):
        found[local].append(StoredVector(*vector))
    return found


def _add_to_manifest(
    database: Database, file: SegmentFile, *, seq: int, rows: Sequence[int]
) -> int:
    bound = int_set(rows)
    database.run(
        "INSERT INTO segment (tenant, name, sha256, size_bytes, engrams, created_seq,"
        " event_from_us, event_to_us) SELECT 1, ?, ?, ?, ?, ?, min(event_us), max(event_us)"
        " FROM engram WHERE local IN carray(?)",
        (file.name, file.sha256, file.size_bytes, file.engrams, seq, bound),
    )
    return database.last_rowid()


def archive(
    database: Database,
    folder: SegmentFolder,
    ids: Sequence[EngramId],
    *,
    seq: int,
    changes: Changes,
) -> tuple[str, list[int]]:
    """Write rows to one segment and take them out of hot search; return its name and the rows.

    Raises:
        NotFoundError: an id does not exist.
        ConflictError: a row is pinned or cold already.
    """
    rows = [engrams.by_id(database, id_) for id_ in sorted(set(ids))]
    for row in rows:
        if row.pinned or row.state is State.ARCHIVED:
            why = "pinned" if row.pinned else "cold already"
            msg = (
                f"archive: the row is {why}, got {format_id(row.id)}, expected a hot, unpinned one"
            )
            raise ConflictError(msg)
    locals_ = [row.local for row in rows]
    stored = _stored_vectors(database, locals_)
    file = folder.write([ColdRow(row, tuple(stored[row.local])) for row in rows])
    changes.written.append(file.name)
    segment = _add_to_manifest(database, file, seq=seq, rows=locals_)
    engrams.log_changes(database, locals_, seq=seq, dropped=True)
    database.run(
        "UPDATE engram SET state = 1, segment_id = ?, content = NULL, tool_calls = NULL,"
        " tool_result = NULL WHERE local IN carray(?)",
        (segment, int_set(locals_)),
    )
    text.drop(database, locals_)
    vectors.drop(database, locals_)
    return file.name, locals_


def contents(
    database: Database, folder: SegmentFolder, segment: int, ids: Iterable[EngramId]
) -> list[str]:
    """Return the texts of some rows of a segment."""
    name = database.rows("SELECT name FROM segment WHERE id = ?", (segment,))[0][0]
    source = folder.read(name)
    return [source.raw(id_)[0] for id_ in sorted(ids)]


def shrink(
    database: Database,
    folder: SegmentFolder,
    segment: int,
    gone: frozenset[EngramId],
    *,
    seq: int,
    changes: Changes,
) -> None:
    """Replace a segment by one without some rows, whose lines have left it already."""
    name = database.rows("SELECT name FROM segment WHERE id = ?", (segment,))[0][0]
    kept = folder.read(name).without(gone)
    if kept.num_rows:
        rows = [row[0] for row in database.rows(
            "SELECT local FROM engram WHERE segment_id = ?", (segment,)
        )]  # fmt: skip
        file = folder.write_table(kept)
        changes.written.append(file.name)
        successor = _add_to_manifest(database, file, seq=seq, rows=rows)
        database.run("UPDATE engram SET segment_id = ? WHERE segment_id = ?", (successor, segment))
    database.run("DELETE FROM segment WHERE id = ?", (segment,))
    changes.superfluous.append(name)


def restore(
    database: Database,
    folder: SegmentFolder,
    ids: Sequence[EngramId],
    *,
    seq: int,
    changes: Changes,
) -> list[tuple[int, tuple[StoredVector, ...]]]:
    """Make cold rows hot; return their keys and vectors. Rows that are not cold are passed over.

    Raises NotFoundError if an id does not exist.
    """
    restored: list[tuple[int, tuple[StoredVector, ...]]] = []
    by_segment: dict[int, set[EngramId]] = {}
    for id_ in sorted(set(ids)):
        row = database.row(
            "SELECT e.local, e.segment_id, g.name FROM engram e"
            " LEFT JOIN segment g ON g.id = e.segment_id WHERE e.tenant = 1 AND e.id = ?",
            (id_,),
        )
        if row is None:
            msg = f"restore: nothing is stored under this id, got {format_id(id_)}"
            raise NotFoundError(msg)
        local, segment, name = row
        if segment is None:
            continue
        source = folder.read(name)
        engrams.log_changes(database, [local], seq=seq)
        database.run(
            "UPDATE engram SET state = 0, segment_id = NULL, content = ?, tool_calls = ?,"
            " tool_result = ? WHERE local = ?",
            (*source.raw(id_), local),
        )
        by_segment.setdefault(segment, set()).add(id_)
        restored.append((local, source.vectors(id_)))
    for segment, gone in by_segment.items():
        shrink(database, folder, segment, frozenset(gone), seq=seq, changes=changes)
    return restored


def search(
    database: Database, folder: SegmentFolder, *, where: RowFilter, before: tuple[int, int]
) -> list[tuple[ArchiveHit, tuple[int, int]]]:
    """Return one page of cold rows, newest segments first, each with its place.

    ``before`` is the place of the last row seen. The vector is the one in the space that the
    directory declares.
    """
    identity = get_meta(database, EMBEDDER_KEY)
    space = find_space(database, identity) if identity is not None else None
    dim = space[1] if space is not None else 0
    test, values = condition(where, states=(State.ARCHIVED,))
    rows = database.rows(
        _SELECT_COLD + f"WHERE {test} AND (g.id, e.local) < (?, ?)"
        " ORDER BY g.id DESC, e.local DESC LIMIT ?",
        (*values, *before, _PAGE),
    )
    page: list[tuple[ArchiveHit, tuple[int, int]]] = []
    for name, segment, *row in rows:
        source = folder.read(name)
        engram = source.fill(engrams.from_row(tuple(row)))
        vector, gain = np.zeros(dim, np.float32), 1.0
        for stored in source.vectors(engram.id):
            if stored.space == identity:
                vector, gain = unpack(stored.data), stored.gain
        page.append((ArchiveHit(engram, vector, gain), (segment, engram.local)))
    return page


def sweep(database: Database, folder: SegmentFolder) -> list[str]:
    """Delete files that the manifest does not name; the caller holds the write lock."""
    strays = sorted(folder.names() - set(manifest(database)))
    for name in strays:
        folder.remove(name)
    return strays
