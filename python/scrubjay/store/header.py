"""The first bytes of a database file, read through SQLite's own file layer.

Opening and closing the file directly would drop the locks that this process holds on it.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from scrubjay.base.errors import FormatVersionError

__all__ = ["refuse_foreign"]

_MAGIC = b"SQLite format 3\0"


def refuse_foreign(path: Path, *, vfs: str | None) -> None:
    """Raise FormatVersionError if the file is no SQLite database at all; say nothing else."""
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    try:
        file = apsw.VFSFile(vfs or "", str(path), flags)
        try:
            start = file.xRead(len(_MAGIC), 0)
        finally:
            file.xClose()
    except apsw.Error:
        return
    if start and start != _MAGIC:
        msg = (
            f"open: {path}: not a SQLite database, got {start[:8]!r}…, expected {_MAGIC!r}; "
            "choose another directory, or restore the file if it was scrubjay's"
        )
        raise FormatVersionError(msg)
