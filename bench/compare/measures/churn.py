"""Churn: rounds that remove a quarter of the rows and insert as many new ones under new keys.

``loss`` is the recall of an index built afresh over the last rows less that of the churned one, at
the same ef. ``growth`` is the largest memory seen over that of the first build. A ghost is
a removed key that a search returns. Libraries that cannot remove hide the removed rows.
"""

from dataclasses import dataclass, field

import numpy as np

from bench.compare.measuring import Matrix, Numbers, exact_top, processor_seconds, recall
from bench.compare.peers import FORMS, Contender, Unsupported
from bench.compare.worlds import SEED, World

K, EF = 10, 64
CHANGED = 0.25
LOOKS = 10
QUERIES = 500


@dataclass
class Churned:
    """What one library went through."""

    name: str
    rows: int
    rounds: int
    looked: list[int] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    ghosts: int = 0
    fresh: float = 0.0
    loss: float = 0.0
    growth: float = 0.0
    changes_per_second: float = 0.0


class Flux:
    """The rows that are live: the same sequence of changes for every library."""

    def __init__(self, pool: Matrix, live: int) -> None:
        self.pool = pool
        self.draw = np.random.default_rng(SEED)
        self.keys: Numbers = np.arange(live)
        self.at: Numbers = np.arange(live)
        self.next = live

    def step(self) -> tuple[Numbers, Numbers, Matrix]:
        """Return keys to remove, keys to add and their rows."""
        count = round(CHANGED * len(self.keys))
        gone = self.draw.choice(len(self.keys), count, replace=False)
        spare = np.setdiff1d(np.arange(len(self.pool)), self.at)
        fresh = self.draw.choice(spare, count, replace=False)
        removed = self.keys[gone].copy()
        self.keys[gone] = np.arange(self.next, self.next + count)
        self.at[gone] = fresh
        self.next += count
        return removed, self.keys[gone].copy(), self.pool[fresh]


def churned(world: World, name: str, *, rows: int, rounds: int) -> Churned | None:
    """Return what became of one library; None where it cannot change at all."""
    pool = world.rows[: 2 * rows]
    live = min(rows, len(pool) // 2)
    flux = Flux(pool, live)
    contender = FORMS[name]()
    # Two rounds of room more than the live rows need: what reuses its room never asks for more.
    contender.build(pool[:live], spare=live // 2)
    result = Churned(name, live, rounds)
    queries, spent = world.queries[:QUERIES], 0.0
    _look(result, contender, flux, queries, 0)
    for number in range(1, rounds + 1):
        try:
            spent += _change(contender, flux)
        except Unsupported:
            return None
        if number <= 3 or number % max(1, rounds // LOOKS) == 0:
            _look(result, contender, flux, queries, number)
    again = FORMS[name]()
    again.build(np.ascontiguousarray(pool[flux.at]))
    best, _ = exact_top(pool[flux.at], queries, K)
    result.fresh = recall(again.search(queries, K, EF), best)
    result.loss = result.fresh - result.recalls[-1]
    result.growth = max(result.memory) / result.memory[0]
    result.changes_per_second = rounds * 2 * round(CHANGED * live) / spent
    return result


def _change(contender: Contender, flux: Flux) -> float:
    removed, added, vectors = flux.step()

    def work() -> None:
        contender.remove(removed)
        contender.add(added, vectors)

    return processor_seconds(work)


def _look(result: Churned, contender: Contender, flux: Flux, queries: Matrix, number: int) -> None:
    best, _ = exact_top(flux.pool[flux.at], queries, K)
    found = contender.search(queries, K, EF)
    result.looked.append(number)
    result.recalls.append(recall(found, flux.keys[best]))
    result.memory.append(contender.memory_bytes())
    result.ghosts += int((~np.isin(found[found >= 0], flux.keys)).sum())
