"""The store: the durable truth of one tenant, in SQLite and Parquet. SQL lives here alone."""

from scrubjay.store.doctor import DoctorReport, Finding, verify
from scrubjay.store.export import import_lines
from scrubjay.store.opening import open_store
from scrubjay.store.sqlite import SqliteStore
from scrubjay.store.transaction import SqliteTransaction

__all__ = [
    "DoctorReport",
    "Finding",
    "SqliteStore",
    "SqliteTransaction",
    "import_lines",
    "open_store",
    "verify",
]
