"""Erasing rows and everything that would give them away.

Gone after the commit: the row with its salt and hash, its vectors, its words in both text tables
(which are rewritten, since a dropped word stays in the file until then), its links, statement,
skill, intention and firings, the cached embedding of its text, and its line in a cold segment.
What was derived only from erased rows is erased with them. Freed pages are overwritten, and the
write-ahead log is emptied after the commit.

The caller rewrites the context words of surviving neighbours in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scrubjay.base.ids import EngramId
from scrubjay.store import archive, engrams, text, vectors
from scrubjay.store.connection import Database
from scrubjay.store.filters import id_set, int_set
from scrubjay.store.segments import SegmentFolder
from scrubjay.store.settings import forget_embeddings

__all__ = ["Erased", "erase"]


class Erased(NamedTuple):
    """How many of the requested rows there were, and the local keys of all that went."""

    requested: int
    locals_: list[int]


class _Doomed(NamedTuple):
    local: int
    id: EngramId
    segment: int | None
    content: str | None


def _existing(database: Database, ids: Iterable[EngramId]) -> list[_Doomed]:
    rows = database.rows(
        "SELECT local, id, segment_id, content FROM engram WHERE tenant = 1 AND id IN carray(?)",
        (id_set(ids),),
    )
    return sorted(_Doomed(*row) for row in rows)


def _orphaned(database: Database, gone: set[EngramId], newly: Sequence[EngramId]) -> set[EngramId]:
    """Return children of ``newly`` none of whose parents is left."""
    rows = database.rows(
        "SELECT child, parent FROM parent WHERE tenant = 1 AND child IN ("
        " SELECT child FROM parent WHERE tenant = 1 AND parent IN carray(?))",
        (id_set(newly),),
    )
    spared = {row[0] for row in rows if row[1] not in gone}
    return {EngramId(row[0]) for row in rows} - spared - gone


def _closure(database: Database, ids: Sequence[EngramId]) -> tuple[list[_Doomed], int]:
    """Return the rows that go with ``ids``, and how many of those exist."""
    doomed = _existing(database, set(ids))
    requested = len(doomed)
    gone = {row.id for row in doomed}
    newly = list(gone)
    while orphans := _orphaned(database, gone, newly):
        found = _existing(database, orphans)
        doomed += found
        gone |= orphans
        newly = [row.id for row in found]
    return doomed, requested


def resting_on(database: Database, ids: Sequence[EngramId]) -> set[EngramId]:
    """Return ``ids`` as far as they exist, and all that is derived from nothing else."""
    return {row.id for row in _closure(database, ids)[0]}


def erase(
    database: Database,
    folder: SegmentFolder,
    ids: Sequence[EngramId],
    *,
    seq: int,
    changes: archive.Changes,
) -> Erased:
    """Remove rows and what derives only from them. Ids that do not exist are passed over."""
    doomed, requested = _closure(database, ids)
    gone = {row.id for row in doomed}
    if not doomed:
        return Erased(0, [])
    contents = [row.content for row in doomed if row.content is not None]
    by_segment: dict[int, set[EngramId]] = {}
    for row in doomed:
        if row.segment is not None:
            by_segment.setdefault(row.segment, set()).add(row.id)
    for segment, cold in sorted(by_segment.items()):
        contents += archive.contents(database, folder, segment, cold)
    locals_ = [row.local for row in doomed]
    _delete(database, locals_, gone, seq=seq)
    for segment, cold in sorted(by_segment.items()):
        archive.shrink(database, folder, segment, frozenset(cold), seq=seq, changes=changes)
    forget_embeddings(database, contents)
    return Erased(requested, locals_)


def _delete(database: Database, locals_: list[int], ids: set[EngramId], *, seq: int) -> None:
    engrams.log_changes(database, locals_, seq=seq, dropped=True)
    vectors.drop(database, locals_)
    text.drop(database, locals_)
    database.run("DELETE FROM engram WHERE local IN carray(?)", (int_set(locals_),))
    bound = (id_set(sorted(ids)),)
    database.run("DELETE FROM assertion WHERE tenant = 1 AND id IN carray(?)", bound)
    database.run("DELETE FROM skill WHERE tenant = 1 AND id IN carray(?)", bound)
    database.run("DELETE FROM firing WHERE tenant = 1 AND intention IN carray(?)", bound)
    database.run("DELETE FROM intention WHERE tenant = 1 AND id IN carray(?)", bound)
    database.run("DELETE FROM parent WHERE tenant = 1 AND child IN carray(?)", bound)
    database.run("DELETE FROM parent WHERE tenant = 1 AND parent IN carray(?)", bound)
