"""The index once it has grown a graph: what a walk finds, under change and under filters."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.index import Filter, Index, Weights

SIMILARITY = Weights(relevance=1, recency=0, salience=0, frequency=0)
DIM = 32
STORAGES = ("f32", "f16", "i8")


def rows_of(count: int, seed: int = 0) -> np.ndarray:
    """Return rows around forty centres."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).standard_normal((40, DIM))
    rows = centres[rng.integers(0, 40, count)] + 0.8 * rng.standard_normal((count, DIM))
    return rows.astype(np.float32)


def grown(count: int, *, storage: str = "f32", threads: int = 1, **columns: object) -> Index:
    """Return an index that has had a graph from the first hundred rows on."""
    index = Index(DIM, storage=storage, exact_below=100, connectivity=12, threads=threads)
    index.add(np.arange(count), rows_of(count), now_us=0, **columns)
    return index


def recall(index: Index, *, where: Filter | None = None, k: int = 10) -> float:
    """Return the share of the exact answers to fifty queries that walks find."""
    queries = rows_of(50, seed=7)
    if index.metric == "ip":
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    options = {"now_us": 0, "weights": SIMILARITY, "where": where}
    exact = index.search_batch(queries, k, exact=True, **options)
    walked = index.search_batch(queries, k, **options)
    assert all(len(a) == len(b) for a, b in zip(exact, walked, strict=True))
    return np.mean(
        [np.isin(a.keys, b.keys).mean() for a, b in zip(exact, walked, strict=True)]
    ).item()


@pytest.mark.parametrize("storage", STORAGES)
def test_a_walk_finds_nearly_all_that_a_scan_finds(storage: str):
    index = grown(4000, storage=storage)
    answer = index.search(rows_of(1, seed=3)[0], 10, now_us=0, weights=SIMILARITY)
    assert (answer.plan, answer.certified, answer.bound_met) == ("walk", False, True)
    assert recall(index) >= 0.98


def test_few_rows_are_scanned_and_more_promote_by_themselves():
    index = Index(DIM, exact_below=500)
    rows = rows_of(600)
    query = rows[0]
    index.add(np.arange(499), rows[:499], now_us=0)
    assert index.search(query, 3, now_us=0, weights=SIMILARITY).plan == "scan"
    index.add(np.arange(499, 600), rows[499:], now_us=0)
    assert index.search(query, 3, now_us=0, weights=SIMILARITY).plan == "walk"
    index.remove(np.arange(50, 600))
    assert index.search(query, 3, now_us=0, weights=SIMILARITY).plan == "scan"


@pytest.mark.parametrize("storage", STORAGES)
def test_answers_do_not_depend_on_the_number_of_threads(storage: str):
    queries = rows_of(40, seed=5)
    answers = [
        grown(3000, storage=storage, threads=threads).search_batch(
            queries, 10, now_us=0, weights=SIMILARITY
        )
        for threads in (1, 2, 3)
    ]
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(a.keys, b.keys)
            np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize(("metric", "shortest"), [("ip", 1.0), ("l2", 1.0), ("l2", 0.25)])
def test_walks_find_the_nearest_by_inner_product_and_by_distance(metric, shortest, storage):
    rows = rows_of(3000)
    if metric == "ip":
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows *= np.random.default_rng(8).uniform(shortest, 1, (3000, 1)).astype(np.float32)
    index = Index(DIM, metric=metric, storage=storage, exact_below=100, connectivity=12)
    index.add(np.arange(3000), rows, now_us=0)
    assert recall(index) >= 0.98


def test_churn_keeps_recall_and_memory_and_leaves_no_ghosts():
    index = grown(3000)
    rng = np.random.default_rng(1)
    live, fresh = np.arange(3000), 3000
    before = recall(index)
    index.remove(live[:750])
    index.add(np.arange(fresh, fresh + 750), rows_of(750, seed=50), now_us=0)
    live, fresh = np.concatenate([live[750:], np.arange(fresh, fresh + 750)]), fresh + 750
    memory = index.memory_bytes
    for turn in range(12):
        gone = rng.choice(live, 750, replace=False)
        index.remove(gone)
        live = np.setdiff1d(live, gone)
        index.add(np.arange(fresh, fresh + 750), rows_of(750, seed=100 + turn), now_us=0)
        live, fresh = np.concatenate([live, np.arange(fresh, fresh + 750)]), fresh + 750
        found = index.search_batch(rows_of(20, seed=turn), 50, now_us=0, weights=SIMILARITY)
        assert set(np.concatenate([a.keys for a in found])) <= set(live)
    np.testing.assert_array_equal(index.keys(), np.sort(live))
    assert recall(index) >= before - 0.01
    assert index.memory_bytes <= 1.1 * memory


def test_a_new_vector_moves_its_row_and_keeps_its_columns():
    index = grown(2000, salience=0.25, kind=3)
    moved = np.arange(0, 2000, 10)
    rows = rows_of(len(moved), seed=11)
    index.update(moved, vectors=rows)
    for key, row in zip(moved[:40], rows[:40], strict=True):
        answer = index.search(row, 1, now_us=0, weights=SIMILARITY)
        assert (answer.keys.tolist(), answer.plan) == ([key], "walk")
    assert set(index.columns(moved).kind) == {3}
    assert len(index) == 2000
    assert recall(index) >= 0.98


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1, 0.3, 0.7])
@pytest.mark.parametrize("spread", ["random", "clustered"])
def test_a_filter_never_costs_a_hit(share: float, spread: str):
    count = 6000
    rows = rows_of(count)
    order = np.random.default_rng(2).permutation(count)
    if spread == "clustered":
        order = np.argsort(rows[:, 0])
    kind = np.zeros(count, np.uint8)
    kind[order[: int(share * count)]] = 1
    index = grown(count, kind=kind)
    assert recall(index, where=Filter(kinds=[1])) >= 0.97
    plan = index.search(rows[0], 5, now_us=0, weights=SIMILARITY, where=Filter(kinds=[1])).plan
    assert plan == ("matches" if share <= 0.01 else "two_hop" if share < 0.5 else "walk")


def test_removed_rows_never_come_back():
    index = grown(2500)
    query = rows_of(1, seed=21)[0]
    for _ in range(40):
        answer = index.search(query, 20, now_us=0, weights=SIMILARITY)
        index.remove(answer.keys[:10])
        after = index.search(query, 20, now_us=0, weights=SIMILARITY)
        assert not np.isin(answer.keys[:10], after.keys).any()
        assert len(after) == 20


def test_ten_thousand_identical_rows_answer_as_many_as_asked_for():
    index = Index(8, exact_below=100, connectivity=8)
    index.add(np.arange(10_000), np.ones((10_000, 8), np.float32), now_us=0)
    answer = index.search(np.ones(8, np.float32), 100, now_us=0, weights=SIMILARITY)
    assert len(set(answer.keys.tolist())) == 100
    assert np.allclose(answer.scores, 1.0)
