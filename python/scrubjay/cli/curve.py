"""Forgetting curves on a logarithmic time axis: as text of any width and as SVG.

Both take values that were computed elsewhere and only place them; the same values give the same
bytes.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from scrubjay.base.clock import DAY_US, HOUR_US

__all__ = ["TICKS", "Curve", "Plot", "as_svg", "as_text", "instants"]

TICKS: Final = (
    (HOUR_US, "1 h"),
    (6 * HOUR_US, "6 h"),
    (DAY_US, "1 d"),
    (7 * DAY_US, "1 w"),
    (30 * DAY_US, "1 mo"),
    (365 * DAY_US, "1 y"),
)
"""Ages that carry a label, ascending; the first and the last bound the axis."""

_COLOURS: Final = ("#b4552d", "#2d6cb4", "#3f8f4f", "#7a4fb4", "#8a7a1f", "#555555")
_GUTTER: Final = 5
"""Columns of the vertical scale: a number of four characters and a space."""


class Curve(NamedTuple):
    """One line: ``values[i]`` belongs to the i-th age of the plot; ``mark`` draws it as text."""

    name: str
    mark: str
    values: tuple[float, ...]


class Plot(NamedTuple):
    """Curves over the same ages, and the level under which a memory is let go."""

    ages_us: tuple[int, ...]
    curves: tuple[Curve, ...]
    threshold: float
    top: float


def instants(count: int) -> tuple[int, ...]:
    """Return ``count`` ages from the first to the last tick, evenly spaced on the log axis.

    >>> instants(2) == (TICKS[0][0], TICKS[-1][0])
    True
    """
    low, high = math.log(TICKS[0][0]), math.log(TICKS[-1][0])
    return tuple(round(math.exp(low + (high - low) * i / (count - 1))) for i in range(count))


def as_text(plot: Plot, *, width: int, height: int) -> list[str]:
    """Return the plot as ``height`` lines and two lines of axis, none wider than ``width``."""
    columns = width - _GUTTER
    cells = [[" "] * columns for _ in range(height)]
    level = _row(plot.threshold, plot.top, height)
    cells[level] = ["┄"] * columns
    for curve in plot.curves:
        for column in range(columns):
            value = curve.values[round(column * (len(curve.values) - 1) / (columns - 1))]
            cells[_row(value, plot.top, height)][column] = curve.mark
    lines = []
    for number, row in enumerate(cells):
        labelled = number in {0, level, height - 1}
        value = plot.threshold if number == level else plot.top * (1 - number / (height - 1))
        label = f"{value:.2f} " if labelled else " " * _GUTTER
        lines.append((label + "".join(row)).rstrip())
    return [*lines, " " * _GUTTER + "─" * columns, _axis(columns)]


def as_svg(plot: Plot, *, title: str, width: int = 760, height: int = 380) -> str:
    """Return the plot as a stand-alone SVG document."""
    left, right, top, bottom = 50, 140, 40, 40
    inner_width, inner_height = width - left - right, height - top - bottom

    def x_of(age_us: int) -> float:
        return left + inner_width * _share(age_us)

    def y_of(value: float) -> float:
        return top + inner_height * (1 - value / plot.top)

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
        ),
        f'<title>{title}</title><rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="22" font-size="14">{title}</text>',
    ]
    parts += [
        f'<path d="M{x_of(age_us):.1f} {top}V{height - bottom}" stroke="#e4e4e4"/>'
        f'<text x="{x_of(age_us):.1f}" y="{height - bottom + 18}" '
        f'text-anchor="middle">{label}</text>'
        for age_us, label in TICKS
    ]
    parts += [
        f'<text x="{left - 8}" y="{y_of(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>'
        for value in (0.0, plot.threshold, plot.top)
    ]
    y = y_of(plot.threshold)
    parts.append(
        f'<path d="M{left} {y:.1f}H{left + inner_width}" stroke="#999999" stroke-dasharray="4 4"/>'
    )
    for number, curve in enumerate(plot.curves):
        points = " ".join(
            f"{x_of(age_us):.1f},{y_of(value):.1f}"
            for age_us, value in zip(plot.ages_us, curve.values, strict=True)
        )
        colour = _COLOURS[number % len(_COLOURS)]
        end_y = y_of(curve.values[-1]) + 4
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{left + inner_width + 8}" y="{end_y:.1f}" fill="{colour}">'
            f"{curve.name}</text>"
        )
    return "\n".join([*parts, "</svg>\n"])


def _share(age_us: int) -> float:
    """Return where an age lies on the axis, 0 at its start and 1 at its end."""
    low, high = math.log(TICKS[0][0]), math.log(TICKS[-1][0])
    return (math.log(age_us) - low) / (high - low)


def _row(value: float, top: float, height: int) -> int:
    """Return the line of a value, 0 at the top; what lies outside is drawn at the edge."""
    return min(height - 1, max(0, round((1 - value / top) * (height - 1))))


def _axis(columns: int) -> str:
    line = [" "] * (columns + _GUTTER)
    for age_us, label in TICKS:
        at = _GUTTER + round(_share(age_us) * (columns - 1))
        start = max(_GUTTER, min(at - len(label) // 2, len(line) - len(label)))
        line[start : start + len(label)] = label
    return "".join(line).rstrip()
