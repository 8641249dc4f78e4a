"""``scrubjay export`` and ``scrubjay import``: a memory as canonical JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli.options import CreateOption, DirOption, EmbedderOption, TenantOption, open_memory
from scrubjay.cli.screen import console, count

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("export")(export)
    app.command("import")(import_)


def export(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
) -> None:
    """Write all memories to a file.

    One JSON object a line, the same bytes every time.

    For example:

      scrubjay export memory.jsonl
    """
    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        lines = memory.export(target)
    console().print(f"{count(lines, 'line')} written to {target}", soft_wrap=True)


def import_(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A file that export wrote.")],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    create: CreateOption = False,
    embedder: EmbedderOption = "static",
) -> None:
    """Read an export into an empty memory.

    For example:

      scrubjay import memory.jsonl --dir copy.memory
    """
    with open_memory(
        directory, tenant=tenant, embedder=embedder, must_exist=False, create=create
    ) as memory:
        lines = memory.import_(source)
    console().print(f"{count(lines, 'line')} read into {directory}", soft_wrap=True)
