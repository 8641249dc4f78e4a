"""``scrubjay export`` and ``scrubjay import``: a memory as canonical JSON Lines."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer

from scrubjay.cli.options import CreateOption, DirOption, EmbedderOption, TenantOption, open_memory
from scrubjay.cli.screen import console, count

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["register"]

PIPE: Final = Path("-")
"""Stands for stdout of an export, stdin of an import."""


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("export")(export)
    app.command("import")(import_)


def export(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, or -.")],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
) -> None:
    """Write all memories to a file.

    One JSON object a line, the same bytes every time. The file "-" is stdout.

    For example:

      scrubjay export memory.jsonl

      scrubjay export - | gzip > memory.jsonl.gz
    """
    with (
        open_memory(directory, tenant=tenant, embedder=embedder) as memory,
        _file_or_pipe(target) as file,
    ):
        lines = memory.export(file)
        if file != target:
            with file.open("rb") as whole:
                copyfileobj(whole, sys.stdout.buffer)
    told = console(stderr=file != target)
    told.print(f"{count(lines, 'line')} written to {target}", soft_wrap=True)


def import_(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What export wrote, or -.")],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    create: CreateOption = False,
    embedder: EmbedderOption = "static",
) -> None:
    """Read an export into an empty memory.

    The file "-" is stdin.

    For example:

      scrubjay import memory.jsonl --dir copy.memory

      gunzip -c memory.jsonl.gz | scrubjay import - --dir copy.memory
    """
    from scrubjay.policies.intake import checked_file

    with _file_or_pipe(source) as file:
        if file != source:
            with file.open("wb") as whole:
                copyfileobj(sys.stdin.buffer, whole)
        checked_file("import", file)
        with open_memory(
            directory, tenant=tenant, embedder=embedder, must_exist=False, create=create
        ) as memory:
            lines = memory.import_(file)
    console().print(f"{count(lines, 'line')} read into {directory}", soft_wrap=True)


@contextmanager
def _file_or_pipe(path: Path) -> Iterator[Path]:
    """Yield the file itself, for a pipe one beside it that is gone afterwards.

    An export is only valid whole, so a pipe gets it whole or not at all.
    """
    if path != PIPE:
        yield path
        return
    with TemporaryDirectory(prefix="scrubjay-") as folder:
        yield Path(folder) / "pipe.jsonl"
