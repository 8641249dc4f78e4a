"""Searches that weigh recency, salience and use, beside plain ones and beside scans.

| workload | ours | beside it |
|---|---|---|
| plain | Index.search by the weights of a world, k = 10, ef 64 | relevance alone, ef 64: a walk |
| scan | the same | ``exact=True``: every row is read |
| prior | the same without a query | the scan for them |

100,000 rows of 256 dimensions as i8 with originals. Worlds and instants are those of
``bench/compare/measures/composite.py``, vectors and queries the mixture of
``bench/compare/worlds.py``; seeds stand there. One query at a time, processor time. Contenders take
turns every 50 queries; a ratio is one of medians, and a claim is the worst of a world's five
instants. ``right`` is the share of answers that are those of the scan.
"""

import pytest

from bench.compare.measures.composite import EF, TERMS, WORLDS, K, lived, timed
from bench.compare.peers.scrubjay_index import PURE
from bench.compare.worlds import World, clustered
from scrubjay.index import Weights

ROWS, DIM, QUERIES, SCANNED = 100_000, 256, 500, 100


@pytest.fixture(scope="module")
def world() -> World:
    return clustered(ROWS, DIM, QUERIES)


@pytest.mark.parametrize("name", WORLDS)
def test_composite(world, name, claim, benchmark):
    weights = Weights(**dict(zip(TERMS, WORLDS[name][1], strict=True)))
    over_plain, under_scan, by_prior, right = [], [], [], []
    for moment in lived(name, world, "i8"):
        index, now_us = moment.index, moment.now_us

        def ask(query, *, exact=False, weights=weights, index=index, now_us=now_us):
            return index.search(query, K, now_us=now_us, weights=weights, ef=EF, exact=exact)

        (answers, composite), (_, plain) = timed(
            world.queries, ask, lambda q, ask=ask: ask(q, weights=PURE)
        )
        (truth, scan), (_, bare), (_, bare_scan) = timed(
            world.queries[:SCANNED],
            lambda q, ask=ask: ask(q, exact=True),
            lambda _, ask=ask: ask(None),
            lambda _, ask=ask: ask(None, exact=True),
        )
        right += [a.keys.tolist() == t.keys.tolist() for a, t in zip(answers, truth, strict=False)]
        over_plain.append(composite / plain)
        under_scan.append(scan / composite)
        by_prior.append(bare_scan / bare)
        print(
            f"{name:<16} {moment.instant:<16} composite {composite * 1e3:6.3f} ms, "
            f"plain {plain * 1e3:6.3f}, scan {scan * 1e3:6.3f}; "
            f"without a query {bare * 1e3:6.3f}, its scan {bare_scan * 1e3:6.3f}"
        )
    benchmark.pedantic(ask, args=(world.queries[0],), rounds=50, warmup_rounds=5)
    claim(f"composite-{name}-plain", max(over_plain), at_most=3)
    claim(f"composite-{name}-scan", min(under_scan), at_least=5)
    claim(f"composite-{name}-prior", min(by_prior), at_least=4)
    claim(f"composite-{name}-right", sum(right) / len(right), "of", at_least=0.995)
