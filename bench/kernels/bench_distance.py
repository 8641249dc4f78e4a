"""Squared distances of many rows from one query against NumPy.

| workload | size | ours | NumPy |
|---|---|---|---|
| squared distances | 100,000 rows of 256 | squared_distance_rows | subtract, einsum |

Values from numpy's default generator, seed 20000101.
"""

import numpy as np

from bench.kernels.race import race, table
from scrubjay import _kernels

SEED = 20_000_101
ROWS, DIM = 100_000, 256


def test_squared_distances(claim, benchmark, capsys):
    draw = np.random.default_rng(SEED)
    rows = draw.standard_normal((ROWS, DIM), np.float32)
    query = draw.standard_normal(DIM, np.float32)
    apart = np.empty_like(rows)

    def ours() -> np.ndarray:
        return _kernels.squared_distance_rows(rows, query)

    def theirs() -> np.ndarray:
        np.subtract(rows, query, out=apart)
        return np.einsum("ij,ij->i", apart, apart)

    assert np.allclose(ours(), theirs(), rtol=1e-5)
    benchmark.pedantic(ours, rounds=10, warmup_rounds=1)
    best = race({"squared distances": ours, "numpy": theirs})
    title = f"squared distances, {ROWS:,} rows of {DIM}, {_kernels.ACTIVE_ISA}"
    with capsys.disabled():
        print("\n" + table(title, best, {"squared distances": rows.nbytes}))
    claim("squared-distance-numpy", best["numpy"] / best["squared distances"], at_least=2)
