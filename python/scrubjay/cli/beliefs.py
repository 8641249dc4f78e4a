"""``scrubjay remember``, ``facts`` and ``skills``: what is held true, and what is known how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.base.clock import format_us
from scrubjay.base.ids import format_id
from scrubjay.cli.options import (
    CreateOption,
    DirOption,
    EmbedderOption,
    JsonOption,
    ScopeOption,
    TenantOption,
    instant_at,
    instant_end,
    open_memory,
)
from scrubjay.cli.screen import (
    clean,
    console,
    day,
    one_line,
    plain_table,
    print_indented,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from scrubjay.base.trace import Skill, SkillStep
    from scrubjay.serve.values import Json
    from scrubjay.systems.semantic import Belief

__all__ = ["facts_table", "print_skill", "register"]


PREDICATE_CHARS = 16
"""A longer predicate takes two lines of a table."""


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("remember")(remember)
    app.command("facts")(facts)
    app.command("skills")(skills)


def remember(
    text: Annotated[str | None, typer.Argument(help="The fact in words.")] = None,
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    create: CreateOption = False,
    embedder: EmbedderOption = "static",
    scope: ScopeOption = None,
    subject: Annotated[str | None, typer.Option("--subject", help="About what or whom.")] = None,
    predicate: Annotated[str | None, typer.Option("--predicate", help="Which property.")] = None,
    object_: Annotated[str | None, typer.Option("--object", help="Its value.")] = None,
    valid_from: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="True from then on.")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="True until then.")
    ] = None,
    functional: Annotated[
        bool | None,
        typer.Option("--functional/--many", help="The property has one value at a time, or many."),
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Never archive it.")] = False,
    invariant: Annotated[
        bool, typer.Option("--invariant", help="A rule that never fades.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Keep a fact, in words or as subject, predicate and object.

    For example:

      scrubjay remember "Never restart billing by day." --invariant

      scrubjay remember --subject api --predicate runs_on --object web-3
    """
    with open_memory(
        directory, tenant=tenant, embedder=embedder, scope=scope, must_exist=False, create=create
    ) as memory:
        id_ = memory.remember(
            text,
            subject=subject,
            predicate=predicate,
            object=object_,
            valid_from=None if valid_from is None else instant_at("--from", valid_from),
            valid_to=None if valid_to is None else instant_at("--to", valid_to),
            functional=functional,
            pin=pin,
            invariant=invariant,
        )
    if as_json:
        print_json({"id": format_id(id_)})
    else:
        console().print(f"remembered as {format_id(id_)}", soft_wrap=True)


def facts(
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    scope: ScopeOption = None,
    about: Annotated[str | None, typer.Option("--about", help="Only about this subject.")] = None,
    predicate: Annotated[
        str | None, typer.Option("--predicate", help="Only this property.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="What was true then.")
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also what was true once and is no longer.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List beliefs with the time they hold, and how firmly.

    For example:

      scrubjay facts --about "metrics store" --history

      scrubjay facts --as-of 2026-03-10
    """
    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        beliefs = memory.beliefs.facts(
            about,
            predicate=predicate,
            scope=scope,
            as_of=None if as_of is None else instant_end("--as-of", as_of),
            include_past=history,
        )
    if as_json:
        print_json([_belief_as_json(belief) for belief in beliefs])
    elif beliefs:
        facts_table(console(), beliefs)
    else:
        console().print(_nothing(asked=any((about, predicate, as_of, scope))))


def _nothing(*, asked: bool) -> str:
    if asked:
        return "nothing is believed about that"
    return "nothing is believed yet; 'scrubjay sleep' draws beliefs from what was said"


def facts_table(screen: Console, beliefs: Sequence[Belief], *, title: str | None = None) -> None:
    """Print beliefs as a table of at most 80 columns."""
    table = plain_table(("subject", "predicate", "object", "from", "to"), title=title)
    for column in table.columns[3:]:
        column.no_wrap = True
    for belief in beliefs:
        table.add_row(
            clean(belief.subject),
            _breakable(clean(belief.predicate)),
            _doubt(belief) + clean(belief.object),
            day(belief.valid_from_us),
            _until(belief),
        )
    print_table(screen, table)


def skills(
    query: Annotated[str | None, typer.Argument(help="Only skills that fit this.")] = None,
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    k: Annotated[int, typer.Option("-k", help="How many, with a query.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """List skills with their parameters, steps and recovery.

    Skills are shown and handed out; this library never runs one.

    For example:

      scrubjay skills

      scrubjay skills "the worker is stalled" --json
    """
    from scrubjay.serve.values import values_of

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        found = (
            memory.skills.all()
            if query is None
            else [match.skill for match in memory.skills.match(query, k)]
        )
    if as_json:
        print_json([values_of(skill) for skill in found])
        return
    screen = console()
    for skill in found:
        print_skill(screen, skill)
    if not found:
        screen.print("no skill fits" if query else "no skills yet")


def print_skill(screen: Console, skill: Skill) -> None:
    """Print one skill: what it is for, its parameters, steps and recovery."""
    from rich.text import Text

    head = Text(clean(skill.name), style="bold")
    head.append(f"  version {skill.version}, {skill.status}", style="not bold dim")
    screen.print(head)
    print_indented(screen, clean(skill.description), 2)
    for label, lines in (
        ("when", [one_line(trigger, 70) for trigger in skill.triggers]),
        ("parameters", _parameters(skill.parameters)),
        ("steps", [f"{n}. {_step(step)}" for n, step in enumerate(skill.steps, start=1)]),
        ("recovery", [_step(step) for step in skill.recovery]),
        ("record", [f"{skill.successes} succeeded, {skill.failures} failed"]),
    ):
        if lines:
            screen.print(Text(f"  {label}", style="dim"))
        for line in lines:
            print_indented(screen, clean(line), 4, hang=3)


def _parameters(schema: str) -> list[str]:
    """Return one line per typed parameter of a JSON Schema."""
    lines = []
    for name, about in json.loads(schema).get("properties", {}).items():
        examples = ", ".join(str(example) for example in about.get("examples", ()))
        seen = f", seen: {examples}" if examples else ""
        lines.append(f"{name}: {about.get('type', 'any')}{seen}")
    return lines


def _step(step: SkillStep) -> str:
    return f"{step.tool} {step.arguments}" + (f"  [{step.check}]" if step.check else "")


def _breakable(predicate: str) -> str:
    """Let a long qualified name break after its colon, where a reader would break it."""
    return predicate.replace(":", ":\n", 1) if len(predicate) > PREDICATE_CHARS else predicate


def _doubt(belief: Belief) -> str:
    """Return the words that keep a denial or a guess from reading like a fact."""
    return ("maybe " if belief.hedged else "") + ("not " if belief.negated else "")


def _until(belief: Belief) -> str:
    if belief.valid_to_us is not None:
        return day(belief.valid_to_us)
    return "now" if belief.current else "contested" if belief.contested else "—"


def _belief_as_json(belief: Belief) -> Json:
    from scrubjay.base.provenance import Authority, Plane
    from scrubjay.serve.values import values_of

    values = values_of(belief)
    values["plane"] = Plane(belief.plane).name.lower()
    values["authority"] = Authority(belief.authority).name.lower()
    for name in ("valid_from_us", "valid_to_us"):
        at_us = getattr(belief, name)
        values[name.removesuffix("_us")] = None if at_us is None else format_us(at_us)
    return values
