"""Decay of ten million items against NumPy, numba and the memory itself.

| workload | ours | NumPy, with `out=` | numba (serial, no fastmath) |
|---|---|---|---|
| by_item | decay_by_item | multiply, negative, exp, multiply | v * exp(-l * t) in one loop |
| by_category | decay_by_category | take of a factor per category, multiply | the same loop |

Also the triad `out = b + s * c`, the measuring stick for memory: the same lanes, the same stores.
Bytes per item: by_item 16, by_category 9, triad 12. Single precision throughout. Values from
numpy's default generator, seed 20000101; five categories of DESIGN section 4, an hour apart.
"""

import math

import numba
import numpy as np
import pytest

from bench.kernels.race import race, table
from scrubjay import _kernels

ITEMS = 10_000_000
SEED = 20_000_101
BYTES = {"by_item": 16 * ITEMS, "by_category": 9 * ITEMS, "triad": 12 * ITEMS}
HALF_LIVES_US = np.array([4 * 3600, 48 * 3600, 60 * 86_400, 0, 0]) * 1_000_000
HALF_LIVES_US[3:] = _kernels.FOREVER_US


@numba.njit(fastmath=False)
def numba_by_item(value, rate, dt, out):
    for i in range(value.size):
        out[i] = value[i] * math.exp(-rate[i] * dt[i])


@numba.njit(fastmath=False)
def numba_by_category(value, category, factor, out):
    for i in range(value.size):
        out[i] = value[i] * factor[category[i]]


class World:
    """The arrays of all workloads."""

    def __init__(self) -> None:
        draw = np.random.default_rng(SEED)
        self.value = draw.random(ITEMS, np.float32)
        self.rate_of = _kernels.decay_constants(HALF_LIVES_US).astype(np.float32)
        self.dt_of = np.full(5, 3600, np.float32)
        self.category = draw.integers(0, 5, ITEMS).astype(np.uint8)
        self.rate = self.rate_of[self.category]
        self.dt = (draw.random(ITEMS, np.float32) * np.float32(86_400)).astype(np.float32)
        self.out = np.empty(ITEMS, np.float32)
        self.spare = np.empty(ITEMS, np.float32)
        self.factor = np.exp(-self.rate_of * self.dt_of)

    def numpy_by_item(self) -> None:
        np.multiply(self.rate, self.dt, out=self.spare)
        np.negative(self.spare, out=self.spare)
        np.exp(self.spare, out=self.spare)
        np.multiply(self.value, self.spare, out=self.out)

    def numpy_by_category(self) -> None:
        # Clipping spares NumPy a buffered copy: the faster of its modes.
        np.take(self.factor, self.category, out=self.spare, mode="clip")
        np.multiply(self.value, self.spare, out=self.out)

    def triad(self) -> None:
        _kernels.triad(self.value, self.rate, s=0.5, out=self.out)

    def by_item(self) -> None:
        _kernels.decay_by_item(self.value, self.rate, self.dt, out=self.out)

    def by_category(self) -> None:
        _kernels.decay_by_category(
            self.value, self.category, self.rate_of, self.dt_of, out=self.out
        )


@pytest.fixture(scope="module")
def world():
    return World()


def test_decay_by_item(world, claim, benchmark, capsys):
    benchmark.pedantic(world.by_item, rounds=5, warmup_rounds=1)
    best = race(
        {
            "by_item": world.by_item,
            "triad": world.triad,
            "numpy": world.numpy_by_item,
            "numba": lambda: numba_by_item(world.value, world.rate, world.dt, world.out),
        }
    )
    with capsys.disabled():
        print("\n" + table(f"decay by item, {ITEMS:,} items, {_kernels.ACTIVE_ISA}", best, BYTES))
    claim("decay-by-item-numpy", best["numpy"] / best["by_item"], at_least=2.3)
    claim("decay-by-item-numba", best["numba"] / best["by_item"], at_least=2)
    claim("decay-by-item-triad", bandwidth(best, "by_item"), at_least=0.6)


def test_decay_by_category(world, claim, benchmark, capsys):
    benchmark.pedantic(world.by_category, rounds=5, warmup_rounds=1)
    best = race(
        {
            "by_category": world.by_category,
            "triad": world.triad,
            "numpy": world.numpy_by_category,
            "numba": lambda: numba_by_category(
                world.value, world.category, world.factor, world.out
            ),
        }
    )
    with capsys.disabled():
        print(
            "\n" + table(f"decay by category, {ITEMS:,} items, {_kernels.ACTIVE_ISA}", best, BYTES)
        )
    claim("decay-by-category-numpy", best["numpy"] / best["by_category"], at_least=4)
    claim("decay-by-category-numba", best["numba"] / best["by_category"])
    claim("decay-by-category-triad", bandwidth(best, "by_category"), at_least=0.6)


def bandwidth(best, name):
    """Return the bytes per second of a workload as a part of the triad's."""
    return (BYTES[name] / best[name]) / (BYTES["triad"] / best["triad"])


def test_contenders_compute_the_same(world):
    world.by_item()
    ours = world.out[:1000].copy()
    world.numpy_by_item()
    assert np.allclose(ours, world.out[:1000], rtol=1e-6, atol=0)
    world.by_category()
    ours = world.out[:1000].copy()
    world.numpy_by_category()
    assert np.allclose(ours, world.out[:1000], rtol=1e-6, atol=0)
