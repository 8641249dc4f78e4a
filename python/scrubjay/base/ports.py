"""The ports: what the engine asks of the world, as protocols.

A store speaks in rows and sequence numbers, never in terms of one database, so that another
database can stand behind the same lines. An embedder turns text into vectors and has an identity
that the store remembers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.ids import EngramId
from scrubjay.base.trace import (
    Assertion,
    Engram,
    Firing,
    Intention,
    Kind,
    RowFilter,
    Skill,
    State,
)

__all__ = [
    "ArchiveHit",
    "Change",
    "Embedder",
    "Embedding",
    "IndexRows",
    "JournalEvent",
    "Store",
    "Transaction",
]


class Embedding(NamedTuple):
    """Vectors of n texts: ``vectors`` (n, d) float32 of unit length, ``norms`` (n,) float32.

    A text without known tokens has a zero row. ``norms`` is the length before normalising, where
    that carries meaning (summed token vectors), else 1.
    """

    vectors: NDArray[np.float32]
    norms: NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors; deterministic for one identity."""

    @property
    def identity(self) -> str:
        """A stable name of model, version and settings, stored with every vector."""
        ...

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        ...

    def embed(self, texts: Sequence[str]) -> Embedding:
        """Embed texts that will be stored."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; (d,) float32 of unit length, or zero."""
        ...


class Change(NamedTuple):
    """One entry of the index log: row ``local`` was put or dropped in commit ``seq``."""

    seq: int
    local: int
    dropped: bool


class IndexRows(NamedTuple):
    """Columns of n rows as the index takes them; arrays of length n, ``vectors`` (n, d) float32.

    ``half_life_us`` uses the largest int64 for no decay.
    """

    local: NDArray[np.int64]
    vectors: NDArray[np.float32]
    gain: NDArray[np.float32]
    scope_id: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    category: NDArray[np.uint8]
    state: NDArray[np.uint8]
    plane: NDArray[np.uint8]
    authority: NDArray[np.uint8]
    pinned: NDArray[np.uint8]
    quality: NDArray[np.float32]
    salience: NDArray[np.float32]
    frequency: NDArray[np.float32]
    half_life_us: NDArray[np.int64]
    last_us: NDArray[np.int64]
    event_us: NDArray[np.int64]


class JournalEvent(NamedTuple):
    """One line of the audit chain; ``detail`` is canonical JSON and never holds content."""

    seq: int
    now_us: int
    event: str
    subject: str
    detail: str


class ArchiveHit(NamedTuple):
    """A row found in the cold archive with its vector (zeros if it had none) and gain."""

    engram: Engram
    vector: NDArray[np.float32]
    gain: float


class Transaction(Protocol):
    """One atomic write; everything commits together or not at all.

    Every put or drop of a row also enters the index log under the same ``seq``.
    """

    @property
    def seq(self) -> int:
        """The sequence number this commit will have."""
        ...

    def new_id(self) -> EngramId:
        """Allocate the next id of this directory."""
        ...

    def scope_id(self, path: str) -> int:
        """Return the id of a scope, creating it and its ancestors."""
        ...

    def add_engram(self, engram: Engram) -> int:
        """Insert a row and return its local key; content gets a salted hash."""
        ...

    def put_vector(self, local: int, space: str, vector: NDArray[np.float32], gain: float) -> None:
        """Store (or replace) the vector of a row in one vector space."""
        ...

    def put_text(self, local: int, *, turn: Sequence[str], context: Sequence[str]) -> None:
        """Index (or re-index) the tokens of a row alone and with its neighbours."""
        ...

    def reinforce(self, local: int, *, last_us: int, evict_at_us: int | None) -> None:
        """Count one use: frequency + 1, t_m = ``last_us``."""
        ...

    def set_state(self, locals_: Iterable[int], state: State) -> None:
        """Move rows to another state; a state other than HOT leaves the default search."""
        ...

    def set_consolidated(self, locals_: Iterable[int]) -> None:
        """Mark rows as having passed a sleep cycle."""
        ...

    def set_pinned(self, local: int, *, pinned: bool) -> None:
        """Pin or unpin a row."""
        ...

    def archive(self, engrams: Sequence[Engram]) -> str:
        """Write rows to one cold segment, drop them from hot search, return its name."""
        ...

    def restore(self, ids: Sequence[EngramId]) -> int:
        """Bring archived rows back to HOT; return how many."""
        ...

    def erase(self, ids: Sequence[EngramId]) -> int:
        """Remove rows and all traces of them everywhere; return how many there were."""
        ...

    def add_assertion(self, assertion: Assertion) -> None:
        """Insert an immutable statement (its engram exists)."""
        ...

    def declare_predicate(self, name: str, *, functional: bool) -> None:
        """Declare whether a predicate holds one value at a time."""
        ...

    def add_skill(self, skill: Skill) -> None:
        """Insert a skill or a new version of it (its engram exists)."""
        ...

    def add_intention(self, intention: Intention) -> None:
        """Insert an intention (its engram exists)."""
        ...

    def set_intention_status(self, id_: EngramId, status: str) -> None:
        """Move an intention along its life cycle."""
        ...

    def put_firing(self, firing: Firing) -> bool:
        """Insert or update the firing of one occurrence; False if it was there already."""
        ...

    def put_progress(self, source: str, *, position: int, digest: str) -> None:
        """Remember how far a transcript was read."""
        ...

    def put_meta(self, key: str, value: str) -> None:
        """Set a directory-wide setting."""
        ...

    def journal(self, event: str, *, subject: str = "", detail: str = "{}") -> None:
        """Append to the audit chain."""
        ...


