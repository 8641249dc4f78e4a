"""Every metric, storage and way to an answer against brute force."""

import numpy as np
import pytest

from scrubjay.index import Filter, Index, Weights
from tests.reference import metric as reference

DIM, ROWS, QUERIES, K = 24, 1500, 40, 10
SIMILARITY = Weights(relevance=1, recency=0, salience=0, frequency=0)
METRICS = ("cosine", "ip", "l2")
FORMS = [(m, s, kept) for m in METRICS for s in ("f32", "f16", "i8") for kept in (True, False)]
FORMS = [form for form in FORMS if form[0] != "l2" or form[2]]
# What is asked for, as the plan that answers it.
ROUTES = {
    "scan": {"weights": SIMILARITY, "exact": True},
    "matches": {"weights": SIMILARITY, "where": Filter(kinds=[7])},
    "walk": {"weights": SIMILARITY},
    "two_hop": {"weights": SIMILARITY, "where": Filter(kinds=range(10))},
    "composite": {"weights": Weights(relevance=0.7, recency=0.1, salience=0.1, frequency=0.1)},
}

each_form = pytest.mark.parametrize(("metric", "storage", "kept"), FORMS)


def points(metric, count, seed):
    """Rows around thirty centres, far from the origin for l2; of length 1 for ip."""
    draw = np.random.default_rng(seed)
    centres = np.random.default_rng(5).standard_normal((30, DIM))
    rows = centres[draw.integers(0, 30, count)] + 0.5 * draw.standard_normal((count, DIM))
    if metric == "ip":
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows + (4 if metric == "l2" else 0)).astype(np.float32)


def filled(metric, storage, *, kept=True, **options):
    index = Index(DIM, metric=metric, storage=storage, keep_originals=kept, **options)
    draw = np.random.default_rng(3)
    index.add(
        np.arange(ROWS),
        points(metric, ROWS, 1),
        now_us=0,
        kind=np.arange(ROWS) % 40,
        gain=draw.uniform(0.5, 1, ROWS),
        salience=draw.random(ROWS),
        frequency=draw.integers(0, 9, ROWS),
        half_life_us=draw.integers(1, 10**12, ROWS),
    )
    return index


def allowed(where):
    kinds = range(64) if where is None else where.kinds
    return np.flatnonzero(np.isin(np.arange(ROWS) % 40, list(kinds)))


@each_form
@pytest.mark.parametrize("plan", ROUTES)
def test_answers_are_those_of_brute_force(plan, metric, storage, kept):
    index = filled(metric, storage, kept=kept, exact_below=100, connectivity=12)
    asked = ROUTES[plan]
    keys = allowed(asked.get("where"))
    rows = index.vectors(keys)
    gain = index.columns(keys).gain.astype(np.float64)
    found = 0
    for query in points(metric, QUERIES, 2):
        answer = index.search(query, K, now_us=10**11, **asked)
        assert (plan, K) == (answer.plan, len(answer))
        if kept:
            truth = gain * reference.similarity(metric, rows, query)
        else:  # Decoded rows are scored as they are, of a length near 1.
            length = np.linalg.norm(query) if metric == "cosine" else 1
            truth = gain * reference.similarity("ip", rows, query / length)
        at = np.searchsorted(keys, answer.keys)
        assert truth[at] == pytest.approx(answer.similarity, abs=3e-6 if kept else 2e-4)
        prior = answer.recency + answer.salience + answer.frequency
        relevance = asked["weights"].relevance * answer.similarity
        assert relevance + prior == pytest.approx(answer.scores, abs=1e-6)
        if plan == "composite":
            best = index.search(query, K, now_us=10**11, **asked, exact=True)
            found += np.isin(answer.keys, best.keys).sum()
        else:
            least = np.sort(truth)[-K] - (4e-6 if kept else 4e-4)
            found += (truth[at] >= least).sum()
            order = list(zip((-answer.scores).tolist(), answer.keys.tolist(), strict=True))
            assert sorted(order) == order
    exact = plan in ("scan", "matches")
    assert found >= (1.0 if exact else 0.97) * QUERIES * K


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("storage", ["f16", "i8"])
def test_small_rows_beside_their_originals_answer_as_originals_do(metric, storage):
    small, whole = (filled(metric, s, exact_below=10**6) for s in (storage, "f32"))
    for query in points(metric, QUERIES, 2):
        for asked in (ROUTES["scan"], ROUTES["composite"]):
            a, b = (i.search(query, K, now_us=10**11, **asked) for i in (small, whole))
            assert np.array_equal(a.keys, b.keys)
            assert np.array_equal(a.scores, b.scores)


@pytest.mark.parametrize("metric", METRICS)
def test_rows_are_given_back_as_the_metric_keeps_them(metric):
    given = points(metric, ROWS, 1)
    got = filled(metric, "f32").vectors(np.arange(ROWS))
    if metric == "cosine":
        assert np.linalg.norm(got, axis=1) == pytest.approx(np.ones(ROWS), abs=1e-6)
    else:
        assert np.array_equal(given, got)
