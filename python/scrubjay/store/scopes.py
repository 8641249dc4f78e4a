"""Scopes: paths such as ``org/team/user``, matched literally, component by component.

A path is 1 to 500 characters of valid Unicode, components joined by "/", none empty, no NUL. Case
counts; ``*`` and ``%`` are letters like any other. Making a path makes those above it.
"""

from __future__ import annotations

from collections.abc import Collection

from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.store.connection import Database

__all__ = ["ScopeBook", "ScopeTree", "check_scope", "read_tree"]

_LONGEST_PATH = 500


def check_scope(path: str) -> str:
    """Return ``path`` if it is a scope path, else raise InvalidArgumentError."""
    if not 1 <= len(path) <= _LONGEST_PATH or "\0" in path or not all(path.split("/")):
        msg = (
            f"scope: not a scope path, got {path!r:.80}, expected 1 to {_LONGEST_PATH} "
            "characters without NUL, components joined by '/', none of them empty"
        )
        raise InvalidArgumentError(msg)
    try:
        path.encode()
    except UnicodeEncodeError as error:
        msg = f"scope: the path holds a lone surrogate, got {path!r:.80}, expected text"
        raise InvalidArgumentError(msg) from error
    return path


class ScopeBook:
    """What the writer knows of scopes: path to id, and id to the marks full text files it under.

    Scopes are never removed, so an entry stays true; after a rollback the book is cleared.
    Thread-safety: used under the write lock.
    """

    def __init__(self) -> None:
        """Start empty; entries are read as they are asked for."""
        self._ids: dict[str, int] = {}
        self._marks: dict[int, str] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._ids.clear()
        self._marks.clear()

    def make(self, database: Database, path: str) -> int:
        """Return the id of ``path``, creating it and those above it."""
        known = self._ids.get(path)
        if known is not None:
            return known
        check_scope(path)
        row = database.row("SELECT id FROM scope WHERE tenant = 1 AND path = ?", (path,))
        if row is None:
            above, slash, _ = path.rpartition("/")
            parent = self.make(database, above) if slash else None
            database.run(
                "INSERT INTO scope (tenant, path, parent) VALUES (1, ?, ?)", (path, parent)
            )
            row = (database.last_rowid(),)
        self._ids[path] = row[0]
        return int(row[0])

    def marks(self, database: Database, scope_id: int) -> str:
        """Return the words that file a row under its scope and every scope above it."""
        known = self._marks.get(scope_id)
        if known is None:
            lineage = database.rows(
                "WITH RECURSIVE line (id, parent, depth) AS ("
                " SELECT id, parent, 0 FROM scope WHERE id = ?"
                " UNION ALL SELECT s.id, s.parent, depth + 1 FROM scope s, line"
                " WHERE s.id = line.parent) SELECT id FROM line ORDER BY depth",
                (scope_id,),
            )
            if not lineage:
                msg = f"scope: unknown scope id, got {scope_id}"
                raise NotFoundError(msg)
            known = f"s{scope_id} " + " ".join(f"p{row[0]}" for row in lineage)
            self._marks[scope_id] = known
        return known


class ScopeTree:
    """Every scope as it stood at one moment. Immutable, so thread-safe."""

    def __init__(self, lines: list[tuple[int, str, int | None]]) -> None:
        """Take (id, path, parent id) in order of id; a parent is older than its children."""
        self.ids = {path: id_ for id_, path, _ in lines}
        self.newest = lines[-1][0] if lines else 0
        self._parents = {id_: parent for id_, _, parent in lines}
        self._size = dict.fromkeys(self._parents, 1)
        for id_, _, parent in reversed(lines):
            if parent is not None:
                self._size[parent] += self._size[id_]

    def cover(self, wanted: Collection[int]) -> list[str] | None:
        """Return the fewest marks that select exactly ``wanted``; None if that is every scope.

        A scope all of whose descendants are wanted stands for them as ``p<id>``, others as
        ``s<id>``. Ids that do not exist select nothing.
        """
        chosen = {id_ for id_ in wanted if id_ in self._parents}
        if len(chosen) == len(self._parents):
            return None
        inside = dict.fromkeys(chosen, 1)
        for id_ in sorted(chosen, reverse=True):
            parent = self._parents[id_]
            if parent in inside:
                inside[parent] += inside[id_]
        whole = {id_ for id_, size in inside.items() if size == self._size[id_]}
        return [
            f"p{id_}" if id_ in whole else f"s{id_}"
            for id_ in sorted(chosen)
            if id_ not in whole or self._parents[id_] not in whole
        ]


def read_tree(database: Database) -> ScopeTree:
    """Read every scope."""
    lines = database.rows("SELECT id, path, parent FROM scope WHERE tenant = 1 ORDER BY id")
    return ScopeTree([(row[0], row[1], row[2]) for row in lines])
