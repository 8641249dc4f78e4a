"""Rows for tests of the store: engrams with a vector and words, made from little."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from scrubjay.base.ids import EngramId, SeededEntropy
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Assertion, Category, Engram, Kind, Precision
from scrubjay.store import SqliteStore, SqliteTransaction, open_store

NOW_US = 946_684_800_000_000
SPACE = "test/words-8"
DIM = 8


def open_at(path: Path, **changes) -> SqliteStore:
    """Open (and make) a store with a fixed seed."""
    settings = {
        "tenant": "default",
        "create": True,
        "entropy": SeededEntropy(7),
        "now_us": NOW_US,
        "durability": "batch",
    }
    return open_store(path, **(settings | changes))


def engram(id_: EngramId, content: str, **changes) -> Engram:
    """Return a turn of a user; ``origin`` holds changes of its provenance."""
    origin = {
        "role": Role.USER,
        "channel": Channel.API,
        "principal": "ana",
        "authority": Authority.USER_EXPLICIT,
        "plane": Plane.USER,
        "session": "s1",
    } | changes.pop("origin", {})
    values = {
        "scope": "main",
        "kind": Kind.TURN,
        "category": Category.DIALOGUE,
        "provenance": Provenance(**origin),
        "recorded_us": NOW_US,
        "event_us": NOW_US,
        "last_us": NOW_US,
        "salience": 0.4,
        "half_life_us": 1_000_000,
        "evict_at_us": NOW_US + 5_000_000,
    }
    return Engram(id=id_, content=content, **(values | changes))


def vector_of(text: str) -> np.ndarray:
    """Return a unit vector that depends on the text alone."""
    raw = np.frombuffer(text.encode().ljust(DIM, b".")[:DIM], np.uint8).astype(np.float32)
    return raw / np.linalg.norm(raw)


def add(tx: SqliteTransaction, content: str, **changes) -> Engram:
    """Add a row with its vector and its words; return it with its local key."""
    row = engram(tx.new_id(), content, **changes)
    local = tx.add_engram(row)
    index(tx, local, content)
    return Engram(**{name: getattr(row, name) for name in row.__struct_fields__} | {"local": local})


def index(tx: SqliteTransaction, local: int, content: str) -> None:
    """Give a row its vector and its words."""
    words = content.lower().split()
    tx.put_vector(local, SPACE, vector_of(content), 1.0)
    tx.put_text(local, turn=words, context=words)


def add_all(store: SqliteStore, contents: Iterable[str], **changes) -> list[Engram]:
    """Add rows in one write."""
    with store.write(now_us=NOW_US) as tx:
        return [add(tx, content, **changes) for content in contents]


class AbandonedError(Exception):
    """Raised inside a write to see it undone."""


@contextmanager
def abandoned(store: SqliteStore) -> Iterator[SqliteTransaction]:
    """Open a write that fails at its end."""
    with suppress(AbandonedError), store.write(now_us=NOW_US) as tx:
        yield tx
        raise AbandonedError


def assertion(row: Engram, **changes) -> Assertion:
    """Return a statement for a row."""
    values = {
        "id": row.id,
        "scope": row.scope,
        "subject": "ana",
        "predicate": "lives_in",
        "object": "Oslo",
        "plane": Plane.USER,
        "authority": int(Authority.USER_EXPLICIT),
        "principal": "ana",
        "recorded_us": NOW_US,
        "event_us": NOW_US,
        "precision": Precision.DAY,
    }
    return Assertion(**(values | changes))
