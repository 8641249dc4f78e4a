"""The fused exact scan: similarity, retention prior and top-k of 100,000 rows in one pass.

| workload | ours | beside it |
|---|---|---|
| f32 | RetentionIndex.search, k = 10 | a sum over the same bytes; NumPy (see below) on f32 rows |
| f16 | the same, halves beside their originals | the sum; NumPy on f16 rows, `astype` per query |
| i8 | the same, codes beside their originals | the sum; NumPy on i8 codes, `astype` per query |
| filtered | f32, where 1 % or 0.1 % of the rows pass a filter | the unfiltered scan |

NumPy computes `rows @ q`, the prior, argpartition and the order of the k. 256 dimensions, one query
at a time, one thread each, processor time. Every round runs each contender once, in turn, so that
what disturbs one disturbs all; a ratio is the median of the rounds' ratios. `read` compares bytes
per second: the sum reads the vectors, the scan vectors and 24 to 32 bytes of columns a row; `time`
compares the seconds alone. Answers of f16 and i8 are those of f32, exact look included. Values from
NumPy's default generator, seed 20000101.
"""

import os
import statistics
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from scrubjay import _kernels

ROWS, DIM, K, QUERIES, ROUNDS = 100_000, 256, 10, 64, 41
SEED = 20_000_101
NOW_US = 10**13
DAY_US = 86_400_000_000
WEIGHTS = (0.5, 0.2, 0.2, 0.1)
READ = {"f32": 0.85, "f16": 0.75, "i8": 0.75}
NUMPY = {"f32": 1.25, "f16": 2.2, "i8": 4.0}

each_storage = pytest.mark.parametrize("storage", READ)


class World:
    """Rows, columns and queries, and what NumPy needs of them."""

    def __init__(self) -> None:
        draw = np.random.default_rng(SEED)
        rows = draw.standard_normal((ROWS, DIM), np.float32)
        self.rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        queries = draw.standard_normal((QUERIES, DIM), np.float32)
        self.queries = queries / np.linalg.norm(queries, axis=1, keepdims=True)
        zeros = np.zeros(ROWS, np.uint8)
        self.columns = {
            "scope": draw.integers(0, 1000, ROWS).astype(np.uint32),
            "kind": zeros,
            "category": draw.integers(0, 5, ROWS).astype(np.uint8),
            "state": zeros,
            "authority": zeros,
            "plane": zeros,
            "flags": zeros,
            "quality": np.ones(ROWS, np.float32),
            "salience": draw.random(ROWS, np.float32),
            "frequency": draw.integers(0, 9, ROWS).astype(np.uint32),
            "half_life_us": draw.choice([DAY_US // 6, 2 * DAY_US, 60 * DAY_US], ROWS),
            "last_us": NOW_US - draw.integers(0, 30 * DAY_US, ROWS),
            "event_us": np.zeros(ROWS, np.int64),
            "gain": np.ones(ROWS, np.float32),
        }
        self.rate = (np.log(2) / self.columns["half_life_us"]).astype(np.float32)
        self.uses = np.log1p(self.columns["frequency"].astype(np.float32))
        self.scale = np.abs(self.rows).max(axis=1, keepdims=True) / 127
        self.kept = {
            "f32": self.rows,
            "f16": self.rows.astype(np.float16),
            "i8": np.rint(self.rows / self.scale).astype(np.int8),
        }
        self.turn = 0

    def index(self, storage):
        """Return an index of all rows."""
        graph = _kernels.GraphOptions(links=32, ef_construction=200, seed=0)
        index = _kernels.RetentionIndex(
            DIM, storage=storage, capacity=ROWS, graph=graph, exact_below=ROWS + 1
        )
        index.add(np.arange(ROWS), self.rows, self.columns, replace=False, allow_zero=False)
        return index

    def query(self):
        """Return the next query."""
        self.turn = (self.turn + 1) % QUERIES
        return self.queries[self.turn]

    def numpy_search(self, storage):
        """Return the k best as a user of NumPy would find them."""
        rows, query = self.kept[storage], self.query()
        similarity = rows @ query if storage == "f32" else rows.astype(np.float32) @ query
        if storage == "i8":
            similarity *= self.scale[:, 0]
        age = (NOW_US - self.columns["last_us"]).astype(np.float32)
        score = 0.5 * similarity + 0.2 * np.exp(-self.rate * age)
        score += 0.2 * self.columns["salience"] + 0.1 * self.uses
        best = np.argpartition(score, ROWS - K)[ROWS - K :]
        return best[np.argsort(-score[best], kind="stable")]


def searcher(world, index, where=None):
    where = where or _kernels.Predicate()

    def search():
        query = world.query()[None, :]
        return index.search(query, K, now_us=NOW_US, weights=WEIGHTS, where=where)[0]

    return search


def alternate(contenders):
    """Return the processor times of every round, by contender; the first round warms up."""
    times = {name: [] for name in contenders}
    for number in range(ROUNDS + 1):
        for name, work in contenders.items():
            start = time.process_time()
            work()
            spent = time.process_time() - start
            if number:
                times[name].append(spent)
    return times


def ratio(times, above, below):
    return statistics.median(a / b for a, b in zip(times[above], times[below], strict=True))


def show(title, times, moved_bytes):
    print(f"\n{title}, {_kernels.ACTIVE_ISA}")
    for name, spent in times.items():
        median = statistics.median(spent)
        rate = f"{moved_bytes[name] / median / 1e9:7.2f} GB/s" if name in moved_bytes else ""
        print(f"  {name:<10} {median * 1e3:8.3f} ms {rate}")


@pytest.fixture(scope="module")
def world():
    # With these set, OpenBLAS would not be the peer that users have.
    assert not {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"} & set(os.environ)
    with threadpool_limits(limits=1):
        yield World()


@each_storage
def test_scan(world, storage, claim, benchmark):
    index = world.index(storage)
    search = searcher(world, index)
    benchmark.pedantic(search, rounds=5, warmup_rounds=1)
    times = alternate(
        {
            "read": index.read_sum,
            "scan": search,
            "numpy": lambda: world.numpy_search(storage),
        }
    )
    _, read, scanned = index.read_sum()
    show(f"scan of {ROWS:,} x {DIM} {storage}", times, {"read": read, "scan": scanned})
    alone = ratio(times, "read", "scan")
    claim(f"scan-{storage}-time", alone, "of")
    claim(f"scan-{storage}-read", alone * scanned / read, "of", at_least=READ[storage])
    claim(f"scan-{storage}-numpy", ratio(times, "numpy", "scan"), at_least=NUMPY[storage])


@pytest.mark.parametrize(("share", "scopes"), [("0.1", 1), ("1", 10)])
def test_filtered_scan(world, share, scopes, claim):
    index = world.index("f32")
    where = _kernels.Predicate(scopes=np.arange(scopes, dtype=np.uint32))
    times = alternate({"scan": searcher(world, index), "filtered": searcher(world, index, where)})
    show(f"scan with {share} % passing", times, {})
    claim(f"scan-filter-{share}", ratio(times, "scan", "filtered"), at_least=1)


@each_storage
def test_contenders_answer_alike(world, storage):
    search = searcher(world, world.index(storage))
    world.turn = 0
    expected = [search()[0].tolist() for _ in range(QUERIES)]
    world.turn = 0
    got = [world.numpy_search("f32").tolist() for _ in range(QUERIES)]
    assert expected == got
