"""What walks find under each metric, among real texts.

| workload | rows |
|---|---|
| ip | the embeddings as they are, of length 1 |
| l2-1 | the same points by distance |
| l2-2 | each stretched by a drawn factor, log-uniform from 1/2 to 2 |
| l2-5 | the same from 1/5 to 5 |

20,000 embeddings of 256 by the default embedder (texts of ``bench/compare/worlds.py``), as
f32 and as i8 with originals, default graph, ef 64, 500 held-out queries that are stretched alike. A
recall is the share of the ten nearest by ``exact=True`` that the walk finds. Seed 20000101.
"""

import numpy as np
import pytest

from bench.compare.worlds import ROOT, SEED, World, real
from scrubjay.index import Index, Weights

ROWS, QUERIES, K, EF = 20_000, 500, 10, 64
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
LEAST = {"ip": 0.97, "l2-1": 0.97, "l2-2": 0.95, "l2-5": None}


@pytest.fixture(scope="module")
def world() -> World:
    return real("static", ROOT / "build" / "bench-cache").asked(QUERIES)


def stretched(rows, most, seed):
    """Return rows of lengths between 1 / most and most."""
    powers = np.random.default_rng(seed).uniform(-1, 1, (len(rows), 1))
    return (rows * most**powers).astype(np.float32)


@pytest.mark.parametrize("storage", ["f32", "i8"])
@pytest.mark.parametrize("name", LEAST)
def test_metrics(world, name, storage, claim):
    metric, _, most = name.partition("-")
    factor = float(most or 1)
    index = Index(world.dim, metric=metric, storage=storage, exact_below=0)
    index.add(np.arange(ROWS), stretched(world.rows[:ROWS], factor, SEED), now_us=0)
    queries = stretched(world.queries, factor, SEED + 1)
    found = index.search_batch(queries, K, now_us=0, weights=NEAREST, ef=EF)
    truth = index.search_batch(queries, K, now_us=0, weights=NEAREST, exact=True)
    assert {"walk"} == {answer.plan for answer in found}
    shares = [np.isin(t.keys, f.keys).mean() for f, t in zip(found, truth, strict=True)]
    claim(f"metrics-{name}-{storage}-recall", np.mean(shares), "of", at_least=LEAST[name])
