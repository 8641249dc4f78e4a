"""Composite search: the best 10 by S = relevance + recency + salience + frequency.

| world | frequency counts as | weights (relevance, recency, salience, frequency) |
|---|---|---|
| raw | ln(1 + f) | 0.5, 0.2, 0.2, 0.1 |
| saturating | ln(1 + f) / ln(1 + 20), at most 1 | 0.5, 0.2, 0.2, 0.1 |
| relevance-heavy | ln(1 + f) | 0.9, 0.04, 0.04, 0.02 |

Half-lives of 4 hours, 2 days or 60 days by category, a tenth never fades; ages exponential with a
mean of ten days; uses geometric with a mean of 4; salience beta(2, 3). Asked at t0, one day, 30
days and 200 of the longest half-lives later, and one day later with 30 % of the rows added after
the build. ``exact=True`` is the oracle. A peer over-fetches: it returns the nearest c x k rows,
NumPy adds the priors and keeps the best k; ``needed`` is the smallest such list whose recall equals
that of scrubjay's search, by doubling.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import Matrix, Numbers, recall, shares
from bench.compare.peers import Contender
from bench.compare.peers.scrubjay_index import PURE, Scrubjay, known
from bench.compare.worlds import SEED, World
from scrubjay.index import FOREVER_US, Weights

K, EF = 10, 64
TURN = 50
DAY_US = 86_400_000_000
LONGEST_US = 60 * DAY_US
T0_US = 10_000 * DAY_US
NEWER = 0.3
TERMS = ("relevance", "recency", "salience", "frequency")
CEILING = 20

WORLDS = {
    "raw": (None, (0.5, 0.2, 0.2, 0.1)),
    "saturating": (CEILING, (0.5, 0.2, 0.2, 0.1)),
    "relevance-heavy": (None, (0.9, 0.04, 0.04, 0.02)),
}
INSTANTS = {
    "t0": T0_US,
    "+1 d": T0_US + DAY_US,
    "+30 d": T0_US + 30 * DAY_US,
    "+200 half-lives": T0_US + 200 * LONGEST_US,
}
LATER = "30 % newer"


@dataclass(frozen=True)
class Composed:
    """One world at one instant; times are processor seconds of one query, medians.

    ``certified_right`` and ``bound_right`` are the shares of such answers that equal the oracle's,
    1 where there are none. ``cost`` is the time over that of a plain search at ef 64,
    ``overfetch_cost`` that of the over-fetch with equal recall over scrubjay's.
    """

    storage: str
    world: str
    instant: str
    recall: float
    certified: float
    certified_right: float
    bound_met: float
    bound_right: float
    either: float
    seconds: float
    plain_seconds: float
    cost: float
    overfetch_3k: float
    needed: int
    overfetch_seconds: float
    overfetch_cost: float
    peer: str


class Columns:
    """The retention columns of all rows, as the index is given them and as NumPy scores them."""

    def __init__(self, rows: int) -> None:
        draw = np.random.default_rng(SEED)
        lives = np.array([DAY_US // 6, 2 * DAY_US, LONGEST_US, FOREVER_US])
        self.half_life_us = draw.choice(lives, rows, p=(0.3, 0.4, 0.2, 0.1))
        self.last_us = T0_US - (draw.exponential(10 * DAY_US, rows)).astype(np.int64)
        self.frequency = draw.geometric(0.2, rows).astype(np.uint32) - 1
        self.salience = draw.beta(2, 3, rows).astype(np.float32)

    def of(self, part: Numbers) -> dict[str, NDArray[Any]]:
        return {name: values[part] for name, values in vars(self).items()}

    def prior(self, now_us: int, ceiling: int | None, weights: tuple[float, ...]) -> Matrix:
        """Return all priors, as a user of a plain vector index computes them once per instant."""
        age = np.maximum(now_us - self.last_us, 0).astype(np.float32)
        rate = (np.log(2) / self.half_life_us).astype(np.float32)
        rate[self.half_life_us == FOREVER_US] = 0
        uses = np.log1p(self.frequency.astype(np.float32))
        if ceiling is not None:
            uses = np.minimum(uses / np.float32(np.log1p(ceiling)), 1)
        _, recency, salience, frequency = np.float32(weights)
        return recency * np.exp(-rate * age) + salience * self.salience + frequency * uses


@dataclass(frozen=True)
class Moment:
    """An index of scrubjay at an instant, with the columns of its rows."""

    instant: str
    now_us: int
    index: Any
    columns: Columns


@dataclass(frozen=True)
class Scene:
    """One composite world: an index of scrubjay, a peer that over-fetches, the same queries."""

    name: str
    storage: str
    index: Any
    world: World
    peer: Contender

    @property
    def ceiling(self) -> int | None:
        return WORLDS[self.name][0]

    @property
    def weights(self) -> tuple[float, float, float, float]:
        return WORLDS[self.name][1]


def composed(world: World, peer: Contender, storage: str, *, queries: int) -> list[Composed]:
    """Return every world at every instant; the peer holds the rows under the keys 0, 1 and so on.

    The index is built on 70 % of the rows and given the rest later; so it is at every instant.
    """
    world = world.asked(queries)
    result = []
    for name in WORLDS:
        for moment in lived(name, world, storage):
            scene = Scene(name, storage, moment.index, world, peer)
            result.append(_at(scene, moment.columns, moment.instant, moment.now_us))
    return result


def lived(name: str, world: World, storage: str) -> Iterator[Moment]:
    """Yield the index of one composite world at every instant, the one with newer rows first."""
    rows = len(world.rows)
    first, rest = np.split(np.arange(rows), [rows - round(NEWER * rows)])
    index = empty_index(storage, world, WORLDS[name][0])
    columns, newer = Columns(rows), Columns(rows)
    newer.last_us[rest] = T0_US
    for keys in (first, rest):
        index.add(keys, world.rows[keys], now_us=T0_US, **newer.of(keys))
    yield Moment(LATER, INSTANTS["+1 d"], index, newer)
    index.update(rest, last_us=columns.last_us[rest])
    for instant, now_us in INSTANTS.items():
        yield Moment(instant, now_us, index, columns)


def empty_index(storage: str, world: World, ceiling: int | None) -> Any:
    form = {} if ceiling is None else {"frequency": "saturating", "frequency_ceiling": ceiling}
    return Scrubjay(storage).empty(world.dim, capacity=len(world.rows), threads=1, **form)


def _at(scene: Scene, columns: Columns, instant: str, now_us: int) -> Composed:
    index, queries = scene.index, scene.world.queries
    asked = {"now_us": now_us, "weights": Weights(**dict(zip(TERMS, scene.weights, strict=True)))}
    exact = known(index.search, exact=True)
    oracle = np.stack([index.search(query, K, **asked, **exact).keys for query in queries])
    walk = known(index.search, ef=EF)
    (answers, seconds), (_, plain) = timed(
        queries,
        lambda q: index.search(q, K, **asked, **walk),
        lambda q: index.search(q, K, now_us=now_us, weights=PURE, **walk),
    )
    right = np.array([a.keys.tolist() == o.tolist() for a, o in zip(answers, oracle, strict=True)])
    certified = np.array([answer.certified for answer in answers])
    bound_met = np.array([answer.bound_met for answer in answers])
    reached = recall([answer.keys for answer in answers], oracle)
    prior = columns.prior(now_us, scene.ceiling, scene.weights)
    first, needed, cost = _over_fetch(scene, prior, oracle, reached)
    return Composed(
        storage=scene.storage,
        world=scene.name,
        instant=instant,
        recall=reached,
        certified=float(certified.mean()),
        certified_right=_share(right, certified),
        bound_met=float(bound_met.mean()),
        bound_right=_share(right, bound_met),
        either=float((certified | bound_met).mean()),
        seconds=seconds,
        plain_seconds=plain,
        cost=seconds / plain,
        overfetch_3k=first,
        needed=needed,
        overfetch_seconds=cost,
        overfetch_cost=cost / seconds,
        peer=scene.peer.name,
    )


def _share(right: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(right[among].mean()) if among.any() else 1.0


def timed(queries: Matrix, *searches: Callable[[Matrix], Any]) -> list[tuple[list[Any], float]]:
    """Return for each search its answers and the median processor seconds of a query.

    Searches take turns every ``TURN`` queries: what disturbs one disturbs all, and none finds the
    rows of its query in the cache because another has just read them.
    """
    answers: list[list[Any]] = [[] for _ in searches]
    spent: list[list[float]] = [[] for _ in searches]
    for search in searches:
        search(queries[0])
    for first in range(0, len(queries), TURN):
        for search, found, times in zip(searches, answers, spent, strict=True):
            for query in queries[first : first + TURN]:
                start = time.process_time()
                found.append(search(query))
                times.append(time.process_time() - start)
    medians = map(statistics.median, spent)
    return list(zip(answers, medians, strict=True))


def _over_fetch(
    scene: Scene, prior: Matrix, oracle: Numbers, goal: float
) -> tuple[float, int, float]:
    """Return the recall of the list of 3 k, the list that reaches the goal, and its seconds.

    Where a quarter of the rows would have to be listed, a NumPy scan of all of them is cheaper.
    """
    rows, relevance = scene.world.rows, np.float32(scene.weights[0])

    def listed(query: Matrix, depth: int) -> Numbers:
        near = np.asarray(scene.peer.one(query, depth, max(EF, depth)), np.int64)
        near = near[near >= 0]
        return near[_best(relevance * (rows[near] @ query) + prior[near])]

    first, depth = -1.0, 3 * K
    while 4 * depth < len(rows):
        search = partial(listed, depth=depth)
        ((found, seconds),) = timed(scene.world.queries[: _enough(depth)], search)
        reached = float(shares(found, oracle[: len(found)]).mean())
        first = reached if first < 0 else first
        if reached >= goal - 1e-9:
            return first, depth, seconds
        depth *= 2
    ((_, seconds),) = timed(
        scene.world.queries[: _enough(depth)], lambda q: _best(relevance * (rows @ q) + prior)
    )
    return max(first, 0.0), len(rows), seconds


def _best(score: Matrix) -> Numbers:
    best = np.argpartition(-score, K - 1)[:K]
    return best[np.argsort(-score[best], kind="stable")]


def _enough(depth: int) -> int:
    """Return how many queries suffice for a list of that depth: long lists cost seconds."""
    return 1000 if depth < 1000 else 20
