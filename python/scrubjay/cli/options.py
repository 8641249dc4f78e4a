"""The options that several commands share, and how their words become values."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from scrubjay.base.clock import DAY_US, instant_of
from scrubjay.base.errors import (
    ClockError,
    InvalidArgumentError,
    MissingTenantError,
    NotFoundError,
    StorageError,
)

if TYPE_CHECKING:
    from scrubjay.memory import Memory

__all__ = [
    "CreateOption",
    "DirOption",
    "EmbedderOption",
    "JsonOption",
    "ScopeOption",
    "TenantOption",
    "existing",
    "instant_at",
    "instant_end",
    "open_memory",
]

DEFAULT_DIR: Final = Path("scrubjay.memory")

DirOption = Annotated[
    Path,
    typer.Option(
        "--dir", "-d", envvar="SCRUBJAY_DIR", metavar="DIR", help="The directory of the memory."
    ),
]
TenantOption = Annotated[
    str,
    typer.Option("--tenant", help="The tenant inside the directory."),
]
ScopeOption = Annotated[
    str | None,
    typer.Option(
        "--scope", "-s", metavar="PATH", help="A scope such as 'org/agent', taken literally."
    ),
]
CreateOption = Annotated[
    bool,
    typer.Option("--create-tenant", help="Make the tenant if it is not there."),
]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        envvar="SCRUBJAY_EMBEDDER",
        metavar="SPEC",
        help="static, minilm, minilm-int8 or openai:MODEL@URL.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, complete and without colour."),
]

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_MONTHS: Final = 12


def open_memory(
    path: Path,
    *,
    tenant: str = "default",
    embedder: str = "static",
    scope: str | None = None,
    must_exist: bool = True,
    create: bool = False,
) -> Memory:
    """Open the memory a command works on; creating one is left to commands that put in.

    Raises:
        NotFoundError: ``must_exist`` and there is no memory at ``path``.
        MissingTenantError: the tenant is neither there nor to be made.
        StorageError: ``path`` is a file.
    """
    import scrubjay

    place = existing(path) if must_exist else _directory(path)
    try:
        return scrubjay.Memory.open(
            place, tenant=tenant, embedder=embedder, scope=scope, create=create or None
        )
    except MissingTenantError as error:
        msg = (
            f"open: no tenant of that name in {place}, got {tenant!r:.60}, expected one that was "
            "made; commands that put in make it with --create-tenant"
        )
        raise MissingTenantError(msg) from error


def existing(path: Path) -> Path:
    """Return the directory of a memory that is there.

    Raises:
        NotFoundError: there is no memory at ``path``.
        StorageError: ``path`` is a file.
    """
    place = _directory(path)
    if not (place / "scrubjay.json").exists():
        msg = (
            f"open: there is no memory here, got {str(path)!r}, expected a directory made by "
            "'scrubjay ingest', 'remember' or 'import'; or point --dir or $SCRUBJAY_DIR elsewhere"
        )
        raise NotFoundError(msg)
    return place


def _directory(path: Path) -> Path:
    path = path.expanduser()
    if path.exists() and not path.is_dir():
        msg = (
            f"open: a memory is a directory, got the file {str(path)!r}, expected a "
            "directory; choose another --dir"
        )
        raise StorageError(msg)
    return path


def instant_at(option: str, text: str) -> int:
    """Return the first microsecond that ``text`` names: a year, a month, a day or an instant.

    Raises:
        ClockError: an instant without offset, or one that does not exist.
        InvalidArgumentError: not a date.
    """
    return _bounds(option, text)[0]


def instant_end(option: str, text: str) -> int:
    """Return the last microsecond that ``text`` names, so that '2026-03-23' includes that day.

    Raises:
        ClockError: an instant without offset, or one that does not exist.
        InvalidArgumentError: not a date.
    """
    return _bounds(option, text)[1]


def _bounds(option: str, text: str) -> tuple[int, int]:
    whole = _DATE.fullmatch(text.strip())
    try:
        if whole is None:
            moment = datetime.fromisoformat(text.strip())
        else:
            return _unit(option, *whole.groups())
    except (ValueError, OverflowError) as error:
        msg = (
            f"{option}: not a date, got {text!r:.60}, expected for example 2026-03-23, 2026-03 "
            "or 2026-03-23T09:00+01:00"
        )
        raise InvalidArgumentError(msg) from error
    if moment.tzinfo is None:
        msg = (
            f"{option}: the time has no offset, got {text!r:.60}, expected one such as "
            f"{text.strip()}+01:00 or {text.strip()}Z"
        )
        raise ClockError(msg)
    at_us = instant_of(option, moment)
    return at_us, at_us


def _unit(option: str, year: str, month: str | None, day: str | None) -> tuple[int, int]:
    """Return the first and last microsecond (UTC) of a year, a month or a day."""
    first = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    last = first
    if month is None:
        last = last.replace(month=_MONTHS)
    if day is None:
        last = last.replace(day=monthrange(last.year, last.month)[1])
    return instant_of(option, first), instant_of(option, last) + DAY_US - 1
