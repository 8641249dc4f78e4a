"""Plots of a comparison, each as SVG and PNG: recall and speed, filters, churn.

The same results give the same SVG bytes.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "scrubjay"
mpl.rcParams["svg.fonttype"] = "none"

from matplotlib import pyplot as plt  # noqa: E402 (the backend is chosen first)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

COLOURS = {
    "scrubjay": "#1f5fa8",
    "faiss": "#c8553d",
    "usearch": "#588157",
    "hnswlib": "#7b5ea7",
    "voyager": "#b8860b",
    "numba": "#777777",
    "sqlite-vec": "#444444",
}
STYLES = ("-", "--", ":", "-.")


def style(name: str, seen: dict[str, int]) -> dict[str, Any]:
    """Return colour by library and dashes by storage form."""
    library = name.split(maxsplit=1)[0]
    seen[library] = seen.get(library, -1) + 1
    return {
        "color": COLOURS.get(library, "#000000"),
        "linestyle": STYLES[seen[library] % len(STYLES)],
        "linewidth": 2.2 if library == "scrubjay" else 1.3,
    }


def keep(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write one figure in both forms."""
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = folder / f"{name}.svg", folder / f"{name}.png"
    figure.savefig(svg, metadata={"Date": None}, bbox_inches="tight")
    figure.savefig(png, dpi=144, metadata={"Software": None}, bbox_inches="tight")
    plt.close(figure)
    return [svg, png]


def by_name(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(row["name"], []).append(row)
    return grouped


def curves(points: list[dict[str, Any]], title: str) -> Figure:
    """Return recall against queries per second, one line a library and form."""
    figure, axes = plt.subplots(figsize=(8, 5))
    seen: dict[str, int] = {}
    for name, own in by_name(points).items():
        look = style(name, seen)
        marker = "o" if len(own) == 1 else "."
        axes.plot([p["recall"] for p in own], [p["qps"] for p in own], marker, **look, label=name)
    axes.set_yscale("log")
    axes.set_xlabel("recall@10")
    axes.set_ylabel("queries per second of processor time, one thread")
    axes.set_xlim(max(0.6, min(p["recall"] for p in points) - 0.01), 1.002)
    finish(axes, title)
    return figure


def bars(rows: list[dict[str, Any]], title: str) -> Figure:
    """Return recall and speed under every filter, at the first ef that was tried."""
    filters = list(dict.fromkeys((row["share"], row["layout"]) for row in rows))
    first = {}
    for row in rows:
        first.setdefault((row["name"], row["share"], row["layout"]), row)
    names = list(by_name(rows))
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(10, 7), sharex=True)
    width, seen = 0.8 / len(names), dict[str, int]()
    for at, name in enumerate(names):
        colour = style(name, seen)["color"]
        look = {"color": colour, "alpha": 1 - 0.2 * min(3, seen[name.split(maxsplit=1)[0]])}
        places = [n + (at - len(names) / 2) * width for n in range(len(filters))]
        own = [first.get((name, *each)) for each in filters]
        top.bar(places, [row["recall"] if row else 0 for row in own], width, label=name, **look)
        bottom.bar(places, [row["qps"] if row else 0 for row in own], width, **look)
    bottom.set_yscale("log")
    bottom.set_xticks(range(len(filters)), [f"{s * 100:g} % {layout}" for s, layout in filters])
    top.set_ylabel("recall@10")
    bottom.set_ylabel("queries per second")
    finish(top, title)
    return figure


def churn(rows: list[dict[str, Any]], title: str) -> Figure:
    """Return recall and memory over the rounds."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
    seen: dict[str, int] = {}
    for row in rows:
        look = style(row["name"], seen)
        grown = [size / row["memory"][0] for size in row["memory"]]
        left.plot(row["looked"], row["recalls"], ".", **look)
        right.plot(row["looked"], grown, ".", **look, label=row["name"])
    left.set_ylabel("recall@10, ef 64")
    right.set_ylabel("memory over that of the first build")
    for axes in (left, right):
        axes.set_xlabel("rounds of a quarter out, a quarter in")
    left.grid(visible=True, which="major", alpha=0.3)
    finish(right, title)
    return figure


def finish(axes: Axes, title: str) -> None:
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def draw(results: dict[str, Any], folder: Path) -> list[Path]:
    """Draw what the results hold and return the files written."""
    written = []
    for name, world in results["worlds"].items():
        title = f"{name}, {world['rows']:,} x {world['dim']}"
        for key, make in (("points", curves), ("filtered", bars), ("churned", churn)):
            if world.get(key):
                shown = {"points": "recall-qps", "filtered": "filter", "churned": "churn"}[key]
                written += keep(make(world[key], title), folder, f"{name}-{shown}")
    return written
