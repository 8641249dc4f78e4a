"""Worlds at the edge, with a graph and without: held to the scan, the scan to its definition."""

from types import SimpleNamespace

import numpy as np
import pytest

from scrubjay.base.errors import UnitError
from scrubjay.index import FOREVER_US, Filter, Index, Weights
from tests.reference import flat, metric
from tests.worlds import DAY_US, NOW_US, world

ROWS, DIM = 2_000, 12
EVERY = 2**63 - 1
LATEST_US = 2**61
MOST_USES = 2**32 - 1
ENDS = np.array([-(2**63), -(2**63) + 1, -1, 2**63 - 2, 2**63 - 1])
ARRAYS = ("keys", "scores", "relevance", "recency", "salience", "frequency", "similarity")
DEFAULT = Weights()
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
BY_PRIOR = Weights(relevance=0, recency=0.4, salience=0.3, frequency=0.3)
WEIGHTS = (DEFAULT, NEAREST, BY_PRIOR)
FORMS = ("cosine-f32", "cosine-f16", "cosine-i8", "ip-i8", "l2-f32", "l2-i8")

each_form = pytest.mark.parametrize("form", FORMS)
each_way = pytest.mark.parametrize("graph", [True, False], ids=["graph", "scan"])


class Extreme:
    """An index and the rows it was given, with questions that are asked in both ways."""

    def __init__(self, vectors, columns, *, form="cosine-f32", graph=True, keys=None):
        count, dim = vectors.shape
        self.keys = np.arange(count) if keys is None else keys
        self.metric, storage = form.split("-")
        self.vectors = vectors
        options = {"storage": storage, "connectivity": 8, "ef_construction": 60, "threads": 1}
        self.index = Index(dim, metric=self.metric, exact_below=40 if graph else 10**9, **options)
        self.index.add(self.keys, vectors, now_us=0, **columns)
        kept = {name: getattr(self.index.columns(self.keys), name).tolist() for name in columns}
        self.rows = [
            SimpleNamespace(key=key, **{name: values[i] for name, values in kept.items()})
            for i, key in enumerate(self.keys.tolist())
        ]

    def truth(self, query, now_us, weights, where):
        """Return the score of every row that matches, by key, as defined."""
        near = np.zeros(len(self.rows))
        if query is not None:
            near = metric.similarity(self.metric, self.vectors, query)
        return {
            row.key: flat.score(row, None, now_us, weights) + weights.relevance * row.gain * alike
            for row, alike in zip(self.rows, near.tolist(), strict=True)
            if where is None or flat.matches(row, where)
        }

    def ask(self, query, k, weights=DEFAULT, *, now_us=NOW_US, where=None):
        """Hold both answers to what there is; return the ordinary one and whether it is exact."""
        asked = {"now_us": now_us, "weights": weights, "where": where}
        exact = self.index.search(query, k, **asked, exact=True)
        got = self.index.search(query, k, **asked)
        truth = self.truth(query, now_us, weights, where)
        best = sorted(truth.values(), reverse=True)[:k]
        assert exact.certified
        assert (len(truth), len(self.rows)) == (exact.matched, exact.live)
        assert best == pytest.approx(exact.scores.tolist(), rel=4e-6, abs=4e-6)
        for answer in (exact, got):
            assert min(k, len(truth)) == len(answer)
            order = list(zip((-answer.scores).tolist(), answer.keys.tolist(), strict=True))
            assert sorted(set(order)) == order
            own = [truth[key] for key in answer.keys.tolist()]
            assert own == pytest.approx(answer.scores.tolist(), rel=4e-6, abs=4e-6)
        same = all(getattr(exact, a).tobytes() == getattr(got, a).tobytes() for a in ARRAYS)
        assert same or not got.certified
        return got, same


def points(count, dim, form, seed):
    """Return vectors that the metric takes: of length 1 for ip, of any other for l2."""
    drawn = np.random.default_rng(seed).standard_normal((count, dim))
    if form.startswith("ip"):
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    elif form.startswith("l2"):
        drawn *= np.random.default_rng(seed + 1).uniform(0.2, 0.3, (count, 1))
    return drawn.astype(np.float32)


