"""``scrubjay sleep``: one consolidation cycle, or the plan of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli.options import DirOption, EmbedderOption, JsonOption, TenantOption, open_memory
from scrubjay.cli.screen import console, fields_table, print_json

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("sleep")(sleep)


def sleep(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what a cycle would do; change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Consolidate what came in and archive what faded.

    Turns become episodes, beliefs, skills and intentions; nothing is lost, what is let go moves
    to the archive.

    For example:

      scrubjay sleep --plan

      scrubjay sleep --json
    """
    from scrubjay.serve.values import values_of

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        report = values_of(memory.plan_sleep() if plan else memory.sleep())
    if as_json:
        print_json(report)
    else:
        title = "A cycle would do this; nothing was changed" if plan else "The cycle did this"
        console().print(fields_table(report, title=title))
