"""``scrubjay recall``: a ranked answer, explained on request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli.options import (
    DirOption,
    EmbedderOption,
    JsonOption,
    TenantOption,
    instant_at,
    instant_end,
    open_memory,
)
from scrubjay.cli.screen import (
    clean,
    console,
    count,
    minute,
    one_line,
    print_indented,
    print_json,
)

if TYPE_CHECKING:
    from rich.console import Console

    from scrubjay.policies.recall import Hit, Recall

__all__ = ["print_hit", "register", "source_of"]

AsOfOption = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="What had happened and what held by then."),
]
SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="Only what happened since.")
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Only what happened until then.")
]

SHOWN_CHARS = 400
"""Characters of one memory shown without ``--full``."""


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("recall")(recall)


def recall(
    query: Annotated[str, typer.Argument(help="A question, or any text.")],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    embedder: EmbedderOption = "static",
    k: Annotated[int, typer.Option("-k", help="How many memories.")] = 10,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", "-s", help="Exactly this scope; repeatable.")
    ] = None,
    under: Annotated[
        list[str] | None, typer.Option("--under", help="This scope and all below; repeatable.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="turn, belief, skill, …; repeatable.")
    ] = None,
    as_of: AsOfOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", help="Leave out hits below; they are counted.")
    ] = None,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Go on where this answer (--json) was cut.")
    ] = None,
    archived: Annotated[
        bool, typer.Option("--archived", help="Search the cold archive as well.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", "-x", help="Show every term of every score.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show whole memories.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Recall what matters for a question now, best first.

    A DATE is a year, a month, a day (all of it, UTC) or an instant with its offset.

    For example:

      scrubjay recall "which database holds the metrics?" -k 3 --explain

      scrubjay recall "report format" --as-of 2026-03-10

      scrubjay recall "stalled worker" --json | jq '.hits[0].content'
    """
    from scrubjay.serve.values import answer_values

    with open_memory(directory, tenant=tenant, embedder=embedder) as memory:
        answer = memory.recall(
            query,
            k,
            scope=scope or None,
            under=under or None,
            kinds=kind or None,
            since=None if since is None else instant_at("--since", since),
            until=None if until is None else instant_end("--until", until) + 1,
            as_of=None if as_of is None else instant_end("--as-of", as_of),
            min_score=min_score,
            include_archived=archived,
            cursor=cursor,
        )
    if as_json:
        print_json({"query": query, **answer_values(answer)})
        return
    screen = console()
    for rank, hit in enumerate(answer, start=1):
        print_hit(screen, rank, hit, explain=explain, limit=None if full else SHOWN_CHARS)
    screen.print(_closing(answer), style="dim", soft_wrap=True)


def print_hit(
    screen: Console, rank: int, hit: Hit, *, explain: bool, limit: int | None = SHOWN_CHARS
) -> None:
    """Print one hit: a heading line, the text, and the terms of its score if asked."""
    from rich.text import Text

    engram = hit.engram
    head = Text(f"{rank:>2}  {hit.score:.3f}  ", style="bold")
    head.append(f"{minute(engram.event_us)}  {source_of(hit)}", style="not bold cyan")
    print_indented(screen, head, 0, hang=4)
    text = clean(engram.content) if limit is None else one_line(engram.content, limit)
    print_indented(screen, text, 4)
    if explain:
        print_indented(screen, clean(hit.why()), 4, style="dim")


def source_of(hit: Hit) -> str:
    """Return who said a hit and how far that may be trusted, in a few words."""
    engram = hit.engram
    provenance = engram.provenance
    who = provenance.principal or provenance.role.value
    trust = "untrusted " if provenance.plane.name == "OBSERVED" else ""
    place = "/".join(part for part in (engram.scope, provenance.session) if part)
    cold = ", from the archive" if hit.source == "archive" else ""
    return one_line(f"{trust}{engram.kind.name.lower()} of {who} in {place}{cold}", 120)


def _closing(answer: Recall) -> str:
    """Return the line under the hits: what the answer promises and what it left out."""
    if answer.unknown_scope:
        return f"nothing was ever written in {', '.join(answer.unknown_scopes)}"
    parts = [count(len(answer), "hit")]
    if answer.abstained:
        parts = ["no memory speaks to this question"]
    parts.append("certified" if answer.certified else "not certified")
    if answer.filtered:
        parts.append(f"{answer.filtered} under the threshold")
    if answer.truncated:
        parts.append("more exist: raise -k, or pass --cursor")
    return " · ".join(parts)