def lived(form, graph, **changed):
    """Return a world of drawn rows, of which some columns are as told."""
    columns, _ = world(ROWS, DIM, 3)
    return Extreme(points(ROWS, DIM, form, 4), columns | changed, form=form, graph=graph)


def queries_for(form, count=12):
    return points(count, DIM, form, 77)


@each_form
@each_way
def test_priors_that_are_all_the_same_leave_the_order_to_similarity(form, graph):
    alike = {"salience": 0.5, "frequency": 7, "half_life_us": DAY_US, "last_us": 5, "gain": 1.0}
    full = {n: np.full(ROWS, value) for n, value in alike.items()}
    extreme = lived(form, graph, **full)
    same = []
    for query in queries_for(form):
        ranked, _ = extreme.ask(query, 10, NEAREST)
        weighed, right = extreme.ask(query, 10, DEFAULT)
        same += [right, set(ranked.keys) == set(weighed.keys)]
        tied, right = extreme.ask(query, 10, BY_PRIOR)
        assert right
        assert list(range(10)) == tied.keys.tolist()
    assert np.mean(same) >= 0.95


@each_form
@each_way
@pytest.mark.parametrize("k", [1, 10])
def test_one_row_of_enormous_prior_comes_first_however_far_it_is(form, graph, k):
    extreme = lived(form, graph, frequency=np.where(np.arange(ROWS) == 1234, MOST_USES, 0))
    for query in (-extreme.vectors[1234], *queries_for(form, 4)):
        for weights in (DEFAULT, BY_PRIOR):
            assert 1234 == extreme.ask(query, k, weights)[0].keys[0]
        others = Filter(kinds=set(range(64)) - {extreme.rows[1234].kind})
        assert 1234 not in extreme.ask(query, k, where=others)[0].keys
        only = Filter(keys=[1234])
        assert [1234] == extreme.ask(query, k, NEAREST, where=only)[0].keys.tolist()


@each_form
@each_way
def test_filters_that_keep_one_row_or_none_or_fewer_than_k(form, graph):
    scope = np.where(np.arange(ROWS) < 3, 99, 1)
    extreme = lived(form, graph, scope=scope, authority=np.arange(ROWS) % 250)
    kept = {
        1: Filter(keys=[ROWS - 1, 10**12]),
        3: Filter(scopes=[99]),
        8: Filter(authority_min=249),
        0: Filter(scopes=[98]),
        ROWS: Filter(scopes=[1, 99]),
    }
    for query in (None, *queries_for(form, 3)):
        for count, where in kept.items():
            for weights in WEIGHTS:
                for k in (1, 9):
                    answer, right = extreme.ask(query, k, weights, where=where)
                    assert min(k, count) == len(answer)
                    assert right or count == ROWS
        for nothing in (Filter(keys=[]), Filter(kinds=()), Filter(event_from_us=LATEST_US)):
            assert 0 == len(extreme.ask(query, 5, where=nothing)[0])


@each_form
@each_way
@pytest.mark.parametrize("k", [1, ROWS - 1, ROWS, ROWS + 1, EVERY])
def test_k_from_one_to_more_than_there_is(form, graph, k):
    extreme = lived(form, graph)
    for query in (None, *queries_for(form, 2)):
        for weights in WEIGHTS:
            answer, right = extreme.ask(query, k, weights)
            assert right or k == 1
            assert min(k, ROWS) == len(answer)


@each_form
@each_way
def test_keys_at_the_ends_are_found_and_filtered_and_come_back(form, graph, tmp_path):
    columns, _ = world(ROWS, DIM, 6)
    keys = np.concatenate([ENDS, np.arange(ROWS - ENDS.size)])
    extreme = Extreme(points(ROWS, DIM, form, 6), columns, form=form, graph=graph, keys=keys)
    extreme.index.save(tmp_path / "ends.sji")
    for index in (extreme.index, Index.open(tmp_path / "ends.sji")):
        extreme.index = index
        for query, key in zip(extreme.vectors, ENDS.tolist(), strict=False):
            assert [key] == extreme.ask(query, 5, where=Filter(keys=[key]))[0].keys.tolist()
        all_five, right = extreme.ask(None, 9, where=Filter(keys=ENDS))
        assert right
        assert ENDS.tolist() == sorted(all_five.keys.tolist())


