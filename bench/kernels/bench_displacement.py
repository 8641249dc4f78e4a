"""Banks of working memories, expiry and pooling against NumPy.

| workload | size | ours | NumPy |
|---|---|---|---|
| displace | 200,000 buffers of 5 slots | displace | masks, least by two reductions, where |
| activation | 200,000 buffers of 5 slots | bank_activation | ages, power, comparison |
| expired | 10,000,000 traces | expired | subtract, compare, with `out=` |
| pool | 1 and 2,000 texts of 20 tokens | pool_rows, 32,000 x 256 halves | take, sum, norm |

A tenth of the slots is free. Values from numpy's default generator, seed 20000101.
"""

import numpy as np
import pytest

from bench.kernels.race import race, table
from scrubjay import _kernels

SEED = 20_000_101
BANKS, SLOTS = 200_000, 5
TRACES = 10_000_000
NOW_US = 60_000_000
LAW = {"now_us": NOW_US, "decay_rate_per_s": 0.05, "threshold": 0.1}


class Bank:
    """The buffers of many agents."""

    def __init__(self) -> None:
        draw = np.random.default_rng(SEED)
        self.salience = draw.random((BANKS, SLOTS), np.float32)
        order = np.tile(np.arange(SLOTS), (BANKS, 1))
        self.sequence = draw.permuted(order, axis=1).astype(np.int64)
        self.sequence[draw.random((BANKS, SLOTS)) < 0.1] = -1
        self.incoming = draw.random(BANKS, np.float32)
        self.anchor = draw.integers(0, NOW_US, (BANKS, SLOTS))
        self.slot = np.empty(BANKS, np.int32)

    def displace(self) -> None:
        _kernels.displace(self.salience, self.sequence, self.incoming, out=self.slot)

    def numpy_displace(self) -> None:
        free = self.sequence < 0
        first_free = free.argmax(axis=1)
        least = np.where(free, np.inf, self.salience).min(axis=1)
        tied = self.salience == least[:, None]
        oldest = np.where(tied & ~free, self.sequence, np.iinfo(np.int64).max).argmin(axis=1)
        displaced = np.where(self.incoming > least, oldest, -1)
        self.slot[:] = np.where(free.any(axis=1), first_free, displaced)

    def activation(self) -> tuple[np.ndarray, np.ndarray]:
        return _kernels.bank_activation(self.anchor, self.sequence, **LAW)

    def numpy_activation(self) -> tuple[np.ndarray, np.ndarray]:
        age = (np.maximum(NOW_US - self.anchor, 0) * 1e-6).astype(np.float32)
        age *= np.float32(np.log(1 - LAW["decay_rate_per_s"]))
        np.exp(age, out=age)
        age[self.sequence < 0] = 0
        return age, (age >= np.float32(LAW["threshold"])) & (self.sequence >= 0)


def test_displace(claim, benchmark, capsys):
    bank = Bank()
    bank.numpy_displace()
    expected = bank.slot.copy()
    bank.displace()
    assert np.array_equal(expected, bank.slot)
    benchmark.pedantic(bank.displace, rounds=10, warmup_rounds=1)
    best = race({"displace": bank.displace, "numpy": bank.numpy_displace})
    with capsys.disabled():
        print("\n" + table(f"displace, {BANKS:,} buffers, {_kernels.ACTIVE_ISA}", best, {}))
    claim("displace-numpy", best["numpy"] / best["displace"], at_least=4)


def test_activation(claim, benchmark, capsys):
    bank = Bank()
    ours, theirs = bank.activation(), bank.numpy_activation()
    assert np.allclose(ours[0], theirs[0], rtol=1e-5)
    benchmark.pedantic(bank.activation, rounds=10, warmup_rounds=1)
    best = race({"activation": bank.activation, "numpy": bank.numpy_activation})
    with capsys.disabled():
        print("\n" + table(f"activation, {BANKS:,} buffers, {_kernels.ACTIVE_ISA}", best, {}))
    claim("activation-numpy", best["numpy"] / best["activation"], at_least=2)


def test_expired(claim, benchmark, capsys):
    draw = np.random.default_rng(SEED)
    created = draw.integers(0, 2 * NOW_US, TRACES)
    ttl = draw.integers(0, NOW_US, TRACES)
    out, age = np.empty(TRACES, np.bool_), np.empty(TRACES, np.int64)

    def ours() -> None:
        _kernels.expired(created, ttl, now_us=2 * NOW_US, out=out)

    def theirs() -> None:
        np.subtract(2 * NOW_US, created, out=age)
        np.greater_equal(age, ttl, out=out)

    benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    best = race({"expired": ours, "numpy": theirs})
    with capsys.disabled():
        print("\n" + table("expired, 10M traces", best, {"expired": 17 * TRACES}))
    claim("expired-numpy", best["numpy"] / best["expired"])


@pytest.mark.parametrize("texts", [1, 2000])
def test_pool(texts, claim, benchmark, capsys):
    draw = np.random.default_rng(SEED)
    embedding = draw.normal(size=(32_000, 256)).astype(np.float16)
    ids = draw.integers(0, 32_000, 20 * texts).astype(np.int32)
    offsets = np.arange(0, 20 * texts + 1, 20)
    repeats = max(1, 2000 // texts)

    def ours() -> None:
        for _ in range(repeats):
            _kernels.pool_rows(embedding, ids, offsets)

    def theirs() -> None:
        for _ in range(repeats):
            for begin in range(0, ids.size, 20):
                rows = embedding[ids[begin : begin + 20]].astype(np.float32)
                total = rows.sum(axis=0)
                np.sqrt(total @ total)

    benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    best = race({"pool": ours, "numpy": theirs}, rounds=5)
    each_us = best["pool"] / (repeats * texts) * 1e6
    with capsys.disabled():
        print("\n" + table(f"pool, {repeats} x {texts} texts of 20 tokens", best, {}))
    claim(f"pool-{texts}-text-20-tokens", each_us, "us", at_most=20)
    claim(f"pool-{texts}-numpy", best["numpy"] / best["pool"], at_least=2)
