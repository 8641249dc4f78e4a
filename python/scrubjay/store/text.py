"""Full text: our own words in two FTS5 tables, ranked by BM25.

Words arrive ready. One of plain letters and digits is stored as it is, any other as ``_`` and the
hex of its UTF-8, so that the plain tokenizer holds every script and no word is ever syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import cast

import apsw

from scrubjay.base.trace import RowFilter
from scrubjay.store.connection import Database
from scrubjay.store.filters import condition
from scrubjay.store.scopes import ScopeTree

__all__ = ["PendingText", "drop", "encode_words", "frequencies", "match", "optimise"]

_PLAIN_TEXT = re.compile(r"[a-z0-9 ]*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_MOST_MARKS = 64
_REMEMBERED_WORDS = 1 << 14
_SPARE = 8
_ONLY_HOT = condition(RowFilter())[0]

# Nearly every row is hot, so the state is looked up after ranking, for a few rows more than asked.
_LATE = """
SELECT x.local, x.score, {test} FROM (
    SELECT rowid AS local, -bm25({table}, 1.0, 0.0) AS score FROM {table} WHERE {table} MATCH ?
    ORDER BY score DESC, rowid LIMIT ?) x
JOIN engram e ON e.local = x.local ORDER BY x.score DESC, x.local
"""
_EARLY = """
SELECT {table}.rowid, -bm25({table}, 1.0, 0.0) AS score
FROM {table} JOIN engram e ON e.local = {table}.rowid
WHERE {table} MATCH ? AND {test} ORDER BY score DESC, {table}.rowid LIMIT ?
"""
_WRITE = {
    ("turn_text", True): "INSERT INTO turn_text (rowid, tokens, scope) VALUES (?, ?, ?)",
    ("turn_text", False): "REPLACE INTO turn_text (rowid, tokens, scope) VALUES (?, ?, ?)",
    ("context_text", True): "INSERT INTO context_text (rowid, tokens, scope) VALUES (?, ?, ?)",
    ("context_text", False): "REPLACE INTO context_text (rowid, tokens, scope) VALUES (?, ?, ?)",
}


@lru_cache(maxsize=_REMEMBERED_WORDS)
def _encode_word(word: str) -> str:
    if _PLAIN_WORD.fullmatch(word):
        return word
    return "_" + word.encode("utf-8", "surrogatepass").hex()


def encode_words(words: Iterable[str]) -> str:
    """Return words as the text that the tokenizer splits into exactly these words.

    >>> encode_words(["deploy", "東京", "a b"])
    'deploy _e69db1e4baac _612062'
    """
    listed = [word for word in words if word]
    joined = " ".join(listed)
    if _PLAIN_TEXT.fullmatch(joined) and joined.count(" ") == max(len(listed) - 1, 0):
        return joined
    return " ".join(map(_encode_word, listed))


class PendingText:
    """Words waiting for the end of a transaction, so that a row rewritten twice is filed once.

    Thread-safety: used under the write lock.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._rows: dict[int, tuple[tuple[str, ...], tuple[str, ...], str]] = {}
        self._unfiled: set[int] = set()

    def __bool__(self) -> bool:
        """Return whether anything waits."""
        return bool(self._rows)

    def expect(self, local: int) -> None:
        """Note a row that was inserted just now and so is in no table yet."""
        self._unfiled.add(local)

    def put(self, local: int, *, turn: Sequence[str], context: Sequence[str], marks: str) -> None:
        """File (or file again) a row at the next ``flush``."""
        self._rows[local] = (tuple(turn), tuple(context), marks)

    def discard(self, locals_: Iterable[int]) -> None:
        """Forget what waits for rows that go away."""
        for local in locals_:
            self._rows.pop(local, None)

    def flush(self, database: Database) -> None:
        """Write everything that waits."""
        if not self._rows:
            return
        for new in (True, False):
            keys = sorted(local for local in self._rows if (local in self._unfiled) is new)
            for table, column in (("turn_text", 0), ("context_text", 1)):
                rows = [
                    (local, encode_words(self._rows[local][column]), self._rows[local][2])
                    for local in keys
                ]
                database.run_many(_WRITE[table, new], rows)
        self._unfiled.difference_update(self._rows)
        self._rows.clear()


def drop(database: Database, locals_: Sequence[int]) -> None:
    """Take rows out of both tables."""
    keys = [(local,) for local in locals_]
    database.run_many("DELETE FROM turn_text WHERE rowid = ?", keys)
    database.run_many("DELETE FROM context_text WHERE rowid = ?", keys)


def optimise(database: Database) -> None:
    """Rewrite both tables without what was dropped: until then the words stay in the file."""
    database.run("INSERT INTO turn_text (turn_text) VALUES ('optimize')")
    database.run("INSERT INTO context_text (context_text) VALUES ('optimize')")


def frequencies(database: Database, tokens: Sequence[str], *, context: bool) -> list[int]:
    """Return, for each word, how many rows of one table hold it."""
    words = [encode_words([token]) for token in tokens]
    known = tuple(dict.fromkeys(word for word in words if word))
    if not known:
        return [0] * len(words)
    table = "context_words" if context else "turn_words"
    rows = database.rows(
        f"SELECT term, doc FROM {table} WHERE term IN carray(?) AND col = 'tokens'",
        (apsw.carray(known),),
    )
    found = {row[0]: int(row[1]) for row in rows}
    return [found.get(word, 0) for word in words]


def match(
    database: Database,
    tokens: Sequence[str],
    *,
    context: bool,
    where: RowFilter,
    limit: int,
    tree: ScopeTree,
) -> list[tuple[int, float]]:
    """Return (local, BM25) of rows that hold any of the words, best first; ties by local key."""
    words = encode_words(dict.fromkeys(tokens)).split()
    marks = None if where.scope_ids is None else tree.cover(where.scope_ids)
    if not words or limit <= 0 or marks == []:
        return []
    query = " OR ".join(f'"{word}"' for word in words)
    by_mark = marks is None or len(marks) <= _MOST_MARKS
    if marks is not None and by_mark:
        listed = " OR ".join(f'"{mark}"' for mark in marks)
        query = f"tokens : ({query}) AND scope : ({listed})"
    else:
        query = f"tokens : ({query})"
    test, values = condition(where, by_scope=not by_mark)
    table = "context_text" if context else "turn_text"
    if test == _ONLY_HOT:
        depth = limit + limit // 8 + _SPARE
        rows = database.rows(_LATE.format(table=table, test=test), (query, depth))
        found = [(row[0], row[1]) for row in rows if row[2]]
        if len(found) >= limit or len(rows) < depth:
            return found[:limit]
    rows = database.rows(_EARLY.format(table=table, test=test), (query, *values, limit))
    return cast("list[tuple[int, float]]", rows)
