"""Scans of an index with 100,000 rows of 256 dimensions."""

import numpy as np
import pytest

from scrubjay.index import Filter, Index, Weights

ROWS, DIM, K = 100_000, 256, 10
NOW_US = 10**13
MONTH_US = 30 * 86_400_000_000
RELEVANCE = Weights(relevance=1, recency=0, salience=0, frequency=0)

TOPICS = 300


@pytest.fixture(scope="module")
def world():
    """Half the rows scatter, half crowd around topics, where estimates decide least."""
    draw = np.random.default_rng(20_000_101)
    vectors = draw.standard_normal((ROWS, DIM), np.float32)
    topics = draw.standard_normal((TOPICS, DIM), np.float32)
    topic = draw.integers(0, TOPICS, ROWS // 2)
    vectors[::2] = topics[topic] + 0.5 * vectors[::2]
    queries = np.concatenate(
        [
            topics[draw.integers(0, TOPICS, 500)]
            + 0.5 * draw.standard_normal((500, DIM), np.float32),
            draw.standard_normal((500, DIM), np.float32),
        ]
    ).astype(np.float32)
    columns = {
        "last_us": NOW_US - draw.integers(0, MONTH_US, ROWS),
        "half_life_us": draw.choice([14_400_000_000, 172_800_000_000, 2 * MONTH_US], ROWS),
        "salience": draw.random(ROWS, np.float32),
        "frequency": draw.integers(0, 9, ROWS),
        "scope": draw.integers(0, 1000, ROWS),
    }
    return vectors, queries, columns


def filled(world, storage="f32"):
    vectors, _, columns = world
    index = Index(DIM, storage=storage, capacity=ROWS, exact_below=ROWS + 1)
    index.add(np.arange(ROWS), vectors, now_us=NOW_US, **columns)
    return index


@pytest.mark.parametrize("weights", [Weights(), RELEVANCE], ids=["composite", "relevance"])
def test_quantised_scan_gives_the_ids_of_the_f32_scan_on_a_thousand_queries(world, weights):
    _, queries, _ = world
    exact = filled(world).search_batch(queries, K, now_us=NOW_US, weights=weights)
    for storage in ("i8", "f16"):
        got = filled(world, storage).search_batch(queries, K, now_us=NOW_US, weights=weights)
        assert [one.keys.tolist() for one in exact] == [other.keys.tolist() for other in got]
        assert [one.scores.tobytes() for one in exact] == [other.scores.tobytes() for other in got]
        assert (1000, {True}) == (len(got), {other.certified for other in got})


@pytest.mark.parametrize("storage", ["f32", "i8"])
def test_r7_filter_of_a_thousandth_gives_exactly_k_right_ones(world, storage):
    vectors, queries, columns = world
    index = filled(world, storage)
    members = np.flatnonzero(columns["scope"] == 77)
    unit = vectors[members] / np.linalg.norm(vectors[members], axis=1, keepdims=True)
    for query in queries[:20]:
        result = index.search(query, K, now_us=NOW_US, weights=RELEVANCE, where=Filter(scopes=[77]))
        right = members[np.argsort(-(unit @ query), kind="stable")[:K]]
        assert (members.size, K) == (result.matched, len(result))
        assert right.tolist() == result.keys.tolist()


def test_r7_filter_that_admits_fewer_than_k_gives_them_all(world):
    _, queries, columns = world
    few = np.flatnonzero(columns["scope"] == 5)[:4]
    result = filled(world).search(queries[0], K, now_us=NOW_US, where=Filter(keys=few))
    assert few.tolist() == sorted(result.keys.tolist())


def test_r7_every_condition_together_still_gives_k(world):
    index = filled(world)
    index.update(np.arange(0, ROWS, 500), kind=3, authority=2, plane=1, flags=6, quality=0.75)
    where = Filter(
        kinds=[3], planes=[1], authority_min=2, flags_all=2, flags_none=1, quality_min=0.75
    )
    result = index.search(world[1][1], K, now_us=NOW_US, where=where)
    assert (200, K) == (result.matched, len(result))
    assert {0} == {key % 500 for key in result.keys.tolist()}


def test_churn_of_half_the_rows_reuses_their_memory(world):
    index = filled(world)
    before = index.memory_bytes
    vectors = world[0]
    for turn in range(3):
        index.remove(index.keys()[::2].copy())
        index.add(ROWS * (turn + 1) + np.arange(ROWS // 2), vectors[: ROWS // 2], now_us=NOW_US)
    assert ROWS == len(index)
    # Four bytes for each slot that was free at a time, and nothing that grows from turn to turn.
    assert before <= index.memory_bytes <= before + 4 * ROWS
