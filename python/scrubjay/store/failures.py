"""What the database, the file system and the archive can say, in scrubjay's own errors.

Promise: no error of apsw, of the operating system or of pyarrow leaves the store untranslated, and
each text ends with what to do.
"""

from __future__ import annotations

import errno
from pathlib import Path

import apsw

from scrubjay.base.errors import (
    BusyError,
    ConflictError,
    CorruptionError,
    InvalidArgumentError,
    ScrubjayError,
    StorageError,
)

__all__ = ["of_database", "of_system", "of_text"]

_ADVICE: tuple[tuple[type[apsw.Error], type[StorageError], str], ...] = (
    (apsw.BusyError, BusyError, "another process is writing; try again or raise the timeout"),
    (apsw.LockedError, BusyError, "another connection holds a lock; try again"),
    (apsw.FullError, StorageError, "the disk is full; free some space and try again"),
    (apsw.ReadOnlyError, StorageError, "make the directory writable or open it read_only=True"),
    (apsw.CantOpenError, StorageError, "check that the directory exists and may be written"),
    (apsw.PermissionsError, StorageError, "check the owner and the mode of the directory"),
    (apsw.AuthError, StorageError, "check the owner and the mode of the directory"),
    (apsw.IOError, StorageError, "check the disk and the file's permissions"),
    (apsw.NotADBError, CorruptionError, "restore it from a backup or from an export"),
    (apsw.CorruptError, CorruptionError, "run `scrubjay doctor`, then restore a backup or export"),
    (apsw.NoMemError, StorageError, "free some memory and try again"),
)

_SYSTEM_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "the disk quota is used up; free some space and try again",
    errno.EFBIG: "the file grew past the allowed size; raise the limit and try again",
    errno.EROFS: "the file system is read-only; choose another place or open it read_only=True",
    errno.EACCES: "check the owner and the mode of the directory, or open it read_only=True",
    errno.EPERM: "check the owner and the mode of the directory",
    errno.ENOTDIR: "a part of the path is a file; choose a directory",
    errno.EEXIST: "a file is in the way; choose another directory",
    errno.ENOENT: "check that the directory exists",
    errno.ENAMETOOLONG: "choose a shorter path",
}


def of_database(function: str, error: apsw.Error, path: Path) -> ScrubjayError:
    """Return the scrubjay error that says what ``error`` means for the file at ``path``."""
    if isinstance(error, apsw.ConstraintError):
        return ConflictError(f"{function}: the database refused the row, got {error}")
    if isinstance(error, apsw.TooBigError):
        return InvalidArgumentError(f"{function}: a value is too large for one row, got {error}")
    for kind, ours, advice in _ADVICE:
        if isinstance(error, kind):
            return ours(f"{function}: {path}: {error}; {advice}")
    return StorageError(f"{function}: {path}: {type(error).__name__}: {error}")


def of_text(function: str, error: UnicodeDecodeError, path: Path) -> CorruptionError:
    """Return the CorruptionError that says that a text in the file at ``path`` is no text."""
    return CorruptionError(
        f"{function}: {path}: a text is damaged, got bytes that are not UTF-8 ({error.reason}); "
        "run `scrubjay doctor`, then restore a backup or an export"
    )


def of_system(function: str, error: OSError, path: Path) -> StorageError:
    """Return the StorageError that says what an OSError means for ``path``."""
    advice = _SYSTEM_ADVICE.get(error.errno or 0, "check the directory and its file system")
    return StorageError(f"{function}: {path}: {error.strerror or error}; {advice}")
