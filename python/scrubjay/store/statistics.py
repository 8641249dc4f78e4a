"""How much of everything there is."""

from __future__ import annotations

from scrubjay.base.trace import Kind, State
from scrubjay.store.connection import Database

__all__ = ["counts"]

_TABLES = {
    "assertions": "assertion",
    "cached_embeddings": "embedding",
    "firings": "firing",
    "intentions": "intention",
    "journal_events": "journal",
    "predicates": "predicate",
    "scopes": "scope",
    "segments": "segment",
    "skills": "skill",
    "spaces": "space",
    "vectors": "vector",
}


def counts(database: Database) -> dict[str, int]:
    """Return row counts by name: ``engrams``, each state, each kind, each table beside them."""
    found = {f"state_{state.name.lower()}": 0 for state in State}
    found |= {f"kind_{kind.name.lower()}": 0 for kind in Kind}
    total = 0
    for state, kind, count in database.rows(
        "SELECT state, kind, count(*) FROM engram WHERE tenant = 1 GROUP BY state, kind"
    ):
        found[f"state_{State(state).name.lower()}"] += count
        found[f"kind_{Kind(kind).name.lower()}"] += count
        total += count
    for name, table in _TABLES.items():
        found[name] = database.rows(f"SELECT count(*) FROM {table}")[0][0]
    return {"engrams": total} | found
