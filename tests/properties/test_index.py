"""What the exact index promises for every world: answers of the definition, whatever is asked."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import _kernels
from scrubjay.index import Filter, Index, Weights
from tests.oracle.isas import each_isa, same_bits
from tests.reference import flat as reference
from tests.worlds import DAY_US, NOW_US, filters, weights, world

DIM = 5


def rows_of(index, columns, vectors, keys):
    kept = index.columns(keys)
    return [
        SimpleNamespace(
            key=int(key),
            vector=vectors[i].astype(np.float64),
            **{name: getattr(kept, name)[i].item() for name in columns},
        )
        for i, key in enumerate(keys)
    ]


def filled(count, seed, **options):
    columns, vectors = world(count, DIM, seed)
    index = Index(DIM, **options)
    keys = np.random.default_rng(seed).permutation(3 * count)[:count].astype(np.int64)
    index.add(keys, vectors, now_us=0, **columns)
    return index, rows_of(index, columns, vectors, keys)


@settings(max_examples=60)
@given(st.integers(0, 200), st.integers(1, 12), filters, weights, st.integers(0, 5))
def test_answers_are_those_of_the_definition(count, k, where, asked, seed):
    index, rows = filled(count, seed)
    query = np.random.default_rng(seed + 1).standard_normal(DIM).astype(np.float32)
    result = index.search(query, k, now_us=NOW_US, weights=asked, where=where)
    by_key = {row.key: row for row in rows if reference.matches(row, where)}
    assert (len(by_key), count) == (result.matched, result.live)
    assert min(k, len(by_key)) == len(result)
    truth = [reference.score(by_key[key], query, NOW_US, asked) for key in result.keys.tolist()]
    assert truth == pytest.approx(result.scores.tolist(), rel=2e-6, abs=2e-6)
    best = sorted((reference.score(r, query, NOW_US, asked) for r in by_key.values()), reverse=True)
    assert best[:k] == pytest.approx(truth, rel=4e-6, abs=4e-6)
    order = list(zip((-result.scores).tolist(), result.keys.tolist(), strict=True))
    assert sorted(order) == order


@settings(max_examples=30)
@given(st.integers(1, 300), st.integers(0, 3))
def test_every_term_is_that_of_the_definition(count, seed):
    index, rows = filled(count, seed, frequency="saturating", frequency_ceiling=20)
    query = np.ones(DIM, np.float32)
    result = index.search(query, count, now_us=50 * DAY_US)
    by_key = {row.key: row for row in rows}
    for i, key in enumerate(result.keys.tolist()):
        terms = reference.terms(by_key[key], query, 50 * DAY_US, Weights(), ceiling=20)
        for name, value in vars(terms).items():
            assert value == pytest.approx(getattr(result, name)[i], rel=4e-6, abs=1e-6), name


@each_isa
@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
@pytest.mark.parametrize("keep_originals", [True, False])
def test_every_set_gives_the_same_bits(storage, keep_originals, isa):
    options = {"storage": storage, "keep_originals": keep_originals}
    plain, _ = filled(200, 7, isa="scalar", **options)
    index, _ = filled(200, 7, isa=isa, **options)
    query = np.random.default_rng(8).standard_normal(DIM).astype(np.float32)
    for where in (None, Filter(kinds=[1, 2])):
        expected = plain.search(query, 20, now_us=DAY_US, where=where)
        got = index.search(query, 20, now_us=DAY_US, where=where)
        for name in ("keys", "scores", "relevance", "recency", "salience", "frequency"):
            assert same_bits(getattr(expected, name), getattr(got, name))


@pytest.mark.parametrize("storage", ["f16", "i8"])
@given(st.integers(1, 400), st.integers(1, 30), weights, st.integers(0, 9))
@settings(max_examples=40)
def test_quantised_rows_with_originals_answer_as_f32(storage, count, k, asked, seed):
    exact, _ = filled(count, seed)
    index, _ = filled(count, seed, storage=storage)
    query = np.random.default_rng(seed + 2).standard_normal(DIM).astype(np.float32)
    expected = exact.search(query, k, now_us=30 * DAY_US, weights=asked)
    got = index.search(query, k, now_us=30 * DAY_US, weights=asked)
    assert same_bits(expected.keys, got.keys)
    assert same_bits(expected.scores, got.scores)


@given(st.lists(st.tuples(st.sampled_from(["add", "remove", "move", "use"]), st.integers(0, 25))))
@settings(max_examples=60)
def test_any_history_of_changes_leaves_what_a_fresh_index_would_hold(history):
    index, kept, key = Index(DIM, storage="i8"), {}, 0
    for act, pick in history:
        vector = np.random.default_rng(pick).standard_normal((1, DIM), np.float32)
        target = sorted(kept)[pick % len(kept)] if kept else None
        if act == "add":
            index.add(np.array([key]), vector, now_us=pick, half_life_us=1 + pick)
            kept[key] = [vector, pick, 0, 1 + pick]
            key += 1
        elif target is not None and act == "remove":
            index.remove(np.array([target]))
            del kept[target]
        elif target is not None and act == "move":
            index.update(np.array([target]), vectors=vector)
            kept[target][0] = vector
        elif target is not None:
            index.reinforce(np.array([target]), now_us=pick)
            kept[target][1:3] = max(kept[target][1], pick), kept[target][2] + 1
    fresh = Index(DIM)
    for k, (vector, last_us, frequency, half_life_us) in sorted(kept.items()):
        fresh.add(
            np.array([k]), vector, now_us=last_us, frequency=frequency, half_life_us=half_life_us
        )
    query = np.ones(DIM, np.float32)
    expected, got = (i.search(query, len(kept) + 1, now_us=30) for i in (fresh, index))
    assert sorted(kept) == index.keys().tolist()
    assert same_bits(expected.keys, got.keys)
    assert same_bits(expected.scores, got.scores)


@given(
    st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=130).filter(any),
    st.integers(0, 2**20),
)
def test_estimate_of_a_coded_row_is_within_its_bound(values, seed):
    row = np.array(values, np.float32)
    row = (row.astype(np.float64) / np.linalg.norm(row.astype(np.float64))).astype(np.float32)
    query = np.random.default_rng(seed).standard_normal(row.size)
    query = (query / np.linalg.norm(query)).astype(np.float32)
    codes, scale, residual = _kernels.encode_i8(row)
    words, step, per_residual, fixed = _kernels.encode_query(query)
    estimate = step * scale * _kernels.dot(codes, words)
    assert abs(estimate - _kernels.dot(row, query)) <= per_residual * residual + fixed
