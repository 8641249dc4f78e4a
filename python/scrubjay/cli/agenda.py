"""``scrubjay remind`` and ``scrubjay due``: what is to be done, and what has come due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.base.clock import format_us
from scrubjay.base.errors import NotFoundError
from scrubjay.base.ids import format_id
from scrubjay.cli.options import (
    CreateOption,
    DirOption,
    JsonOption,
    TenantOption,
    instant_at,
    open_memory,
)
from scrubjay.cli.screen import clean, console, minute, plain_table, print_json, print_table, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from scrubjay.memory import Memory
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
    create: CreateOption = False,
    as_json: JsonOption = False,
) -> None:
    """Plan something for later.

    'scrubjay due' lists it when its time has come.

    For example:

      scrubjay remind "renew the certificate" --at 2027-04-07T09:00+02:00
    """
    due_us = instant_at("--at", at)
    with open_memory(directory, tenant=tenant, must_exist=False, create=create) as memory:
        intention = memory.remind(action, due_us)
    if as_json:
        print_json({"id": format_id(intention.id), "due": format_us(intention.due_us)})
    else:
        when, id_ = minute(intention.due_us), format_id(intention.id)
        screen = console()
        screen.print(f"planned for {when}: {clean(intention.action)}", soft_wrap=True)
        screen.print(f"done with it: scrubjay due --done {id_}", soft_wrap=True)


def due(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    done: Annotated[
        list[str] | None, typer.Option("--done", metavar="ID", help="This is done; repeatable.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List what has come due, the most urgent first.

    Looking changes nothing; what is marked as done does not come again.

    For example:

      scrubjay due

      scrubjay due --json

      scrubjay due --done 8006a2f3c1b5d4e0a1b2c30000000007
    """
    with open_memory(directory, tenant=tenant) as memory:
        finished = _finish(memory, done or [])
        waiting = memory.intentions.waiting()
    if as_json:
        print_json([_as_json(item) for item in waiting])
        return
    screen = console()
    for item in finished:
        screen.print(f"done: {clean(item.intention.action)}")
    if waiting:
        due_table(screen, waiting)
        screen.print("done with one: scrubjay due --done ID; --json shows the ids", style="dim")
    elif not finished:
        screen.print("nothing is due")


def _finish(memory: Memory, ids: Sequence[str]) -> list[Due]:
    """Mark what is due as done, whoever holds it: a person's word ends a lease.

    Raises:
        NotFoundError: one of them is not due; none was marked.
    """
    if not ids:
        return []
    memory.due()
    waiting = {format_id(item.intention.id): item for item in memory.intentions.waiting()}
    missing = [id_ for id_ in ids if id_ not in waiting]
    if missing:
        msg = (
            f"due: not due, got {missing[0]!r:.60}, expected an id that 'scrubjay due --json' lists"
        )
        raise NotFoundError(msg)
    for id_ in ids:
        firing = waiting[id_].firing
        if firing is not None:
            memory.intentions.acknowledge(id_, token=firing.token)
    return [waiting[id_] for id_ in ids]


def due_table(screen: Console, waiting: Sequence[Due]) -> None:
    """Print what is due as a table."""
    table = plain_table(("due", "late by", "what"))
    for item in waiting:
        intention = item.intention
        table.add_row(minute(intention.due_us), span(item.late_us), clean(intention.action))
    print_table(screen, table)


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
