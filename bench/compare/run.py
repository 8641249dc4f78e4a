"""scrubjay beside its peers, in one run; prints tables, writes plots and results, fails nothing.

    python bench/compare/run.py                                  # 100,000 x 256, all measures
    python bench/compare/run.py --quick                          # 10,000 rows, about two minutes
    python bench/compare/run.py --worlds static minilm --measures build curve
    python bench/compare/run.py --large                          # a million rows, i8
    python bench/compare/run.py --render build/bench-compare/results.json --page docs/engine.md

Measures: build, curve (recall and speed, tuned speed), filters, churn, composite; large apart. One
thread unless a row says otherwise, processor time, inner product on unit vectors, M 32, ef of
construction 200 for every graph. Everything goes to build/bench-compare/, embeddings of real texts
to build/bench-cache/.
"""

import argparse
import json
import os
import shlex
import sys
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.compare import machine, report
from bench.compare.peers import FORMS, Contender, missing_libraries
from bench.compare.worlds import ROOT, World, clustered, real

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
# A thread of OpenMP that waits by spinning would count as work.
ONE_THREAD["OMP_WAIT_POLICY"] = "passive"
OVERRIDES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""With these set, OpenBLAS would not be the peer that users have."""

MEASURES = ("build", "curve", "filters", "churn", "composite")
TARGETS = (0.99, 0.95)
CHURNED = ("scrubjay f32", "scrubjay i8", "faiss f32", "usearch f32", "hnswlib f32", "voyager f32")
FILTERED = (
    *("scrubjay f32", "scrubjay f16", "scrubjay i8", "faiss f32", "faiss sq8+refine"),
    *("usearch f32", "hnswlib f32", "voyager f32", "sqlite-vec f32", "numba f32"),
)
COMPOSED = ("f32", "i8")
LARGE = ("scrubjay i8 alone", "faiss sq8+refine", "hnswlib f32")


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench-compare", description=__doc__.split("\n")[0])
    parser.add_argument("--worlds", nargs="+", default=["clustered", "static", "minilm"])
    parser.add_argument("--measures", nargs="+", default=list(MEASURES), choices=MEASURES)
    parser.add_argument("--libraries", nargs="+", help="only names that contain one of these")
    parser.add_argument("--rows", type=int, default=100_000, help="of the clustered world")
    parser.add_argument("--dim", type=int, default=256, help="of the clustered world")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--threaded-rows", type=int, default=25_000, help="rows built on 2 threads")
    parser.add_argument("--churn-rows", type=int, default=5000)
    parser.add_argument("--churn-rounds", type=int, default=50)
    parser.add_argument("--composite-queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7, help="of the tuned race")
    parser.add_argument("--quick", action="store_true", help="small sizes for all of these")
    parser.add_argument("--large", action="store_true", help="only the large world")
    parser.add_argument("--large-rows", type=int, default=1_000_000)
    parser.add_argument("--render", type=Path, help="print the tables of a results file again")
    parser.add_argument("--page", type=Path, help="write the tables into this page, too")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench-compare")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "bench-cache")
    chosen = parser.parse_args(given)
    if chosen.quick:
        chosen.worlds = [name for name in chosen.worlds if name != "minilm"]
        chosen.rows, chosen.queries, chosen.threaded_rows = 10_000, 300, 5000
        chosen.churn_rows, chosen.churn_rounds = 1000, 12
        chosen.composite_queries, chosen.rounds = 50, 3
    chosen.command = shlex.join(
        ["./dev", "bench-compare", *(sys.argv[1:] if given is None else given)]
    )
    return chosen


def names_of(chosen: argparse.Namespace, names: tuple[str, ...]) -> list[str]:
    """Return the contenders asked for, in the order of the tables."""
    words = chosen.libraries
    return [n for n in names if n in FORMS and (not words or any(w in n for w in words))]


def world_named(name: str, chosen: argparse.Namespace) -> World:
    if name == "clustered":
        return clustered(chosen.rows, chosen.dim, chosen.queries)
    return real(name, chosen.cache).asked(chosen.queries)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measured(world: World, chosen: argparse.Namespace) -> dict[str, object]:
    """Return what was asked for about one world; each result is a list of rows."""
    from bench.compare.measures.build import build, build_threaded
    from bench.compare.measures.curve import curve, race
    from bench.compare.measures.filters import filtered

    found: dict[str, list[object]] = {"built": [], "points": [], "tuned": [], "filtered": []}
    contenders: list[Contender] = []
    # Each library is built once, on one thread, whatever is measured then.
    if {"build", "curve", "filters", "composite"} & set(chosen.measures):
        for name in names_of(chosen, tuple(FORMS)):
            say(f"  {world.name}: building {name}")
            contenders.append(FORMS[name]())
            found["built"].append(build(contenders[-1], world.rows))
    if "curve" in chosen.measures:
        say(f"  {world.name}: curves")
        for contender in contenders:
            found["points"] += curve(contender, world)
        for target in TARGETS:
            found["tuned"] += race(contenders, world, target, rounds=chosen.rounds)
    if "filters" in chosen.measures:
        say(f"  {world.name}: filters")
        found["filtered"] += filtered([c for c in contenders if c.name in FILTERED], world)
    if "composite" in chosen.measures:
        found["composed"] = composites(world, contenders, found["tuned"], chosen)
    contenders.clear()
    if "build" in chosen.measures:
        say(f"  {world.name}: building on 1 and 2 threads")
        makers = {name: FORMS[name] for name in names_of(chosen, tuple(FORMS))}
        found["built"] += build_threaded(makers, world.rows[: chosen.threaded_rows], (1, 2))
    if "churn" in chosen.measures:
        found["churned"] = churns(world, chosen)
    return {key: [asdict(row) for row in rows] for key, rows in found.items()}


def composites(world: World, contenders, tuned, chosen: argparse.Namespace) -> list[object]:
    """Return the composite rows, over-fetched by the fastest peer that answers single queries."""
    from bench.compare.measures.composite import composed

    peers = {c.name: c for c in contenders if c.library != "scrubjay" and not c.exact}
    if not peers:
        return []
    ranked = [row.name for row in tuned if row.name in peers and row.mode == "one by one"]
    peer = peers[ranked[0] if ranked else next(iter(peers))]
    rows: list[object] = []
    for storage in COMPOSED:
        say(f"  {world.name}: composite, {storage}, over-fetch by {peer.name}")
        rows += composed(world, peer, storage, queries=chosen.composite_queries)
    return rows


def churns(world: World, chosen: argparse.Namespace) -> list[object]:
    from bench.compare.measures.churn import churned

    rows = []
    for name in names_of(chosen, CHURNED):
        say(f"  {world.name}: churn, {name}")
        found = churned(world, name, rows=chosen.churn_rows, rounds=chosen.churn_rounds)
        if found is not None:
            rows.append(found)
    return rows


def measured_large(chosen: argparse.Namespace) -> dict[str, object]:
    from bench.compare.measures.large import large

    world = clustered(chosen.large_rows, chosen.dim, chosen.queries)
    say(f"  large: {', '.join(names_of(chosen, LARGE))}")
    built, tuned, opened = large(world, names_of(chosen, LARGE))
    found = {"built": [asdict(row) for row in built], "tuned": [asdict(row) for row in tuned]}
    return {**described(world), **found, "opened": opened and asdict(opened)}


def described(world: World) -> dict[str, object]:
    rows, queries = len(world.rows), len(world.queries)
    return {"rows": rows, "dim": world.dim, "queries": queries, "cosines": world.cosines}


def show(results: report.Results, out: Path) -> list[Path]:
    """Print the tables, write results, tables and plots, and return the plots."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    (out / "tables.md").write_text(report.page(results), encoding="utf-8")
    for made in report.tables(results):
        print(made.text())
    print(f"\n{report.conditions(results)}")
    try:
        from bench.compare import plots
    except ImportError:
        say("no plots: matplotlib is not installed")
        return []
    drawn = plots.draw(results, out)
    for path in (out / "results.json", out / "tables.md", *drawn):
        print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
    return drawn


