"""What a run says: tables of its results, ratios first, and the page part for the documentation.

``results`` is what run.py writes as JSON: a page can be rendered again from the file alone.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.compare.tables import Row, Table, exact, number, table, word

Results = dict[str, Any]

BEGIN = "<!-- begin: written by ./dev bench-compare --page -->"
END = "<!-- end -->"
"""What ``included`` writes between."""


def of_best(row: Row) -> str:
    return f"{row['of_best']:.2f} x" if row["ef"] else "not reached"


def _speed(world: str, mode: str, target: float, rows: list[Row]) -> Table:
    chosen = [row for row in rows if (row["mode"], row["target"]) == (mode, target)]
    title = f"{world}: queries/s at recall@10 = {target:g}, {mode}, one thread"
    columns = {
        "library": word("name"),
        "of best peer": of_best,
        "queries/s": number("qps"),
        "ef": number("ef", "d"),
        "recall": exact("recall"),
    }
    return table(title, chosen, columns)


def _builds(world: str, rows: list[Row]) -> Table:
    best: dict[tuple[int, int], float] = {}
    for row in rows:
        if not row["name"].startswith(("scrubjay", "numba", "sqlite-vec")):
            at = (row["threads"], row["rows"])
            best[at] = min(best.get(at, row["processor"]), row["processor"])

    def over_best(row: Row) -> str:
        least = best.get((row["threads"], row["rows"]))
        return f"{row['processor'] / least:.2f} x" if least else "-"

    columns = {
        "library": word("name"),
        "of best peer": over_best,
        "CPU s": exact("processor", ".1f"),
        "wall s": exact("wall", ".1f"),
        "threads": word("threads"),
        "rows": exact("rows", ",d"),
        "MB": number("memory", ",.0f", scale=1e-6),
    }
    ordered = sorted(rows, key=lambda row: (row["threads"], row["processor"]))
    return table(f"{world}: build", ordered, columns)


def _filters(world: str, rows: list[Row]) -> Table:
    """One line a library and ef; a cell is recall, results of 10, queries/s."""
    filters = list(dict.fromkeys((row["share"], row["layout"]) for row in rows))
    lines: dict[tuple[str, int], dict[tuple[float, str], str]] = {}
    for row in rows:
        cell = f"{row['recall']:.3f} {row['results']:4.1f} {row['qps']:7,.0f}"
        lines.setdefault((row["name"], row["ef"]), {})[row["share"], row["layout"]] = cell
    heads = ("library", "ef", *(f"{share * 100:g} % {layout}" for share, layout in filters))
    cells = [
        (name, str(ef), *(line.get(each, "") for each in filters))
        for (name, ef), line in lines.items()
    ]
    title = f"{world}: filtered, one thread; recall, results of 10, queries/s"
    return Table(title, heads, cells)


def _churn(world: str, rows: list[Row]) -> Table:
    columns = {
        "library": word("name"),
        "recall lost": exact("loss", "+.4f"),
        "memory": lambda row: f"{row['growth']:.2f} x",
        "ghosts": word("ghosts"),
        "changes/s": number("changes_per_second"),
        "recall": lambda row: f"{row['recalls'][-1]:.3f}",
        "built afresh": exact("fresh"),
        "rows": exact("rows", ",d"),
        "rounds": word("rounds"),
    }
    ordered = sorted(rows, key=lambda row: row["loss"])
    return table(f"{world}: churn, a quarter out and a quarter in each round", ordered, columns)


def _composite(world: str, rows: list[Row]) -> Table:
    columns = {
        "world": word("world"),
        "at": word("instant"),
        "of plain": lambda row: f"{row['cost']:.2f} x",
        "over-fetch/ours": lambda row: f"{row['overfetch_cost']:.1f} x",
        "recall": exact("recall", ".4f"),
        "certified": exact("certified"),
        "right": exact("certified_right", ".4f"),
        "bound met": exact("bound_met"),
        "right ": exact("bound_right", ".4f"),
        "either": exact("either"),
        "3k recall": exact("overfetch_3k"),
        "list needed": exact("needed", ",d"),
        "storage": word("storage"),
    }
    peer = rows[0]["peer"] if rows else "none"
    return table(f"{world}: composite top-10 (over-fetch by {peer})", rows, columns)


def _opened(row: Row) -> Table:
    columns = {
        "build/open": lambda row: f"{row['build_over_open']:,.0f} x",
        "memory/need": exact("memory_over_need"),
        "open s": exact("open", ".4f"),
        "save s": exact("save", ".2f"),
        "file MB": number("file_bytes", ",.0f", scale=1e-6),
    }
    return table("scrubjay's file", [row], columns)


def tables(results: Results) -> list[Table]:
    """Return every table of the results, in the order of the measures."""
    shown = []
    for name, world in results["worlds"].items():
        title = f"{name} {world['rows']:,} x {world['dim']}"
        for target in sorted({row["target"] for row in world.get("tuned", ())}, reverse=True):
            modes = ("batch", "one by one")
            shown += [_speed(title, mode, target, world["tuned"]) for mode in modes]
        for key, make in (
            ("built", _builds),
            ("filtered", _filters),
            ("churned", _churn),
            ("composed", _composite),
        ):
            if world.get(key):
                shown.append(make(title, world[key]))
        if world.get("opened"):
            shown.append(_opened(world["opened"]))
    return shown


def conditions(results: Results) -> str:
    """Return the paragraph that names machine, versions, worlds and the command."""
    machine, versions = results["machine"], results["versions"]
    worlds = (
        f"{name} {world['rows']:,} x {world['dim']}, {world['queries']:,} queries, mean cosine of "
        f"the 1st and 10th neighbour {world['cosines'][0]:.3f} and {world['cosines'][1]:.3f}"
        for name, world in results["worlds"].items()
    )
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['instruction set']}, "
        f"{machine['system']}; load before the run {machine['load']}. "
        + ", ".join(f"{library} {version}" for library, version in versions.items())
        + f". M 32, ef of construction 200. Worlds: {'; '.join(worlds)}. "
        + f"Command: `{results['command']}`."
    )


def page(results: Results, plots: Iterable[str] = ()) -> str:
    """Return the Markdown that docs/engine.md includes: conditions, plots, then every table."""
    pictures = [f"![{Path(plot).stem}]({plot})\n" for plot in plots]
    parts = [conditions(results), "", *pictures, *(made.markdown() for made in tables(results))]
    return "\n".join(parts)


def included(text: str, part: str) -> str:
    """Return a page whose text between ``BEGIN`` and ``END`` is the part.

    Raises:
        ValueError: The page has not exactly one pair of marks.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in after or END in after:
        message = f"page has no single pair of marks, expected {BEGIN!r} and {END!r} once each"
        raise ValueError(message)
    return f"{before}{BEGIN}\n\n{part.strip()}\n\n{END}{after}"
