"""Every error of the world comes out typed and says what to do."""

import errno
from pathlib import Path

import apsw
import pytest

from scrubjay.base.errors import (
    BusyError,
    ConflictError,
    CorruptionError,
    InvalidArgumentError,
    ScrubjayError,
    StorageError,
)
from scrubjay.store import failures

PATH = Path("somewhere")
OURS = [getattr(apsw, name) for name in dir(apsw) if name.endswith("Error")]


@pytest.mark.parametrize(
    ("error", "expected", "advice"),
    [
        (apsw.BusyError("x"), BusyError, "try again"),
        (apsw.LockedError("x"), BusyError, "try again"),
        (apsw.FullError("x"), StorageError, "free some space"),
        (apsw.ReadOnlyError("x"), StorageError, "read_only=True"),
        (apsw.CantOpenError("x"), StorageError, "exists"),
        (apsw.IOError("x"), StorageError, "disk"),
        (apsw.NotADBError("x"), CorruptionError, "backup"),
        (apsw.CorruptError("x"), CorruptionError, "doctor"),
        (apsw.ConstraintError("x"), ConflictError, "refused the row"),
        (apsw.TooBigError("x"), InvalidArgumentError, "too large"),
    ],
)
def test_a_database_error_becomes_ours(error, expected, advice):
    ours = failures.of_database("write", error, PATH)
    assert expected is type(ours)
    assert advice in str(ours)
    assert str(ours).startswith("write: ")


@pytest.mark.parametrize("kind", OURS)
def test_no_database_error_stays_untranslated(kind):
    assert isinstance(failures.of_database("write", kind("x"), PATH), ScrubjayError)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EACCES, "read_only=True"),
        (errno.EROFS, "read-only"),
        (errno.ENOTDIR, "choose a directory"),
        (errno.EIO, "check the directory"),
    ],
)
def test_a_system_error_says_what_to_do(number, advice):
    ours = failures.of_system("open", OSError(number, "why"), PATH)
    assert "open: somewhere: why; " == str(ours)[:22]
    assert advice in str(ours)
    assert isinstance(ours, OSError)
