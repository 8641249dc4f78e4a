"""Rows that repeat: an index with a graph answers as a scan does, whatever came and went.

Vectors come from a grid of a few points, so that every walk can see all distinct ones. What it
returns is then exact, unless copies were lost, returned twice or returned after their removal.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.index import Filter, Index, Weights

DIM = 3
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
GRID = np.stack(np.meshgrid(*[[-1, 0, 1]] * DIM), axis=-1).reshape(-1, DIM).astype(np.float32)
GRID = GRID[GRID.any(axis=1)]
acts = st.sampled_from(["add", "remove", "move", "use", "save"])
histories = st.lists(st.tuples(acts, st.integers(0, 99)), min_size=1, max_size=10)


class Life:
    """An index whose rows repeat, and the keys that should be in it."""

    def __init__(self, seed, **options):
        self.index = Index(DIM, exact_below=20, connectivity=4, ef_construction=40, **options)
        self.live = np.zeros(0, np.int64)
        self.next = 0
        self.add(np.random.default_rng(seed), 150)

    def add(self, draw, count):
        # Few of the points are frequent, so some heaps are large and others come and go.
        points = np.minimum(draw.geometric(0.25, count) - 1, len(GRID) - 1)
        keys = np.arange(self.next, self.next + count)
        self.index.add(keys, GRID[points], now_us=0, kind=keys % 3)
        self.live = np.concatenate([self.live, keys])
        self.next += count

    def act(self, act, seed, path):
        draw = np.random.default_rng(seed)
        some = self.live[draw.random(self.live.size) < draw.choice([0.05, 0.3, 0.9])]
        if act == "add":
            self.add(draw, int(draw.integers(1, 120)))
        elif act == "remove" and some.size < self.live.size:
            self.index.remove(some)
            self.live = np.setdiff1d(self.live, some)
        elif act == "move":
            self.index.update(some, vectors=GRID[draw.integers(0, len(GRID), some.size)])
        elif act == "use":
            self.index.reinforce(some, now_us=seed)
        elif act == "save":
            self.index.save(path)
            self.index = Index.open(path)


def check(life, seed):
    query = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    for where in (None, Filter(kinds=[0, 1]), Filter(kinds=[2])):
        for k in (1, 10, 100):
            asked = {"now_us": 100, "weights": NEAREST, "where": where}
            found = life.index.search(query, k, **asked, ef=100)
            exact = life.index.search(query, k, **asked, exact=True)
            assert len(set(found.keys.tolist())) == len(found.keys) == len(exact.keys)
            assert np.isin(found.keys, life.live).all()
            assert found.scores.tolist() == exact.scores.tolist()


@pytest.mark.parametrize("storage", ["f32", "i8"])
@given(seed=st.integers(0, 99), history=histories)
@settings(max_examples=60, deadline=None)
def test_a_walk_over_rows_that_repeat_misses_none_and_repeats_none(
    storage, seed, history, tmp_path_factory
):
    path = tmp_path_factory.getbasetemp() / f"copies-{storage}.sji"
    life = Life(seed, storage=storage)
    for act, chance in history:
        life.act(act, chance, path)
        check(life, chance)


def test_heaps_larger_than_any_list_hide_nothing():
    draw = np.random.default_rng(3)
    points = draw.standard_normal((50, 32)).astype(np.float32)
    rows = np.repeat(points, 200, axis=0)[draw.permutation(10_000)]
    index = Index(32, exact_below=100)
    index.add(np.arange(10_000), rows, now_us=0)
    for query in draw.standard_normal((50, 32)).astype(np.float32):
        found = index.search(query, 10, now_us=0, weights=NEAREST)
        exact = index.search(query, 10, now_us=0, weights=NEAREST, exact=True)
        assert found.plan == "walk"
        assert found.scores.tolist() == exact.scores.tolist()
