"""``scrubjay forget``: erasure on request, with everything derived from it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.base.errors import InvalidArgumentError
from scrubjay.cli.options import DirOption, EmbedderOption, TenantOption, open_memory
from scrubjay.cli.screen import console, count

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("forget")(forget)


def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID…]", help="Ids, as --json shows them.")
    ] = None,
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    scope: Annotated[
        str | None, typer.Option("--scope", "-s", help="Everything in exactly this scope.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", help="Everything of this session.")
    ] = None,
    principal: Annotated[
        str | None, typer.Option("--principal", help="Everything this speaker said.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase memories for good.

    Rows, index, full text, archive and what was derived from them go. Several conditions are
    joined by "and". There is no undo; on a terminal it asks first, elsewhere it wants --yes.

    For example:

      scrubjay forget 8006a2f3c1b5d4e0a1b2c30000000007 --yes

      scrubjay forget --principal guest --scope org/chat
    """
    from scrubjay.policies.intake import selection_of

    selection_of(ids or None, scope=scope, session=session, principal=principal)
    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        if not yes:
            _confirm(directory)
        gone = memory.forget(ids or None, scope=scope, session=session, principal=principal)
    console().print(f"{count(gone, 'memory')} erased")


def _confirm(directory: Path) -> None:
    if not sys.stdin.isatty():
        msg = "forget: nobody to ask, got no terminal, expected --yes where no one can answer"
        raise InvalidArgumentError(msg)
    typer.confirm(f"Erase from {directory} for good?", abort=True)
