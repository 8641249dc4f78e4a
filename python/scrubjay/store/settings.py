"""Small facts about the directory: settings, how far transcripts were read, cached embeddings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from scrubjay.store.connection import Database

__all__ = [
    "EMBEDDER_KEY",
    "cache_embeddings",
    "cached_embeddings",
    "forget_embeddings",
    "get_meta",
    "get_progress",
    "put_meta",
    "put_progress",
]

EMBEDDER_KEY = "embedder"
"""The setting that names the vector space in force."""


def get_meta(database: Database, key: str) -> str | None:
    """Return a setting, None if it was never made."""
    row = database.row("SELECT value FROM meta WHERE tenant = 1 AND key = ?", (key,))
    return None if row is None else str(row[0])


def put_meta(database: Database, key: str, value: str) -> None:
    """Make or replace a setting."""
    database.run(
        "INSERT INTO meta VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (key, value),
    )


def get_progress(database: Database, source: str) -> tuple[int, str] | None:
    """Return (position, digest) of a source read before."""
    row = database.row(
        "SELECT position, digest FROM progress WHERE tenant = 1 AND source = ?", (source,)
    )
    return None if row is None else (row[0], row[1])


def put_progress(database: Database, source: str, *, position: int, digest: str) -> None:
    """Remember how far a source was read."""
    database.run(
        "INSERT INTO progress VALUES (1, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET position = excluded.position, digest = excluded.digest",
        (source, position, digest),
    )


def cached_embeddings(
    database: Database, space: str, digests: Sequence[bytes]
) -> dict[bytes, bytes]:
    """Return the cached vectors of those digests that have one."""
    found: dict[bytes, bytes] = {}
    for digest in digests:
        row = database.row(
            "SELECT data FROM embedding WHERE tenant = 1 AND space = ? AND digest = ?",
            (space, digest),
        )
        if row is not None:
            found[digest] = row[0]
    return found


def cache_embeddings(database: Database, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
    """Add (digest, vector) pairs; one that is there already is replaced."""
    database.run_many(
        "INSERT INTO embedding VALUES (1, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data",
        [(space, digest, data) for digest, data in rows],
    )


def forget_embeddings(database: Database, contents: Iterable[str]) -> None:
    """Remove what is cached for these texts, in every space."""
    spaces = [row[0] for row in database.rows("SELECT DISTINCT space FROM embedding")]
    digests = {hashlib.sha256(content.encode()).digest() for content in contents}
    database.run_many(
        "DELETE FROM embedding WHERE tenant = 1 AND space = ? AND digest = ?",
        [(space, digest) for space in spaces for digest in sorted(digests)],
    )
