"""How long a reader waits for a writer, and a person for Ctrl-C.

| workload | measured |
|---|---|
| quiet | single searches, k = 10, on 100,000 rows of 256 nobody changes |
| busy | the same searches while another thread adds 50,000 rows to 50,000 in one call |
| ctrl-c | from SIGINT to KeyboardInterrupt out of one long `add` or `search_batch`, five times |

Wall time, one reader. On two CPUs reader and writer have one each; what the reader waits for beyond
its own work are publishes of at most 256 rows. The ratio compares the 99th percentiles; a lock held
for the whole write would make the longest wait as long as the write, which is shown beside it.
Values from NumPy's default generator, seed 20000101.
"""

import threading
import time

import numpy as np
import pytest

from scrubjay.index import Index, Weights
from tests.scenarios.test_index_interrupts import interrupt

ROWS, DIM, K, QUIET, SEED = 100_000, 256, 10, 500, 20_000_101
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)


def waits(index, queries, stop):
    """Search until told to stop; return the seconds of each search."""
    taken = []
    while not stop(len(taken)):
        before = time.perf_counter()
        index.search(queries[len(taken) % len(queries)], K, now_us=0, weights=NEAREST)
        taken.append(time.perf_counter() - before)
    return np.array(taken)


def test_reads_beside_a_long_write(claim):
    rows = np.random.default_rng(SEED).standard_normal((ROWS, DIM), np.float32)
    queries, half = rows[::97], ROWS // 2
    index = Index(DIM, threads=1)
    index.add(np.arange(half), rows[:half], now_us=0)

    def write():
        index.add(np.arange(half, ROWS), rows[half:], now_us=0)

    writer = threading.Thread(target=write)
    start = time.perf_counter()
    writer.start()
    busy = waits(index, queries, lambda _: not writer.is_alive())
    lasted = time.perf_counter() - start
    writer.join()
    quiet = waits(index, queries, lambda turns: turns >= QUIET)
    for name, taken in (("quiet", quiet), ("busy", busy)):
        p50, p99 = np.quantile(taken, [0.5, 0.99]) * 1e3
        print(f"{name:<6} {len(taken):6} reads, p50 {p50:.2f}, p99 {p99:.2f}, "
              f"longest {taken.max() * 1e3:.2f} ms")  # fmt: skip
    print(f"one call that adds {half:,} rows lasted {lasted:.2f} s")
    claim("latency-read-busy", np.quantile(busy, 0.99) / np.quantile(quiet, 0.99), at_most=6)
    claim("latency-read-longest", busy.max() / lasted, "of")


@pytest.mark.parametrize("call", ["add", "search_batch"])
def test_ctrl_c(call, claim):
    taken = []
    for turn in range(5):
        report, sent = interrupt(call, 0.1 + 0.03 * turn)
        assert report["ended"] == "KeyboardInterrupt"
        taken.append((report["at"] - sent) * 1e3)
    claim(f"latency-interrupt-{call.replace('_', '-')}", max(taken), "ms", at_most=100)
