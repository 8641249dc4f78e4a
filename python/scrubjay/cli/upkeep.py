"""``scrubjay stats``, ``doctor`` and ``reembed``: looking after a directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli.options import (
    DirOption,
    EmbedderOption,
    JsonOption,
    TenantOption,
    existing,
    open_memory,
)
from scrubjay.cli.screen import (
    clean,
    console,
    count,
    print_fields,
    print_indented,
    print_json,
    waiting,
)

__all__ = ["register"]

FOUND_SOMETHING = 1
DEFAULT_EMBEDDER = "static"


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("stats")(stats)
    app.command("doctor")(doctor)
    app.command("reembed")(reembed)


def stats(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    as_json: JsonOption = False,
) -> None:
    """Count what is kept, hot and archived.

    For example:

      scrubjay stats

      scrubjay stats --json | jq .counts.kind_turn
    """
    from scrubjay.serve.values import values_of

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        values = values_of(memory.stats())
    if as_json:
        print_json(values)
    else:
        counts = values.pop("counts")
        print_fields(console(), str(directory), {**values, "embedder": values["embedder"] or None})
        print_fields(console(), "counts", counts if isinstance(counts, dict) else {})


def doctor(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    as_json: JsonOption = False,
) -> None:
    """Verify that all parts of a memory agree.

    Compares rows, index, full text, archive and the audit chain. Exit code 0 if all agree, 1 if
    anything is wrong.

    For example:

      scrubjay doctor && echo sound
    """
    from scrubjay.serve.values import values_of

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        report = memory.doctor()
    values = {"ok": report.ok, **values_of(report)}
    if as_json:
        print_json(values)
    else:
        screen = console()
        title = "all parts agree" if report.ok else count(len(report.findings), "finding")
        print_fields(screen, f"{directory}: {title}", values)
        for finding in report.findings:
            line = f"- {finding.part}: {finding.problem}; {finding.remedy}"
            print_indented(screen, clean(line), 2, hang=2)
    if not report.ok:
        raise typer.Exit(FOUND_SOMETHING)


def reembed(
    to: Annotated[
        str,
        typer.Option("--embedder", metavar="SPEC", help="The embedder to change to."),
    ],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
) -> None:
    """Change to another embedder.

    Every vector is computed anew, then the new ones come into force.
    The old vectors answer until the last batch is in, so an interrupted run loses nothing.

    For example:

      scrubjay reembed --embedder minilm
    """
    import scrubjay

    place = existing(directory)
    with waiting(f"embedding with {to}") as tell:
        rows = scrubjay.Memory.reembed_directory(
            place,
            tenant=tenant,
            embedder=to,
            on_progress=lambda done: tell(f"embedding with {to}: {count(done, 'memory')}"),
        )
    screen = console()
    screen.print(f"{count(rows, 'memory')} embedded with {to}", soft_wrap=True)
    if to != DEFAULT_EMBEDDER:
        line = f"from now on it wants --embedder {to}, or SCRUBJAY_EMBEDDER={to}"
        screen.print(line, soft_wrap=True)