class Store(Protocol):
    """The durable truth of one tenant."""

    @property
    def tenant(self) -> str:
        """The tenant's name."""
        ...

    @property
    def path(self) -> Path:
        """The directory given to ``open``."""
        ...

    def write(self, *, now_us: int) -> AbstractContextManager[Transaction]:
        """Begin a write at ``now_us``; commits on leaving, rolls back on an exception.

        Raises BusyError, StorageError.
        """
        ...

    def close(self) -> None:
        """Release the files; idempotent."""
        ...

    def last_seq(self) -> int:
        """Return the newest committed sequence number (cheap; also sees other processes)."""
        ...

    def last_instant_us(self) -> int | None:
        """Return the newest journalled instant, None if nothing was ever written."""
        ...

    def changes_since(self, seq: int) -> list[Change]:
        """Return the last change of every row changed after ``seq``, in order of seq, local."""
        ...

    def meta(self, key: str) -> str | None:
        """Return a directory-wide setting."""
        ...

    def scopes(self) -> dict[str, int]:
        """Return every scope path with its id, ancestors included."""
        ...

    def engram(self, id_: EngramId) -> Engram:
        """Return a row by id, from the archive if it is cold. Raises NotFoundError."""
        ...

    def engrams_by_local(self, locals_: Sequence[int]) -> dict[int, Engram]:
        """Return hot rows by local key; missing ones are absent."""
        ...

    def find_message(
        self, *, scope: str, session: str, message_id: str, position: int | None
    ) -> Engram | None:
        """Return the row already ingested under this message id, else position, else None."""
        ...

    def session_tail(self, *, scope: str, session: str, limit: int) -> list[Engram]:
        """Return the last ``limit`` turns of a session, oldest first."""
        ...

    def neighbours(self, engram: Engram, *, before: int, after: int) -> list[Engram]:
        """Return the turns around one of a session, oldest first, itself included."""
        ...

    def unconsolidated(self, *, limit: int, after_local: int = 0) -> list[Engram]:
        """Return turns, tool results and notes no cycle has read, by local key."""
        ...

    def evictable(self, *, now_us: int, limit: int) -> list[Engram]:
        """Return hot, consolidated, unpinned rows whose eviction instant has come."""
        ...

    def engrams(
        self, *, kinds: Sequence[Kind] | None = None, where: RowFilter | None = None
    ) -> Iterator[Engram]:
        """Iterate over rows by id (cold ones as well if ``where`` admits ARCHIVED)."""
        ...

    def index_rows(self, *, space: str, locals_: Sequence[int] | None = None) -> IndexRows:
        """Return the index columns of all non-archived rows, or of some."""
        ...

    def match_text(
        self, tokens: Sequence[str], *, context: bool, where: RowFilter, limit: int
    ) -> list[tuple[int, float]]:
        """Return (local, BM25) of rows that hold any token, best first, larger is better."""
        ...

    def token_frequencies(self, tokens: Sequence[str], *, context: bool) -> list[int]:
        """Return, for each token, how many rows of one text index hold it; 0 if none does."""
        ...

    def search_archive(self, *, where: RowFilter, limit: int) -> Iterator[ArchiveHit]:
        """Iterate over cold rows, newest segments first."""
        ...

    def assertions(
        self,
        *,
        scope: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
    ) -> list[Assertion]:
        """Return live statements by id; names are compared by key (``base.terms``)."""
        ...

    def assertions_resting_on(self, ids: Sequence[EngramId]) -> list[Assertion]:
        """Return the statements that an erasure of rows takes with it, by id."""
        ...

    def functional_predicates(self) -> dict[str, bool]:
        """Return declared cardinalities: name → holds one value at a time."""
        ...

    def skills(self, *, scope: str | None = None) -> list[Skill]:
        """Return the newest version of each skill, by id."""
        ...

    def intentions(self, *, status: str | None = None) -> list[Intention]:
        """Return intentions ordered by (due_us, id)."""
        ...

    def firings(self, *, unacknowledged: bool = False) -> list[Firing]:
        """Return firings ordered by (occurrence_us, intention)."""
        ...

    def progress(self, source: str) -> tuple[int, str] | None:
        """Return (position, digest) of a transcript read before."""
        ...

    def cached_embeddings(self, space: str, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return cached vectors by content digest."""
        ...

    def cache_embeddings(self, space: str, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Add to the embedding cache (its own small transaction)."""
        ...

    def journal_events(self, *, after_seq: int = 0) -> Iterator[JournalEvent]:
        """Iterate over the audit chain in order."""
        ...

    def counts(self) -> dict[str, int]:
        """Return row counts by name for ``stats``."""
        ...
