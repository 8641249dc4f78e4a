"""``scrubjay sleep``: one consolidation cycle, or the plan of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli.options import DirOption, EmbedderOption, JsonOption, TenantOption, open_memory
from scrubjay.cli.screen import clean, console, print_fields, print_indented, print_json

if TYPE_CHECKING:
    from scrubjay.policies.consolidation.plan import CyclePlan

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
    from scrubjay.policies.consolidation.plan import CyclePlan
    from scrubjay.serve.values import values_of

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        report = memory.plan_sleep() if plan else memory.sleep()
        lines = _planned(report) if isinstance(report, CyclePlan) else []
        lines += [f"refused: {refusal.reason}" for refusal in report.refused]
    if as_json:
        print_json(values_of(report))
        return
    screen = console()
    title = "A cycle would do this; nothing was changed" if plan else "The cycle did this"
    print_fields(screen, title, values_of(report))
    for line in lines:
        print_indented(screen, clean(f"- {line}"), 2, hang=2)


def _planned(plan: CyclePlan) -> list[str]:
    return [
        *(f"believe: {belief.text}" for belief in plan.beliefs),
        *(f"learn: {skill.name} (version {skill.version})" for skill in plan.skills),
        *(f"remind: {intention.action}" for intention in plan.intentions),
    ]
