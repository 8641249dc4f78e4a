"""Inspection: what a memory holds, and whether all its parts agree."""

from __future__ import annotations

import msgspec

from scrubjay.base.errors import CorruptionError
from scrubjay.policies.recall import RecallEngine
from scrubjay.store import DoctorReport, Finding, SqliteStore, verify

__all__ = ["Stats", "check_health", "take_stats"]


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """Counts and settings of one tenant; ``index_bytes`` is the memory of the live index."""

    path: str
    tenant: str
    embedder: str
    last_seq: int
    index_rows: int
    index_bytes: int
    counts: dict[str, int]


def take_stats(store: SqliteStore, engine: RecallEngine) -> Stats:
    """Return the counts as of the last commit."""
    engine.refresh()
    return Stats(
        path=str(store.path),
        tenant=store.tenant,
        embedder=store.meta("embedder") or "",
        last_seq=store.last_seq(),
        index_rows=len(engine.locals()),
        index_bytes=engine.memory_bytes,
        counts=store.counts(),
    )


def check_health(store: SqliteStore, engine: RecallEngine) -> DoctorReport:
    """Verify that rows, vectors, full text, index, archive and audit chain agree."""
    try:
        locals_, seq = engine.held()
    except CorruptionError as error:
        report = verify(store)
        finding = Finding(part="index", problem=str(error), remedy="mend the rows it was made of")
        return msgspec.structs.replace(report, findings=(*report.findings, finding))
    return verify(store, locals_, index_seq=seq)