def publish(results: report.Results, plots: list[Path], page: Path) -> None:
    """Write tables and plots (SVG) into a page of the documentation, between its marks."""
    folder = page.parent / "plots"
    folder.mkdir(exist_ok=True)
    drawn = [path for path in plots if path.suffix == ".svg"]
    for path in drawn:
        (folder / path.name).write_bytes(path.read_bytes())
    part = report.page(results, [f"plots/{path.name}" for path in drawn])
    page.write_text(report.included(page.read_text(encoding="utf-8"), part), encoding="utf-8")


def main(given: list[str] | None = None) -> int:
    chosen = arguments(given)
    if chosen.render:
        results = json.loads(chosen.render.read_text(encoding="utf-8"))
    else:
        results = measured_all(chosen)
    plots = show(results, chosen.out)
    if chosen.page:
        publish(results, plots, chosen.page)
    return 0


def measured_all(chosen: argparse.Namespace) -> report.Results:
    for library in missing_libraries():
        say(f"left out: {library} (not installed; bench/compare/requirements.txt)")
    results: report.Results = {"command": chosen.command, "machine": machine.described()}
    results |= {"versions": machine.versions(), "worlds": {}}
    start = time.perf_counter()
    if chosen.large:
        results["worlds"]["large"] = measured_large(chosen)
    else:
        for name in chosen.worlds:
            world = world_named(name, chosen)
            results["worlds"][name] = {**described(world), **measured(world, chosen)}
    results["minutes"] = round((time.perf_counter() - start) / 60, 1)
    return results


if __name__ == "__main__":
    # Libraries read these when they are loaded, so the process starts anew with them.
    wanted = {name: value for name, value in os.environ.items() if name not in OVERRIDES}
    wanted |= ONE_THREAD
    if wanted != dict(os.environ):
        os.execve(sys.executable, [sys.executable, *sys.argv], wanted)
    sys.exit(main())
