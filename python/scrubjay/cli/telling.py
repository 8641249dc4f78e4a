"""The demo's telling: what the store holds after five weeks, in a terminal of 80 columns.

Nothing here knows the story. Every line is read from the memory at the moment of printing, so
another set of sessions gives another telling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from rich.console import Console
from rich.text import Text

from scrubjay.activation.retention import SCHEDULES
from scrubjay.base.clock import DAY_US
from scrubjay.base.provenance import Plane
from scrubjay.base.trace import Category, Engram, State
from scrubjay.cli.agenda import due_table
from scrubjay.cli.beliefs import facts_table, print_skill
from scrubjay.cli.curve import as_svg, as_text
from scrubjay.cli.forgetting import MARKS, forgetting, let_go_after_us
from scrubjay.cli.recall import print_hit
from scrubjay.cli.screen import (
    clean,
    count,
    day,
    one_line,
    plain_table,
    print_indented,
    print_table,
    span,
)
from scrubjay.cli.story import Day
from scrubjay.memory import Memory
from scrubjay.systems.semantic import Belief

__all__ = ["WIDTH", "changed", "tell"]

WIDTH: Final = 80
EXPLAINED: Final = "What does the metrics store use?"
ASKED: Final = (
    "Where should the weekly report be sent?",
    "May I restart the billing service?",
    "How do I repair a stalled queue worker?",
)
CURVE_HEIGHT: Final = 13
QUOTE_CHARS: Final = 150


def tell(screen: Console, memory: Memory, days: Sequence[Day], place: Path) -> None:
    """Print the whole telling and write the forgetting curve beside the memory."""
    chapters: tuple[tuple[str, Callable[[], None]], ...] = (
        ("What went in, and what each sleep made of it", lambda: _days(screen, days)),
        ("What was kept and what faded", lambda: _kept(screen, memory, place)),
        ("What was believed before, and after", lambda: _believed(screen, memory)),
        ("Which skill came out", lambda: _skills(screen, memory)),
        ("What was refused, and why", lambda: _refused(screen, memory, days)),
        ("What is due", lambda: _due(screen, memory)),
        ("What it answers", lambda: _answers(screen, memory)),
    )
    lived_us = days[-1].slept_us - days[0].slept_us
    lived = count(round(lived_us / DAY_US), "day")
    screen.print(Text(f"{lived} of an agent's life, told from its memory", style="bold"))
    for number, (title, chapter) in enumerate(chapters, start=1):
        screen.print()
        screen.rule(Text(f"{number}. {title}", style="bold"), align="left", style="dim")
        chapter()
    _next(screen, place)


def changed(beliefs: Sequence[Belief]) -> list[Belief]:
    """Return the timelines in which a statement ended, in order, denials left out."""
    ended = {_timeline(belief) for belief in beliefs if belief.valid_to_us is not None}
    return [b for b in beliefs if _timeline(b) in ended and not b.negated]


def _days(screen: Console, days: Sequence[Day]) -> None:
    table = plain_table(
        ("sleep after", "turns", "beliefs", "closed", "skills", "archived", "refused")
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for one in days:
        report = one.report
        cells = (
            one.turns,
            report.beliefs_new,
            report.beliefs_closed,
            report.skills,
            report.archived,
            len(report.refused),
        )
        name = one.session or f"{day(one.slept_us)} (waking up)"
        table.add_row(name, *(f"{cell:,}" if cell else "" for cell in cells))
    print_table(screen, table)
    turns = sum(one.turns for one in days)
    first, last = days[0].slept_us, days[-1].slept_us
    _say(
        screen,
        f"{count(turns, 'turn')} in {count(sum(bool(d.session) for d in days), 'session')}, "
        f"{count(len(days), 'sleep cycle')}, from {day(first)} to {day(last)}.",
    )


def _kept(screen: Console, memory: Memory, place: Path) -> None:
    rows = list(memory.engrams(include_archived=True))
    kept: Counter[Category] = Counter(r.category for r in rows if r.state is not State.ARCHIVED)
    cold: Counter[Category] = Counter(r.category for r in rows if r.state is State.ARCHIVED)
    table = plain_table(("", "memories of", "in mind", "archived", "half-life", "let go after"))
    for column in table.columns[2:]:
        column.justify = "right"
    for category, schedule in sorted(SCHEDULES.items()):
        gone_us = let_go_after_us(category)
        table.add_row(
            MARKS[category],
            category.name.lower(),
            f"{kept[category]:,}",
            f"{cold[category]:,}",
            "never fades" if schedule.half_life_us is None else span(schedule.half_life_us),
            "never" if gone_us is None else span(gone_us),
        )
    print_table(screen, table)
    _say(screen, "Retention of a memory that nobody uses, over its age:")
    plot = forgetting()
    for line in as_text(plot, width=WIDTH - 4, height=CURVE_HEIGHT):
        screen.print(Text("  " + line))
    (place / "forgetting.svg").write_text(
        as_svg(plot, title="Retention of a memory that nobody uses"), encoding="utf-8"
    )
    _say(
        screen,
        f"Under {plot.threshold:.2f} a consolidated memory moves to the archive, where it can "
        f"still be found. The same curves: {place / 'forgetting.svg'}",
    )


def _believed(screen: Console, memory: Memory) -> None:
    held = memory.beliefs.facts(include_past=True)
    said = [belief for belief in held if belief.plane is Plane.USER]
    moved = changed(said)
    if moved:
        facts_table(screen, moved)
    others = [b for b in said if b.current and _timeline(b) not in {_timeline(m) for m in moved}]
    _say(
        screen,
        f"What ended keeps its dates; nothing was overwritten. "
        f"{count(len(others), 'other belief')} of the operator:",
    )
    for belief in others:
        maybe = "maybe: " if belief.hedged else ""
        verb = belief.predicate.replace("_", " ")
        print_indented(
            screen, clean(f"- {maybe}{belief.subject} {verb} {belief.object}"), 4, hang=2
        )
    _say(
        screen,
        f"{count(len(held) - len(said), 'statement')} of tools are kept apart, as observed; they "
        "never close what a person said.",
    )


def _skills(screen: Console, memory: Memory) -> None:
    found = memory.skills.all()
    for skill in found:
        print_skill(screen, skill)
    _say(
        screen,
        "A skill is text with typed parameters; this library never runs one."
        if found
        else "no skill came out",
    )


def _refused(screen: Console, memory: Memory, days: Sequence[Day]) -> None:
    if not any(one.report.refused for one in days):
        _say(screen, "nothing was refused")
    for one in days:
        for refusal in one.report.refused:
            row = memory.engram(refusal.engram)
            source = row.provenance
            print_indented(screen, f"{one.session}: {clean(refusal.reason)}", 2, hang=2)
            print_indented(screen, f"“{one_line(row.content, QUOTE_CHARS)}”", 4, style="italic")
            _say(
                screen,
                f"kept as {row.kind.name.lower()} of {source.principal or source.role.value}, "
                f"plane {source.plane.name.lower()}, authority {source.authority.name.lower()}; "
                f"drawn from it: {_drawn_from(memory, row)}",
                indent=4,
            )


def _due(screen: Console, memory: Memory) -> None:
    waiting = memory.intentions.waiting()
    if waiting:
        due_table(screen, waiting)
    else:
        _say(screen, "nothing is due")


def _answers(screen: Console, memory: Memory) -> None:
    screen.print(Text(f"  {EXPLAINED}", style="bold"))
    for rank, hit in enumerate(memory.recall(EXPLAINED, 3), start=1):
        print_hit(screen, rank, hit, explain=True, limit=QUOTE_CHARS)
    for question in ASKED:
        screen.print()
        screen.print(Text(f"  {question}", style="bold"))
        for rank, hit in enumerate(memory.recall(question, 2), start=1):
            print_hit(screen, rank, hit, explain=False, limit=QUOTE_CHARS)


def _next(screen: Console, place: Path) -> None:
    screen.print()
    screen.rule(Text("Try next", style="bold"), align="left", style="dim")
    where = quote(str(place / "memory"))
    lines = (
        f"scrubjay recall 'why was the drain repeated?' --explain --dir {where}",
        f"scrubjay facts --history --dir {where}",
        f"scrubjay doctor --dir {where}",
        "scrubjay ingest YOUR-SESSIONS.jsonl --dir my.memory",
    )
    for line in lines:
        screen.print(Text(f"  {line}"), soft_wrap=True)


def _say(screen: Console, text: str, *, indent: int = 2) -> None:
    print_indented(screen, text, indent, style="dim")


def _timeline(belief: Belief) -> tuple[str, str, str]:
    return (belief.scope, belief.subject, belief.predicate)


def _drawn_from(memory: Memory, row: Engram) -> str:
    """Count what has a row among its parents, by kind."""
    kinds = Counter(
        child.kind.name.lower()
        for child in memory.engrams(include_archived=True)
        if row.id in child.provenance.parents
    )
    return ", ".join(count(number, kind) for kind, number in sorted(kinds.items())) or "nothing"
