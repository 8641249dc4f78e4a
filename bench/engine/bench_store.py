"""The store alone: rows in, words asked, rows erased; no embedder and no index.

| workload | measures |
|---|---|
| bulk      | processor time of 10,000 turns with 256-d vectors and both texts in one write |
| single    | median wall time of one turn in a write of its own, durability "batch" |
| match     | median processor time of a search for 50 of 2,760 and of 20,000 rows, both tables |
| last seq  | wall time of asking for the newest commit |
| open      | wall time of reading the index columns of 20,000 rows |
| erase     | processor time of erasing 10,000 of 20,000 rows |

The turns are made of 4,000 words whose frequencies follow Zipf's law, 24 to a turn; the seed is 7.
A question is 5 words drawn in the same way from the 3,900 that are less frequent.
"""

import statistics
import time
from pathlib import Path

import numpy as np
import pytest

from scrubjay.base.ids import SeededEntropy
from scrubjay.base.trace import RowFilter
from scrubjay.store import SqliteStore, open_store
from tests.rows import NOW_US, engram

SEED = 7
WORDS = 4_000
COMMON = 100
PER_TURN = 24
DIM = 256


def draw_words(rng: np.random.Generator, count: int, first: int) -> list[str]:
    """Return words w0 … w3999, rank r with a frequency of 1/r, leaving out the ``first`` ranks."""
    weights = 1 / np.arange(1, WORDS + 1)
    weights[:first] = 0
    return [f"w{n}" for n in rng.choice(WORDS, count, p=weights / weights.sum())]


def fill(root: Path, count: int) -> tuple[SqliteStore, float]:
    """Return a store with ``count`` turns and the processor time it took to write them."""
    rng = np.random.default_rng(SEED)
    words = draw_words(rng, count * PER_TURN, 0)
    turns = [words[n * PER_TURN : (n + 1) * PER_TURN] for n in range(count)]
    vectors = rng.standard_normal((count, DIM)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = open_store(
        root, tenant="default", create=True, entropy=SeededEntropy(SEED), now_us=NOW_US,
        durability="batch",
    )  # fmt: skip
    start = time.process_time()
    with store.write(now_us=NOW_US) as tx:
        for n, turn in enumerate(turns):
            context = [word for near in turns[max(0, n - 2) : n + 2] for word in near]
            local = tx.add_engram(engram(tx.new_id(), " ".join(turn)))
            tx.put_vector(local, "bench/256", vectors[n], 1.0)
            tx.put_text(local, turn=turn, context=context)
        tx.journal("observe")
    return store, time.process_time() - start


def median_ms(clock, works) -> float:
    """Return the median time of the calls in milliseconds."""
    spent = []
    for work in works:
        start = clock()
        work()
        spent.append(clock() - start)
    return 1e3 * statistics.median(spent)


def test_bulk(tmp_path, claim):
    best = min(fill(tmp_path / f"m{n}", 10_000)[1] for n in range(3))
    claim("store-bulk-rows-per-second", 10_000 / best, "/s", at_least=10_000)


def test_single(tmp_path, claim):
    store, _ = fill(tmp_path / "m", 1_000)

    def write() -> None:
        with store.write(now_us=NOW_US) as tx:
            local = tx.add_engram(engram(tx.new_id(), "one more"))
            tx.put_vector(local, "bench/256", np.full(DIM, 0.0625, np.float32), 1.0)
            tx.put_text(local, turn=["one", "more"], context=["one", "more"])

    claim("store-single-write-ms", median_ms(time.perf_counter, [write] * 300), "ms")


@pytest.mark.parametrize("count", [2_760, 20_000])
def test_match(tmp_path, claim, count):
    store, _ = fill(tmp_path / "m", count)
    rng = np.random.default_rng(SEED + 1)
    questions = [draw_words(rng, 5, COMMON) for _ in range(200)]
    for context in (False, True):
        works = [
            lambda words=words, context=context: store.match_text(
                words, context=context, where=RowFilter(), limit=50
            )
            for words in questions
        ]
        name = f"store-match-{'context' if context else 'turn'}-{count}-ms"
        claim(name, median_ms(time.thread_time, works), "ms")


def test_last_seq(tmp_path, claim):
    store, _ = fill(tmp_path / "m", 100)
    claim("store-last-seq-us", 1e3 * median_ms(time.perf_counter, [store.last_seq] * 5_000), "us")


def test_open(tmp_path, claim):
    store, _ = fill(tmp_path / "m", 20_000)
    works = [lambda: store.index_rows(space="bench/256")] * 5
    claim("store-index-rows-20000-ms", median_ms(time.perf_counter, works), "ms")


def test_erase(tmp_path, claim):
    store, _ = fill(tmp_path / "m", 20_000)
    ids = [row.id for row in store.engrams()][:10_000]
    start = time.process_time()
    with store.write(now_us=NOW_US) as tx:
        assert len(ids) == tx.erase(ids)
    claim("store-erase-10000-seconds", time.process_time() - start, "s", at_most=1.0)
