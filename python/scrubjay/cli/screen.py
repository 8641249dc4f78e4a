"""What commands print: plain in a pipe, readable in 80 columns, complete as JSON.

Stored text may carry control characters (a tool's output is not ours); they are shown as a
replacement mark, so that no memory can move the cursor or recolour the terminal.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

from scrubjay.base.clock import DAY_US, HOUR_US, MINUTE_US, SECOND_US, format_us

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from scrubjay.serve.values import Json

__all__ = [
    "clean",
    "console",
    "count",
    "day",
    "minute",
    "one_line",
    "plain_table",
    "print_fields",
    "print_indented",
    "print_json",
    "print_table",
    "span",
    "waiting",
]

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_MISLEADING: Final = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\u202a-\\u202e\\u2066-\\u2069]"
)
"""Controls but tab and newline, lone surrogates, and marks that reorder a whole line."""


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Return a console that colours only a terminal and never guesses at highlights."""
    from rich.console import Console

    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


def clean(text: str) -> str:
    r"""Return stored text with every character that could drive a terminal made visible.

    >>> clean("a\x1b[31mred") == "a\N{REPLACEMENT CHARACTER}[31mred"
    True
    """
    return _MISLEADING.sub(_REPLACEMENT, text)


def one_line(text: str, limit: int) -> str:
    r"""Return stored text on one line of at most ``limit`` characters.

    >>> one_line("two\nlines", 20)
    'two lines'
    >>> one_line("a longer text", 8)
    'a longe…'
    """
    flat = " ".join(clean(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def day(us: int | None) -> str:
    """Return the UTC day of an instant, or a dash where it is unknown.

    >>> day(0), day(None)
    ('1970-01-01', '—')
    """
    return "—" if us is None else format_us(us)[:10]


def minute(us: int | None) -> str:
    """Return an instant to the minute, UTC, or a dash.

    >>> minute(0)
    '1970-01-01 00:00Z'
    """
    return "—" if us is None else format_us(us)[:16].replace("T", " ") + "Z"


def span(us: int) -> str:
    """Return a length of time in its largest sensible unit.

    >>> span(90_000_000), span(3 * 86_400_000_000)
    ('1.5 min', '3 d')
    """
    size = abs(us)
    for unit_us, name in ((DAY_US, "d"), (HOUR_US, "h"), (MINUTE_US, "min"), (SECOND_US, "s")):
        if size >= unit_us:
            return f"{us / unit_us:.1f}".removesuffix(".0") + f" {name}"
    return f"{us} µs" if us else "0 s"


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "memory"), count(2, "memory"), count(1200, "turn")
    ('1 memory', '2 memories', '1,200 turns')
    """
    if number == 1:
        return f"1 {noun}"
    changes = noun.endswith("y") and noun[-2] not in "aeiou"
    plural = noun[:-1] + "ies" if changes else noun + "s"
    return f"{number:,} {plural}"


def plain_table(headings: Sequence[str], *, title: str | None = None) -> Table:
    """Return an empty table in the house style; long cells fold, nothing is cut off."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(
        box=SIMPLE_HEAD,
        title=title,
        title_justify="left",
        pad_edge=False,
        collapse_padding=True,
    )
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def print_indented(
    screen: Console, text: str | Text, indent: int, *, style: str = "", hang: int = 0
) -> None:
    """Print text wrapped to the screen, every line indented, later lines by ``hang`` more."""
    from rich.text import Text

    body = text if isinstance(text, Text) else Text(text, style=style)
    for number, line in enumerate(body.wrap(screen, screen.width - indent - hang)):
        line.rstrip()
        margin = indent if number == 0 else indent + hang
        screen.print(Text(" " * margin).append_text(line), no_wrap=True, crop=False)


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Show on stderr what one waits for, if it is a terminal; yield a way to update it."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda _news: None
        return
    with screen.status(what) as status:
        yield status.update


def print_json(value: Json) -> None:
    """Print one JSON document, keys in the order given, escaped only where stdout is not UTF."""
    encoding = (sys.stdout.encoding or "ascii").lower()
    typer.echo(json.dumps(value, ensure_ascii=not encoding.startswith("utf"), indent=2))


def print_table(screen: Console, table: Table) -> None:
    """Print a table without the blanks that rich leaves around it."""
    from rich.text import Text

    lines = [
        Text.assemble(*((segment.text, segment.style or "") for segment in line))
        for line in screen.render_lines(table, pad=False)
    ]
    for line in lines:
        line.rstrip()
        if line:
            screen.print(line, no_wrap=True, crop=False)


def print_fields(screen: Console, title: str, values: dict[str, Json]) -> None:
    """Print a report as names and values; nested fields get dotted names, lists their length."""
    from rich.table import Table
    from rich.text import Text

    screen.print(Text(clean(title), style="bold"), soft_wrap=True)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, value in _leaves("", values):
        table.add_row(f"  {name}", value)
    print_table(screen, table)


def _leaves(prefix: str, values: dict[str, Json]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, value in values.items():
        label = f"{prefix}{name}".replace("_", " ")
        if isinstance(value, dict):
            rows.extend(_leaves(f"{label}: ", value))
        elif isinstance(value, list):
            rows.append((label, f"{len(value):,}"))
        elif isinstance(value, bool):
            rows.append((label, "yes" if value else "no"))
        elif isinstance(value, int) and name.endswith("_us"):
            rows.append((label.removesuffix(" us"), minute(value)))
        elif isinstance(value, int | float):
            rows.append((label, f"{value:,}"))
        else:
            rows.append((label, "—" if value is None else clean(value)))
    return rows
