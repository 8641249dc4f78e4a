"""One writer and many readers: what was acknowledged is found, what was removed is gone."""

import os
import signal
import threading
import time
import warnings
from itertools import count

import numpy as np
import pytest

from scrubjay.index import Filter, Index, Weights

DIM, BATCH, KEPT, KINDS = 32, 100, 12, 2
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
SALIENCE = Weights(relevance=0, recency=0, salience=1, frequency=0)


def vectors_of(keys):
    """Return the vectors that belong to keys: anyone can compute them."""
    return np.stack([np.random.default_rng(key).standard_normal(DIM, np.float32) for key in keys])


class World:
    """An index, its writer and its readers, and what each of them found wrong."""

    def __init__(self, storage, **options):
        self.index = Index(DIM, storage=storage, **options)
        self.live = []
        """Batches of keys: acknowledged and not yet asked to go."""
        self.removed = -1
        """Keys up to this one are gone; they go in the order in which they came."""
        self.wrong = []
        self.reads = self.saved = 0
        self.over = threading.Event()

    def write(self):
        """Add a batch, change it, and remove the oldest one, for ever."""
        for first in count(0, BATCH):
            if self.over.is_set():
                return
            keys = np.arange(first, first + BATCH)
            self.index.add(keys, vectors_of(keys), now_us=first, kind=keys % KINDS)
            self.live.append(keys)
            self.index.reinforce(keys, now_us=first + 1)
            self.index.update(keys, vectors=vectors_of(keys) * 2, salience=1.0)
            if len(self.live) > KEPT:
                oldest = self.live.pop(0)
                self.index.remove(oldest)
                self.removed = int(oldest[-1])
            if first % (20 * BATCH) == 0:
                self.index.shrink()

    def read(self, seed):
        """Look for acknowledged rows and for ghosts, for ever."""
        draw = np.random.default_rng(seed)
        while not self.over.is_set():
            gone, batches = self.removed, self.live[KEPT // 4 :]
            if not batches:
                continue
            key = int(draw.choice(batches[draw.integers(len(batches))]))
            own, alike = vectors_of([key])[0], Filter(kinds=[key % KINDS])
            found = self.index.search(own, 5, now_us=0, weights=NEAREST)
            kept = self.index.search(own, 5, now_us=0, weights=NEAREST, where=alike)
            mixed = self.index.search(own, 5, now_us=0, where=alike)
            still = any(key in batch for batch in self.live)
            if still and (key != found.keys[0] or key != kept.keys[0]):
                self.wrong.append(f"{key} is not found by its own vector")
            if any((result.keys % KINDS != key % KINDS).any() for result in (kept, mixed)):
                self.wrong.append(f"the filter for {key % KINDS} let others pass")
            top = self.index.search(None, 50, now_us=0, weights=SALIENCE)
            both = self.index.search_batch(vectors_of([key, key + 1]), 5, now_us=0)
            for result in (found, kept, mixed, top, *both):
                if len(result) and result.keys.min() <= gone:
                    self.wrong.append(f"removed rows came back: {result.keys.tolist()}, {gone}")
            self.reads += 1

    def run(self, seconds, meanwhile=lambda: None):
        """Let one writer and four readers run for so long."""
        threads = [threading.Thread(target=self.write)]
        threads += [threading.Thread(target=self.read, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and not self.wrong:
                meanwhile()
                time.sleep(0.05)
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def save(self, path):
        """Hold a file saved in the middle to what was acknowledged, and use what it holds."""
        gone, before = self.removed, list(self.live)
        self.index.save(path)
        still = {int(batch[0]) for batch in self.live}
        lasting = [batch for batch in before if int(batch[0]) in still]
        opened = Index.open(path)
        keys = opened.keys()
        if keys.size and keys[0] <= gone:
            self.wrong.append(f"the file holds removed rows: {keys[0]}, {gone}")
        for batch in lasting:
            if not np.isin(batch, keys).all():
                self.wrong.append(f"the file lacks rows from {batch[0]} on")
            first = opened.search(vectors_of(batch[:1])[0], 1, now_us=0, weights=NEAREST)
            if first.keys.tolist() != batch[:1].tolist():
                self.wrong.append(f"{batch[0]} is not found in the file")
        self.saved += 1


@pytest.mark.parametrize("plan", ["scan", "walk"])
@pytest.mark.parametrize(
    "seconds", [5, pytest.param(60, marks=pytest.mark.slow)], ids=["quick", "whole"]
)
def test_every_acknowledged_row_is_found_and_no_removed_one(seconds, plan, tmp_path):
    world = World("i8", exact_below=400 if plan == "walk" else 10**6)
    world.run(seconds, lambda: world.save(tmp_path / "middle.sji"))
    assert [] == world.wrong
    last = world.index.search(vectors_of([0])[0], 5, now_us=0, weights=NEAREST)
    assert plan == last.plan
    some = world.index.search(vectors_of([0])[0], 5, now_us=0, where=Filter(kinds=[0]))
    assert some.plan == ("composite" if plan == "walk" else "matches")
    assert world.reads > 20
    assert world.saved > 2
    assert world.removed >= BATCH - 1
    assert np.concatenate(world.live).tolist() == world.index.keys().tolist()


def child_of_a_fork(world):
    """Use the index in a forked child; exit code 0 says that all is well there."""
    signal.alarm(30)  # A child that hangs dies of it.
    keys = world.index.keys()
    row = world.index.search(vectors_of(keys[-1:])[0], 1, now_us=0, weights=NEAREST)
    good = row.keys.tolist() == keys[-1:].tolist() and keys.min() > world.removed - BATCH
    fresh = np.arange(10**9, 10**9 + 500)
    world.index.add(fresh, vectors_of(fresh), now_us=0)
    answers = world.index.search_batch(vectors_of(fresh[:64]), 1, now_us=0, weights=NEAREST)
    good = good and fresh[:64].tolist() == [answer.keys[0] for answer in answers]
    good = good and len(world.index) == len(keys) + 500
    os._exit(0 if good else 1)


def test_a_child_forked_in_the_middle_can_read_and_write():
    world = World("f32")
    statuses = []

    def fork():
        if not world.live:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of threads.
            child = os.fork()
        if child == 0:
            child_of_a_fork(world)
        statuses.append(os.waitpid(child, 0)[1])

    world.run(3, fork)
    assert [] == world.wrong
    assert len(statuses) >= 5
    assert {0} == set(statuses)


def waits(index, queries, stop):
    """Search until told to stop; return how long each search took, in seconds."""
    taken = []
    while not taken or not stop(len(taken)):
        before = time.perf_counter()
        index.search(queries[len(taken) % len(queries)], 10, now_us=0, weights=NEAREST)
        taken.append(time.perf_counter() - before)
    return np.array(taken)


def test_reads_do_not_wait_for_a_long_write():
    rows = np.random.default_rng(7).standard_normal((60_000, 64), np.float32)
    index = Index(64)
    index.add(np.arange(5000), rows[:5000], now_us=0)
    quiet = waits(index, rows, lambda turns: turns >= 300)
    writer = threading.Thread(target=index.add, args=(np.arange(5000, 60_000), rows[5000:]),
                              kwargs={"now_us": 0})  # fmt: skip
    start = time.perf_counter()
    writer.start()
    busy = waits(index, rows, lambda _: not writer.is_alive())
    lasted = time.perf_counter() - start
    writer.join()
    assert 60_000 == len(index)
    # Twelve times as many rows, one CPU taken, a queue of publishes: but never the whole write.
    assert np.quantile(busy, 0.99) < 40 * np.quantile(quiet, 0.99) + 0.05
    assert len(busy) > 5 or lasted < 0.2


def test_reads_do_not_wait_for_a_graph_that_is_made_anew():
    rows = np.random.default_rng(8).standard_normal((24_000, 64), np.float32)
    index = Index(64, exact_below=4000, ef_construction=80)
    index.add(np.arange(24_000), rows, now_us=0)
    index.remove(np.arange(12_000, 24_000))
    quiet = waits(index, rows, lambda turns: turns >= 300)
    writer = threading.Thread(target=index.shrink)
    start = time.perf_counter()
    writer.start()
    busy = waits(index, rows, lambda _: not writer.is_alive())
    lasted = time.perf_counter() - start
    writer.join()
    assert 12_000 == len(index)
    # They share two CPUs with the writer, and wait for a few pointers.
    assert np.quantile(busy, 0.99) < 40 * np.quantile(quiet, 0.99) + 0.05
    assert len(busy) > 5 or lasted < 0.2
