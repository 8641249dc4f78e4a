"""Vector spaces: a directory remembers whose vectors it holds, and changes them on request only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from scrubjay.base.errors import CorruptionError, EmbedderMismatchError
from scrubjay.base.ports import Embedder, Store, Transaction
from scrubjay.base.trace import Engram
from scrubjay.policies.encoding import Encoder

__all__ = ["check_space", "declare_space", "reembed"]

_IDENTITY = "embedder"
_DIM = "embedder_dim"
_BATCH = 256


def check_space(store: Store, embedder: Embedder) -> bool:
    """Return whether a space is declared yet, refusing one of another embedder.

    Raises:
        EmbedderMismatchError: the vectors here are another embedder's, or of another length.
    """
    identity = store.meta(_IDENTITY)
    if identity is None:
        return False
    told = store.meta(_DIM) or "0"
    if not told.isdecimal():
        msg = (
            f"open: {store.path}: the dimension of {identity!r} is damaged, got {told!r:.40}, "
            "expected a number; restore the directory from a backup, or run `scrubjay reembed`"
        )
        raise CorruptionError(msg)
    dim = int(told)
    if identity != embedder.identity or dim != embedder.dim:
        msg = (
            f"open: this directory holds vectors of {identity!r} ({dim} dimensions), got embedder "
            f"{embedder.identity!r} ({embedder.dim}); open it with the first, or change it with "
            f"`scrubjay reembed --dir {store.path} --embedder NAME`"
        )
        raise EmbedderMismatchError(msg)
    return True


def declare_space(store: Store, embedder: Embedder, *, now_us: int) -> None:
    """Record identity and dimension of the embedder whose vectors are to be stored.

    Raises:
        EmbedderMismatchError: another handle was first, with another embedder.
    """
    with store.write(now_us=now_us) as tx:
        if not check_space(store, embedder):
            tx.put_meta(_IDENTITY, embedder.identity)
            tx.put_meta(_DIM, str(embedder.dim))


def reembed(
    store: Store,
    embedder: Embedder,
    *,
    now_us: int,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Compute vectors of every hot row in the space of ``embedder``, then switch to it.

    Batches commit one by one beside the old vectors, so an interrupted run loses nothing; the
    last transaction takes in rows that arrived meanwhile and puts the new space in force.
    Returns the number of rows.

    Raises:
        EmbedderError, BusyError, StorageError: the old space is still in force.
    """
    encoder = Encoder(embedder)
    done: set[int] = set()
    rows = _rows_left(store, done)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        with store.write(now_us=now_us) as tx:
            _put_vectors(tx, encoder, batch)
        done.update(row.local for row in batch)
        if on_progress is not None:
            on_progress(len(done))
    with store.write(now_us=now_us) as tx:
        late = _rows_left(store, done)
        _put_vectors(tx, encoder, late)
        count = len(done) + len(late)
        tx.put_meta(_IDENTITY, embedder.identity)
        tx.put_meta(_DIM, str(embedder.dim))
        detail = msgspec.json.encode({"rows": count, "space": encoder.space}).decode()
        tx.journal("reembed", detail=detail)
    return count


def _rows_left(store: Store, done: set[int]) -> list[Engram]:
    return [row for row in store.engrams() if row.local not in done]


def _put_vectors(tx: Transaction, encoder: Encoder, rows: Sequence[Engram]) -> None:
    if not rows:
        return
    vectors, gains = encoder.embed([row.content for row in rows])
    for row, vector, gain in zip(rows, vectors, gains, strict=True):
        tx.put_vector(row.local, encoder.space, vector, float(gain))
