"""The directory of a memory: its mark, its node, and where each tenant lives.

    DIR/scrubjay.json                     format, node; written once
    DIR/scrubjay.lock                     held while the mark is made
    DIR/tenants/NAME/memory.sqlite        the truth of one tenant (with -wal and -shm beside it)
    DIR/tenants/NAME/memory.gate          whose turn it is to write
    DIR/tenants/NAME/tenant.json          whose folder this is; written once its database is made
    DIR/tenants/NAME/archive/HASH.parquet cold rows

A file that must be whole is written under another name, synced, renamed, and the directory synced.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from scrubjay.base.errors import (
    CorruptionError,
    FormatVersionError,
    InvalidArgumentError,
    StorageError,
)
from scrubjay.base.ids import Entropy
from scrubjay.store import failures
from scrubjay.store.locks import FileGate

__all__ = [
    "MARK_NAME",
    "archive_path",
    "check_tenant",
    "database_path",
    "encode_tenant",
    "gate_path",
    "is_sealed",
    "make_directory",
    "open_mark",
    "read_mark",
    "refuse_lost",
    "refuse_unmarked",
    "seal_tenant",
    "sync_directory",
    "write_whole",
]

MARK_NAME = "scrubjay.json"
FORMAT = 1
_SEAL_NAME = "tenant.json"
_NODE_BYTES = 3
_TENANT_CHARS = 200
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST_NAME = 200
_KEPT_OF_LONG_NAME = 120


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``scrubjay.json`` says: the format, and the node in every id of this directory."""

    format: int
    node: int


def check_tenant(name: str) -> str:
    """Return ``name`` if it can be a tenant: 1 to 200 characters, no NUL, valid Unicode."""
    if not 1 <= len(name) <= _TENANT_CHARS or "\0" in name:
        msg = (
            f"open: not a tenant name, got {name!r:.80}, "
            f"expected 1 to {_TENANT_CHARS} characters without NUL"
        )
        raise InvalidArgumentError(msg)
    try:
        name.encode()
    except UnicodeEncodeError as error:
        msg = f"open: the tenant name holds a lone surrogate, got {name!r:.80}, expected text"
        raise InvalidArgumentError(msg) from error
    return name


def encode_tenant(name: str) -> str:
    """Return a folder name, one for each tenant on any file system.

    Lower-case letters, digits, ``_`` and ``-`` stay, every other byte becomes ``%XX``; what would
    be too long ends in its hash after ``~``.

    >>> encode_tenant("a/B *")
    'a%2F%42%20%2A'
    """
    encoded = "".join(chr(b) if b in _PLAIN else f"%{b:02X}" for b in name.encode())
    if len(encoded) <= _LONGEST_NAME:
        return encoded
    return f"{encoded[:_KEPT_OF_LONG_NAME]}~{hashlib.sha256(name.encode()).hexdigest()}"


def database_path(root: Path, tenant: str) -> Path:
    """Return where the tenant's database is."""
    return root / "tenants" / encode_tenant(tenant) / "memory.sqlite"


def gate_path(root: Path, tenant: str) -> Path:
    """Return where the tenant's writers queue."""
    return root / "tenants" / encode_tenant(tenant) / "memory.gate"


def archive_path(root: Path, tenant: str) -> Path:
    """Return where the tenant's cold segments are."""
    return root / "tenants" / encode_tenant(tenant) / "archive"


def seal_tenant(root: Path, tenant: str) -> None:
    """Note beside a database, once it is durable, that it was made: its loss is no beginning."""
    path = _seal_path(root, tenant)
    text = msgspec.json.encode({"tenant": tenant}) + b"\n"
    write_whole(path, text, temporary=path.with_name(f"{_SEAL_NAME}.new"))


def is_sealed(root: Path, tenant: str) -> bool:
    """Return whether a database was made in this tenant's folder."""
    return _seal_path(root, tenant).exists()


def _seal_path(root: Path, tenant: str) -> Path:
    return root / "tenants" / encode_tenant(tenant) / _SEAL_NAME


def refuse_lost(root: Path, tenant: str) -> None:
    """Raise CorruptionError if a database was made here; the caller has found it gone or empty."""
    path = database_path(root, tenant)
    archived = archive_path(root, tenant)
    if is_sealed(root, tenant) or any(archived.glob("*.parquet")):
        msg = (
            f"open: {path}: the database is gone or empty, got none, expected the one that was "
            "made here; restore it from a backup, or move its folder away to begin anew"
        )
        raise CorruptionError(msg)


def make_directory(path: Path) -> None:
    """Create a directory and those above it. Raises StorageError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise failures.of_system("open", error, path) from error


def sync_directory(path: Path) -> None:
    """Make the names in ``path`` durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes, *, temporary: Path) -> None:
    """Write a file so that it is there whole or not at all, and stays. Raises StorageError."""
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_directory(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise failures.of_system("write", error, path) from error


def read_mark(root: Path) -> Mark | None:
    """Return the mark of a directory, None if it has none.

    Raises:
        StorageError: ``root`` is a file or cannot be read.
        FormatVersionError: made by a newer scrubjay.
        CorruptionError: the mark is damaged.
    """
    path = root / MARK_NAME
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failures.of_system("open", error, root) from error
    try:
        mark = msgspec.json.decode(text, type=Mark)
    except msgspec.DecodeError as error:
        msg = (
            f"open: {path}: the mark is damaged, got {error}; "
            "restore it from a backup: it holds the format and the node of this memory"
        )
        raise CorruptionError(msg) from error
    if mark.format > FORMAT:
        msg = (
            f"open: {path}: written by a newer scrubjay, got format {mark.format}, "
            f"expected at most {FORMAT}; install a newer scrubjay"
        )
        raise FormatVersionError(msg)
    return mark


def open_mark(root: Path, entropy: Entropy) -> Mark:
    """Return the mark of a directory, making directory and mark if there are none.

    Several processes may do so at once; all get the same mark.
    """
    if root.exists() and not root.is_dir():
        msg = f"open: {root} is a file, expected a directory; choose another path"
        raise StorageError(msg)
    mark = read_mark(root)
    if mark is not None:
        return mark
    make_directory(root)
    with FileGate(root / "scrubjay.lock", function="open"):
        mark = read_mark(root)
        if mark is None:
            refuse_unmarked(root)
            mark = Mark(format=FORMAT, node=int.from_bytes(entropy.token(_NODE_BYTES), "big"))
            text = msgspec.json.format(msgspec.json.encode(mark), indent=2) + b"\n"
            write_whole(root / MARK_NAME, text, temporary=root / f"{MARK_NAME}.new")
    return mark


def refuse_unmarked(root: Path) -> None:
    """Raise CorruptionError where there are tenants but no mark: the mark is made before them."""
    if any((root / "tenants").glob("*/memory.sqlite")):
        msg = (
            f"open: {root / MARK_NAME}: the mark is missing, got tenants without one, expected "
            "the mark that was made with them; restore it from a backup"
        )
        raise CorruptionError(msg)
