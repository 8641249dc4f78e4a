"""``scrubjay remind`` and ``scrubjay due``: what is to be done, and what has come due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.base.clock import format_us
from scrubjay.base.ids import format_id
from scrubjay.cli.options import DirOption, JsonOption, TenantOption, instant_at, open_memory
from scrubjay.cli.screen import clean, console, minute, plain_table, print_json, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from scrubjay.serve.values import Json
    from scrubjay.systems.prospective import Due

__all__ = ["due_table", "register"]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("remind")(remind)
    app.command("due")(due)


def remind(
    action: Annotated[str, typer.Argument(help="What to do then.")],
    at: Annotated[
        str, typer.Option("--at", metavar="DATE", help="When: a day, or a time with its offset.")
    ],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """Plan something for later.

    'scrubjay due' lists it when its time has come.

    For example:

      scrubjay remind "renew the certificate" --at 2027-04-07T09:00+02:00
    """
    due_us = instant_at("--at", at)
    with open_memory(directory, tenant=tenant, must_exist=False) as memory:
        intention = memory.remind(action, due_us)
    if as_json:
        print_json({"id": format_id(intention.id), "due": format_us(intention.due_us)})
    else:
        console().print(f"planned for {minute(intention.due_us)}: {clean(intention.action)}")


def due(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    as_json: JsonOption = False,
) -> None:
    """List what has come due, the most urgent first.

    For example:

      scrubjay due

      scrubjay due --json
    """
    with open_memory(directory, tenant=tenant) as memory:
        waiting = memory.due()
    if as_json:
        print_json([_as_json(item) for item in waiting])
    elif waiting:
        due_table(console(), waiting)
    else:
        console().print("nothing is due")


def due_table(screen: Console, waiting: Sequence[Due]) -> None:
    """Print what is due as a table."""
    table = plain_table(("due", "late by", "what"))
    for item in waiting:
        intention = item.intention
        table.add_row(minute(intention.due_us), span(item.late_us), clean(intention.action))
    screen.print(table)


def _as_json(item: Due) -> Json:
    intention = item.intention
    return {
        "id": format_id(intention.id),
        "action": intention.action,
        "scope": intention.scope,
        "due": format_us(intention.due_us),
        "late_us": item.late_us,
        "urgency": item.urgency,
        "status": intention.status,
    }
