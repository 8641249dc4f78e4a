"""How a library is measured: exact answers, recall, processor time, tuning to a recall.

Time is processor time of this process, all of its threads: other work on the machine disturbs it
less than the wall, and a library that starts threads unasked gains nothing.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Numbers = NDArray[np.int64]
BLOCK, PRODUCTS = 256, 2**25
"""Queries multiplied at once, and the most products that may take: 128 MiB."""
LARGEST_EF = 1024


def exact_top(
    rows: Matrix, queries: Matrix, k: int, *, among: NDArray[np.bool_] | None = None
) -> tuple[Numbers, Matrix]:
    """Return numbers and inner products of the k best rows, best first, by matrix product.

    ``among`` tells which rows count; where fewer than k do, the rest is -1 and -inf.
    """
    numbers = np.full((len(queries), k), -1, np.int64)
    products = np.full((len(queries), k), -np.inf, np.float32)
    allowed = np.arange(len(rows)) if among is None else np.flatnonzero(among)
    kept = rows if among is None else rows[allowed]
    depth = min(k, len(allowed))
    block = max(1, min(BLOCK, PRODUCTS // max(1, len(kept))))
    for start in range(0, len(queries), block) if depth else ():
        part = slice(start, start + block)
        product = queries[part] @ kept.T
        best = np.argpartition(product, len(allowed) - depth, axis=1)[:, len(allowed) - depth :]
        value = np.take_along_axis(product, best, axis=1)
        order = np.argsort(-value, axis=1, kind="stable")
        numbers[part, :depth] = allowed[np.take_along_axis(best, order, axis=1)]
        products[part, :depth] = np.take_along_axis(value, order, axis=1)
    return numbers, products


def shares(found: Iterable[Numbers], expected: Numbers) -> Matrix:
    """Return for each query the share of its expected rows that were found.

    -1 stands for no row; a query that expects none counts as answered.
    """
    result = []
    for got, wanted in zip(found, expected, strict=True):
        named = wanted[wanted >= 0]
        result.append(len(np.intersect1d(got, named)) / len(named) if len(named) else 1.0)
    return np.asarray(result, np.float32)


def recall(found: Iterable[Numbers], expected: Numbers) -> float:
    """Return the mean of ``shares``."""
    return float(shares(found, expected).mean(dtype=np.float64))


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def alternate(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the processor times of every round, by name; an extra first round warms up.

    Every round runs each work once, in turn, so that what disturbs one disturbs all.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            spent = processor_seconds(work)
            if number:
                times[name].append(spent)
    return times


def ratio(above: list[float], below: list[float]) -> float:
    """Return the median of the rounds' ratios."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def smallest_ef(
    recall_at: Callable[[int], float], target: float, *, low: int = 10, high: int = LARGEST_EF
) -> int | None:
    """Return the smallest ef whose recall reaches the target, to 3 %; None where ``high`` fails.

    Doubles, then halves the interval: recall is taken to grow with ef.
    """
    below, above = low - 1, low
    while recall_at(above) < target:
        if above >= high:
            return None
        below, above = above, min(2 * above, high)
    while above - below > max(1, below // 32):
        middle = (below + above) // 2
        if recall_at(middle) < target:
            below = middle
        else:
            above = middle
    return above
