"""Recall against queries per second: the curve over ef, and the speed where recall is agreed on.

Each library is given the smallest ef that reaches the recall (to 3 %); then all of them run in
turn, round after round, by their batch interface on one thread and one query a call. ``of_best``
is the median over the rounds of the library's speed over that of the fastest peer.
"""

import statistics
from dataclasses import dataclass
from functools import cache

from bench.compare.measuring import (
    LARGEST_EF,
    alternate,
    processor_seconds,
    ratio,
    recall,
    smallest_ef,
)
from bench.compare.peers import Contender
from bench.compare.worlds import World

K = 10
LADDER = (10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
ENOUGH, GAIN = 0.999, 0.0005
"""A curve ends at this recall, or where a longer list no longer gains this much."""
EXACT_QUERIES = 20


@dataclass(frozen=True)
class Point:
    """One point of a library's curve."""

    name: str
    ef: int
    recall: float
    qps: float


@dataclass(frozen=True)
class Tuned:
    """A library at the smallest ef that reaches ``target``; ef 0 and speed 0 where none does."""

    name: str
    target: float
    mode: str
    ef: int
    recall: float
    qps: float
    of_best: float


def curve(contender: Contender, world: World, repeats: int = 3) -> list[Point]:
    """Return the curve of the batch interface; an exact library has one point."""
    if contender.exact:
        world = world.asked(EXACT_QUERIES)
    points = []
    for ef in LADDER:
        found = contender.search(world.queries, K, ef)
        spent = statistics.median(
            processor_seconds(lambda ef=ef: contender.search(world.queries, K, ef))
            for _ in range(repeats)
        )
        right = recall(found, world.nearest[:, :K])
        points.append(Point(contender.name, ef, right, len(world.queries) / spent))
        flat = len(points) > 1 and right < points[-2].recall + GAIN
        if right >= ENOUGH or contender.exact or flat:
            break
    return points


def tuned_ef(contender: Contender, world: World, target: float) -> tuple[int | None, float]:
    """Return the smallest ef that reaches the target, and the recall there; else at the largest."""
    if contender.exact:
        world = world.asked(EXACT_QUERIES)

    @cache
    def recall_at(ef: int) -> float:
        return recall(contender.search(world.queries, K, ef), world.nearest[:, :K])

    if contender.exact:
        return (K, recall_at(K)) if recall_at(K) >= target else (None, recall_at(K))
    ef = smallest_ef(recall_at, target)
    return ef, recall_at(ef or LARGEST_EF)


def race(
    contenders: list[Contender], world: World, target: float, *, rounds: int = 7
) -> list[Tuned]:
    """Return every library at the target, batch and one by one, fastest first."""
    found = {c.name: tuned_ef(c, world, target) for c in contenders}
    running = [c for c in contenders if found[c.name][0] is not None]
    result = [
        Tuned(c.name, target, mode, 0, found[c.name][1], 0.0, 0.0)
        for c in contenders
        for mode in ("batch", "one by one")
        if c not in running
    ]
    for mode in ("batch", "one by one"):
        count = {c.name: len(_asked(c, world)) for c in running}
        works = {c.name: _work(c, world, found[c.name][0] or K, mode) for c in running}
        times = alternate(works, rounds)
        # Seconds of one query, so that exact libraries may be asked fewer of them.
        each = {name: [t / count[name] for t in spent] for name, spent in times.items()}
        peers = [name for name in each if not name.startswith("scrubjay")]
        best = min(peers, key=lambda name: statistics.median(each[name]), default=None)
        for name, spent in each.items():
            ef, right = found[name]
            of_best = ratio(each[best], spent) if best else 1.0
            speed = 1 / statistics.median(spent)
            result.append(Tuned(name, target, mode, ef or 0, right, speed, of_best))
    return sorted(result, key=lambda row: (row.mode, -row.qps))


def _asked(contender: Contender, world: World):
    return world.queries[:EXACT_QUERIES] if contender.exact else world.queries


def _work(contender: Contender, world: World, ef: int, mode: str):
    queries = _asked(contender, world)
    call = contender.search if mode == "batch" else contender.one_by_one
    return lambda: call(queries, K, ef)
