"""Exchange: a whole memory as canonical JSON Lines, out and in.

The export holds what was said and decided, not vectors: those depend on an embedder and are
computed again on import. Both are all or nothing.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from scrubjay.base.errors import ConflictError, StorageError
from scrubjay.base.ports import Transaction
from scrubjay.base.tokens import tokenize
from scrubjay.base.trace import Engram
from scrubjay.policies.encoding import PREDECESSORS, Encoder
from scrubjay.store import SqliteStore, import_lines
from scrubjay.store.engrams import is_spoken

__all__ = ["export_file", "import_file"]

_BATCH = 256


def export_file(store: SqliteStore, path: Path) -> int:
    """Write every logical row to ``path`` and return the number of lines.

    The file appears whole or not at all. Raises StorageError.
    """
    partial = path.with_name(f".{path.name}.partial")
    count = 0
    try:
        with partial.open("wb") as out:
            for line in store.export_lines():
                out.write(line)
                count += 1
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        msg = f"export: cannot write {path}, got {error.strerror}, expected a writable place"
        raise StorageError(msg) from error
    return count


def import_file(store: SqliteStore, encoder: Encoder, path: Path, *, now_us: int) -> int:
    """Read an export into an empty store in one transaction and return the number of lines.

    Raises:
        ConflictError: the store holds memories already.
        CorruptionError: the file is not a whole export; nothing was imported.
    """
    if next(store.engrams(), None) is not None:
        msg = (
            f"import: {store.path} holds memories already, got a store with rows, "
            "expected an empty one; import into a new directory or tenant"
        )
        raise ConflictError(msg)
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        with path.open("rb") as source:
            for line in source:
                count += 1
                yield line

    with store.write(now_us=now_us) as tx:
        import_lines(tx, lines())
        _index_all(tx, encoder, list(store.engrams()))
        tx.journal("import")
    return count


def _index_all(tx: Transaction, encoder: Encoder, rows: list[Engram]) -> None:
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        vectors, gains = encoder.embed([row.content for row in batch])
        for row, vector, gain in zip(batch, vectors, gains, strict=True):
            tx.put_vector(row.local, encoder.space, vector, float(gain))
    sessions: defaultdict[tuple[str, str], list[Engram]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.local):
        if is_spoken(row):
            sessions[(row.scope, row.provenance.session)].append(row)
        else:
            tokens = tokenize(row.content)
            tx.put_text(row.local, turn=tokens, context=tokens)
    for turns in sessions.values():
        tokens_of = [tokenize(turn.content) for turn in turns]
        for at, turn in enumerate(turns):
            window = tokens_of[max(0, at - PREDECESSORS) : at + 2]
            context = [token for tokens in window for token in tokens]
            tx.put_text(turn.local, turn=tokens_of[at], context=context)
