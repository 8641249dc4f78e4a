"""``scrubjay mcp``: the memory as tools of a coding agent, over stdio."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli.options import (
    CreateOption,
    DirOption,
    EmbedderOption,
    ScopeOption,
    TenantOption,
    open_memory,
)

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("mcp")(mcp)


def mcp(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    create: CreateOption = False,
    embedder: EmbedderOption = "static",
    scope: ScopeOption = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Name of this connection's session; default its start."),
    ] = None,
) -> None:
    """Serve the memory to an agent (MCP, stdio).

    Tools: observe, recall, remember, forget, due, sleep. What comes through this door has the
    authority of an assistant at most.

    For example:

      scrubjay mcp --dir ~/.scrubjay --scope me/project
    """
    from scrubjay.base.clock import SystemClock, format_us
    from scrubjay.serve.mcp import serve
    from scrubjay.serve.tools import Door

    with open_memory(
        directory, tenant=tenant, embedder=embedder, scope=scope, must_exist=False, create=create
    ) as memory:
        serve(Door(memory, session or f"mcp-{format_us(SystemClock().now_us())}"))
