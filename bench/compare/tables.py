"""Tables of a comparison: aligned for the terminal, Markdown for the documentation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A title, heads, and cells that are text already."""

    title: str
    heads: tuple[str, ...]
    cells: list[tuple[str, ...]]

    def text(self) -> str:
        """Return the table for a terminal."""
        lines = [self.heads, *self.cells]
        width = [max(len(line[at]) for line in lines) for at in range(len(self.heads))]
        shown = ("  ".join(self._padded(line, width)) for line in lines)
        return "\n".join([f"\n{self.title}", *(line.rstrip() for line in shown)])

    def markdown(self) -> str:
        """Return the table for a page."""
        rule = tuple("---" if at == 0 else "---:" for at in range(len(self.heads)))
        lines = ["| " + " | ".join(line) + " |" for line in (self.heads, rule, *self.cells)]
        return "\n".join([f"**{self.title}**", "", *lines, ""])

    @staticmethod
    def _padded(line: tuple[str, ...], width: list[int]) -> list[str]:
        numbers = zip(line[1:], width[1:], strict=True)
        return [line[0].ljust(width[0]), *(cell.rjust(at) for cell, at in numbers)]


def table(title: str, rows: Iterable[Row], columns: dict[str, Callable[[Row], str]]) -> Table:
    """Return a table of the rows; a column is a head and how it shows a row."""
    cells = [tuple(show(row) for show in columns.values()) for row in rows]
    return Table(title, tuple(columns), cells)


def number(key: str, form: str = ",.0f", *, scale: float = 1) -> Callable[[Row], str]:
    """Return how a column shows one number of a row; 0 speed or ef is shown as a dash."""
    return lambda row: format(row[key] * scale, form) if row[key] else "-"


def exact(key: str, form: str = ".3f") -> Callable[[Row], str]:
    """Return how a column shows a number whose 0 is a value."""
    return lambda row: format(row[key], form)


def word(key: str) -> Callable[[Row], str]:
    return lambda row: str(row[key])