@each_form
@each_way
def test_ten_thousand_identical_vectors_come_by_their_priors(form, graph):
    count = 10_000
    columns, _ = world(count, DIM, 8)
    columns["gain"][:] = 1
    extreme = Extreme(np.tile(points(1, DIM, form, 8), (count, 1)), columns, form=form, graph=graph)
    for query in (None, extreme.vectors[0], *queries_for(form, 1)):
        for where in (None, Filter(kinds=[1, 2]), Filter(keys=range(0, count, 97))):
            for weights in (DEFAULT, BY_PRIOR):
                assert extreme.ask(query, 10, weights, where=where)[1]
            nearest, _ = extreme.ask(query, 10, NEAREST, where=where)
            assert 1 == len(set(nearest.scores.tolist()))


@each_way
@pytest.mark.parametrize("now_us", [-LATEST_US, -1, 0, NOW_US, LATEST_US])
def test_instants_and_half_lives_at_the_ends_of_their_range(graph, now_us):
    ends = np.array([-LATEST_US, -LATEST_US + 1, -1, 0, 1, NOW_US, LATEST_US - 1, LATEST_US])
    step = np.arange(ROWS)
    extreme = lived(
        "cosine-i8",
        graph,
        last_us=ends[step % 8],
        event_us=ends[step // 8 % 8],
        half_life_us=np.array([1, 2, DAY_US, FOREVER_US - 1, FOREVER_US])[step % 5],
    )
    windows = [
        None,
        Filter(event_from_us=LATEST_US),
        Filter(event_to_us=-LATEST_US),
        Filter(event_to_us=-LATEST_US + 1),
        Filter(event_from_us=-LATEST_US, event_to_us=LATEST_US),
    ]
    by_age = Weights(relevance=0, recency=1, salience=0, frequency=0)
    for query in (None, *queries_for("cosine-i8", 2)):
        for where in windows:
            for weights in (by_age, BY_PRIOR, DEFAULT):
                _, right = extreme.ask(query, 20, weights, now_us=now_us, where=where)
                assert right or weights is DEFAULT


@each_form
@each_way
def test_the_smallest_dimension(form, graph):
    columns, _ = world(400, 1, 9)
    extreme = Extreme(points(400, 1, form, 9), columns, form=form, graph=graph)
    for query in extreme.vectors[:6]:
        for weights in WEIGHTS:
            for k in (1, 10, EVERY):
                _, right = extreme.ask(query, k, weights)
                assert right or k < 400


@each_way
@pytest.mark.parametrize("form", ["cosine-i8", "ip-i8", "l2-f32", "l2-i8"])
def test_the_largest_dimension(form, graph):
    columns, _ = world(48, 1, 9)
    extreme = Extreme(points(48, 65_536, form, 9), columns, form=form, graph=graph)
    for query in extreme.vectors[:2]:
        for weights in WEIGHTS:
            for k in (1, 10, EVERY):
                assert extreme.ask(query, k, weights)[1]


@each_form
@each_way
def test_queries_and_rows_too_small_for_a_normal_float(form, graph):
    tiny = np.float32(1e-42)
    plain, vectors = queries_for(form, 4), points(ROWS, DIM, form, 4)
    if form.startswith("ip"):
        index = lived(form, graph).index
        for query in plain:
            with pytest.raises(UnitError, match="row 0 of query"):
                index.search(query * tiny, 5, now_us=0)
        return
    vectors[::2] *= tiny
    columns, _ = world(ROWS, DIM, 3)
    mixed = Extreme(vectors, columns, form=form, graph=graph)
    for query in (*plain, *(plain * tiny), vectors[0], vectors[1]):
        for weights in WEIGHTS:
            for k in (1, 10):
                _, right = mixed.ask(query, k, weights)
                assert right or weights is not BY_PRIOR
