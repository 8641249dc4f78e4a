"""Retention priors, scores and eviction delays against NumPy and the triad.

| workload | items | ours | NumPy, with `out=` |
|---|---|---|---|
| prior | 1,000,000 and 100,000 | retention_prior, raw form | exp, log1p, three products, two sums |
| score | 10,000,000 | retention_score | multiply, add |
| eviction | 1,000,000 | eviction_delay | log1p, log, divide, two choices |

100,000 items stand for one tenant: every prior before a search. Single precision, double for the
eviction delay. Values from numpy's default generator, seed 20000101.
"""

import numpy as np
import pytest

from bench.kernels.race import race, table
from scrubjay import _kernels

SEED = 20_000_101
WEIGHTS = {"w_recency": 0.2, "w_salience": 0.2, "w_frequency": 0.1}
W_T, W_S, W_F = (np.float32(w) for w in WEIGHTS.values())
THRESHOLD = 0.1


class World:
    """The columns of n engrams."""

    def __init__(self, items: int) -> None:
        draw = np.random.default_rng(SEED)
        half_lives = draw.choice([4 * 3600.0, 48 * 3600.0, 60 * 86_400.0, np.inf], items)
        self.exact_rate = np.log(2) / half_lives
        self.rate = self.exact_rate.astype(np.float32)
        self.age = (draw.random(items, np.float32) * np.float32(30 * 86_400)).astype(np.float32)
        self.salience = draw.random(items, np.float32)
        self.frequency = draw.integers(0, 50, items).astype(np.float32)
        self.out = np.empty(items, np.float32)
        self.spare = np.empty(items, np.float32)
        self.delay = np.empty(items)

    def prior(self) -> None:
        columns = self.age, self.rate, self.salience, self.frequency
        _kernels.retention_prior(*columns, **WEIGHTS, out=self.out)

    def numpy_prior(self) -> None:
        out, spare = self.out, self.spare
        np.multiply(self.rate, self.age, out=out)
        np.negative(out, out=out)
        np.exp(out, out=out)
        np.multiply(out, W_T, out=out)
        np.multiply(self.salience, W_S, out=spare)
        np.add(out, spare, out=out)
        np.log1p(self.frequency, out=spare)
        np.multiply(spare, W_F, out=spare)
        np.add(out, spare, out=out)

    def score(self) -> None:
        _kernels.retention_score(self.salience, self.age, w_relevance=0.5, out=self.out)

    def numpy_score(self) -> None:
        np.multiply(self.salience, np.float32(0.5), out=self.out)
        np.add(self.out, self.age, out=self.out)

    def triad(self) -> None:
        _kernels.triad(self.age, self.salience, s=0.5, out=self.out)

    def eviction(self) -> None:
        columns = self.exact_rate, self.salience, self.frequency
        _kernels.eviction_delay(*columns, **WEIGHTS, threshold=THRESHOLD, out=self.delay)

    def numpy_eviction(self) -> None:
        with np.errstate(divide="ignore", invalid="ignore"):
            fading = np.log1p(self.frequency.astype(np.float64))
            fading *= WEIGHTS["w_frequency"]
            fading += WEIGHTS["w_recency"]
            room = THRESHOLD - WEIGHTS["w_salience"] * self.salience.astype(np.float64)
            delay = np.log(fading / room) / self.exact_rate
        never = (self.exact_rate == 0) | (room <= 0)
        self.delay[:] = np.where(never, np.inf, np.maximum(delay, 0))


@pytest.mark.parametrize("items", [100_000, 1_000_000])
def test_prior(items, claim, benchmark, capsys):
    world = World(items)
    benchmark.pedantic(world.prior, rounds=20, warmup_rounds=2)
    best = race({"prior": world.prior, "numpy": world.numpy_prior}, rounds=30)
    with capsys.disabled():
        moved = {"prior": 20 * items}
        print("\n" + table(f"prior, {items:,} items, {_kernels.ACTIVE_ISA}", best, moved))
    claim(f"prior-{items // 1000}k-numpy", best["numpy"] / best["prior"], at_least=2.5)
    if items == 100_000:
        claim("prior-100k", best["prior"] * 1e3, "ms", at_most=0.3)


def test_score(claim, benchmark, capsys):
    items = 10_000_000
    world = World(items)
    benchmark.pedantic(world.score, rounds=5, warmup_rounds=1)
    best = race({"score": world.score, "triad": world.triad, "numpy": world.numpy_score})
    with capsys.disabled():
        moved = {"score": 12 * items, "triad": 12 * items}
        print("\n" + table(f"score, {items:,} items, {_kernels.ACTIVE_ISA}", best, moved))
    claim("score-numpy", best["numpy"] / best["score"])
    claim("score-triad", best["triad"] / best["score"], at_least=0.6)


def test_eviction(claim, benchmark, capsys):
    items = 1_000_000
    world = World(items)
    benchmark.pedantic(world.eviction, rounds=5, warmup_rounds=1)
    best = race({"eviction": world.eviction, "numpy": world.numpy_eviction}, rounds=7)
    with capsys.disabled():
        print("\n" + table(f"eviction, {items:,} items, double, {_kernels.ACTIVE_ISA}", best, {}))
    claim("eviction-numpy", best["numpy"] / best["eviction"], at_least=2)


def test_contenders_compute_the_same():
    world = World(1000)
    for ours, theirs in ((world.prior, world.numpy_prior), (world.score, world.numpy_score)):
        ours()
        got = world.out.copy()
        theirs()
        assert np.allclose(got, world.out, rtol=1e-5, atol=1e-7)
    world.eviction()
    got = world.delay.copy()
    world.numpy_eviction()
    assert np.allclose(got, world.delay)
