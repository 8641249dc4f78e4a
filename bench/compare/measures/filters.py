"""Filtered search: how many of k come back, how many of them are right, and how fast.

Matches are drawn at random, or concentrated: the neighbourhoods of a few rows, so that most
queries are far from any match. A library that filters inside its walk is given ef 64 (and 512
where it misses a recall of 0.99 at 64). One without filters is asked for more and more rows until k
pass. What a library needs to know the filter (a bitmap, a set, a scope) is made before the clock.
"""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.compare.measuring import exact_top, recall
from bench.compare.peers import Contender, Unsupported
from bench.compare.worlds import SEED, World

K = 10
SHARES = (0.001, 0.01, 0.1)
EFS = (64, 512)
ENOUGH = 0.99
SECONDS = 1.0
FIRST = 8
NEIGHBOURHOODS = 5


@dataclass(frozen=True)
class Filtered:
    """One library under one filter; ``results`` is the mean number of the k that came back."""

    name: str
    share: float
    layout: str
    ef: int
    recall: float
    results: float
    qps: float
    queries: int


def mask_of(world: World, share: float, layout: str) -> NDArray[np.bool_]:
    """Return which rows match: ``round(share * rows)`` of them."""
    draw = np.random.default_rng(SEED)
    rows = len(world.rows)
    wanted = max(K, round(share * rows))
    mask = np.zeros(rows, bool)
    if layout == "random":
        mask[draw.choice(rows, wanted, replace=False)] = True
        return mask
    centres = world.rows[draw.choice(rows, NEIGHBOURHOODS, replace=False)]
    near, _ = exact_top(world.rows, centres, wanted)
    # Neighbourhoods grow at one pace until they hold enough rows together.
    order = list(dict.fromkeys(near.T.reshape(-1).tolist()))
    mask[order[:wanted]] = True
    return mask


def filtered(
    contenders: list[Contender], world: World, *, all_shares: tuple[float, ...] = SHARES
) -> list[Filtered]:
    result = []
    for share in all_shares:
        for layout in ("random", "clustered"):
            mask = mask_of(world, share, layout)
            expected, _ = exact_top(world.rows, world.queries, K, among=mask)
            for contender in contenders:
                for ef in EFS:
                    try:
                        found = _measure(contender, world, mask, expected, ef)
                    except Unsupported:
                        break
                    result.append(Filtered(contender.name, share, layout, *found))
                    if found[1] >= ENOUGH or not contender.walks_filtered or contender.exact:
                        break
    return result


def _measure(
    contender: Contender, world: World, mask: NDArray[np.bool_], expected, ef: int
) -> tuple[int, float, float, float, int]:
    """Return ef, recall, results, queries per second and how many queries that was."""
    allowed = contender.allow(mask)
    contender.filtered(world.queries[:1], K, ef, allowed)
    start = time.process_time()
    contender.filtered(world.queries[:FIRST], K, ef, allowed)
    each = (time.process_time() - start) / len(world.queries[:FIRST])
    count = int(np.clip(SECONDS / max(each, 1e-9), FIRST, len(world.queries)))
    queries = world.queries[:count]
    start = time.process_time()
    found = contender.filtered(queries, K, ef, allowed)
    spent = time.process_time() - start
    results = float((found >= 0).sum(axis=1).mean())
    return ef, recall(found, expected[:count]), results, len(queries) / spent, len(queries)
