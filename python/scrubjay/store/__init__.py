"""The store: the durable truth of one tenant, in SQLite and Parquet. SQL lives here alone."""

from scrubjay.store.opening import open_store
from scrubjay.store.sqlite import SqliteStore
from scrubjay.store.transaction import SqliteTransaction

__all__ = ["SqliteStore", "SqliteTransaction", "open_store"]
