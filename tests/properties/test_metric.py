"""What each metric promises for every world."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import _kernels
from scrubjay.base.errors import InvalidArgumentError, UnitError
from scrubjay.index import Index, Weights
from tests.oracle.isas import each_isa

DIM = 6
SIMILARITY = Weights(relevance=1, recency=0, salience=0, frequency=0)
seeds = st.integers(0, 2**32)
storages = st.sampled_from(["f32", "f16", "i8"])


def points(count, seed):
    return np.random.default_rng(seed).standard_normal((count, DIM)).astype(np.float32)


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def answer(metric, rows, query, **options):
    index = Index(DIM, metric=metric, exact_below=options.pop("exact_below", 10**6), **options)
    index.add(np.arange(len(rows)), rows, now_us=0)
    return index.search(query, len(rows), now_us=0, weights=SIMILARITY, exact=True)


@given(seeds, st.integers(1, 90), storages, st.integers(-100, 100), st.integers(-100, 100))
def test_cosine_does_not_see_the_scale(seed, count, storage, row_scale, query_scale):
    rows, query = points(count, seed), points(1, seed + 1)[0]
    plain = answer("cosine", rows, query, storage=storage)
    scaled = answer(
        "cosine", np.ldexp(rows, row_scale), np.ldexp(query, query_scale), storage=storage
    )
    assert np.array_equal(plain.keys, scaled.keys)
    assert np.array_equal(plain.scores, scaled.scores)


@given(seeds, st.integers(1, 90), storages)
def test_ip_is_cosine_on_unit_vectors(seed, count, storage):
    rows, query = unit(points(count, seed)), unit(points(1, seed + 1))[0]
    ip, cosine = (answer(m, rows, query, storage=storage) for m in ("ip", "cosine"))
    by_key = dict(zip(cosine.keys.tolist(), cosine.scores.tolist(), strict=True))
    assert [by_key[key] for key in ip.keys.tolist()] == pytest.approx(ip.scores, abs=5e-7)


@settings(max_examples=150)
@given(
    seeds,
    st.integers(1, 90),
    storages,
    st.sampled_from([1e-30, 1e-3, 1.0, 1e4, 1e14]),
    st.sampled_from([0.0, 1.0, 1e3]),
)
def test_l2_orders_by_distance_to_the_last_bit(seed, count, storage, scale, offset):
    rows = (points(count, seed).astype(np.float64) * scale + offset * scale).astype(np.float32)
    rows[:: max(2, count // 4)] = rows[-1]
    query = rows[count // 2] * np.float32(1.25)
    squares = _kernels.squared_distance_rows(rows, query).astype(np.float64)
    near = (1 / (1 + np.sqrt(squares))).astype(np.float32)
    order = np.lexsort((np.arange(count), -near))
    for threshold in (10**6, 20):
        got = answer("l2", rows, query, storage=storage, exact_below=threshold)
        assert np.array_equal(order, got.keys)
        assert np.array_equal(near[order], got.scores)


@each_isa
@pytest.mark.parametrize("metric", ["ip", "l2"])
@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
def test_answers_do_not_depend_on_instruction_set_or_threads(isa, metric, storage):
    rows, queries = unit(points(400, 1)), unit(points(30, 2))

    def answers(**machine):
        index = Index(DIM, metric=metric, storage=storage, exact_below=50, **machine)
        index.add(np.arange(400), rows, now_us=0, salience=np.linspace(0, 1, 400))
        return [
            (a.plan, a.keys.tolist(), a.scores.tolist())
            for weights in (SIMILARITY, Weights())
            for a in index.search_batch(queries, 5, now_us=9, weights=weights)
        ]

    assert answers(isa="scalar", threads=1) == answers(isa=isa, threads=2)


@given(seeds, st.sampled_from([0.0, 0.9, 0.9985, 1.0015, 2.0, 1e30]))
def test_ip_refuses_what_is_not_of_length_one_and_changes_nothing(seed, length):
    rows = unit(points(5, seed))
    index = Index(DIM, metric="ip")
    index.add(np.arange(5), rows, now_us=0)
    bad = rows.copy()
    bad[3] *= np.float32(length)
    with pytest.raises(UnitError, match="row 3 of vectors"):
        index.add(np.arange(5, 10), bad, now_us=0)
    with pytest.raises(UnitError, match="row 0 of query"):
        index.search(bad[3], 1, now_us=0)
    assert list(range(5)) == index.keys().tolist()


@given(seeds, st.sampled_from([0.9995, 1.0, 1.0005]), storages)
def test_ip_takes_what_rounding_leaves_of_length_one(seed, length, storage):
    rows = unit(points(50, seed)) * np.float32(length)
    got = answer("ip", rows, rows[3], storage=storage)
    dots = np.minimum(_kernels.dot_rows(rows, rows[3]), np.float32(1))
    assert np.array_equal(np.sort(dots)[::-1], got.scores)


def test_the_origin_is_a_point_for_l2_and_nothing_else_is_nearer_to_it():
    rows = np.concatenate([np.zeros((1, DIM), np.float32), points(30, 4)])
    for storage in ("f32", "f16", "i8"):
        got = answer("l2", rows, np.zeros(DIM, np.float32), storage=storage)
        assert (0, 1.0) == (int(got.keys[0]), float(got.scores[0]))


def test_l2_refuses_vectors_whose_squares_leave_float():
    index = Index(DIM, metric="l2")
    far = np.full((1, DIM), 1e18, np.float32)
    with pytest.raises(UnitError, match="length out of range"):
        index.add(np.arange(1), far, now_us=0)
    index.add(np.arange(1), far / 4, now_us=0)
    assert 0 < index.search(-far[0] / 4, 1, now_us=0, weights=SIMILARITY).scores[0] < 1e-17


def test_l2_refuses_small_rows_without_their_originals():
    with pytest.raises(InvalidArgumentError, match="needs the originals"):
        Index(DIM, metric="l2", storage="i8", keep_originals=False)


@pytest.mark.parametrize("metric", ["cosine", "ip", "l2"])
@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
def test_an_opened_index_answers_and_goes_on_as_the_saved_one(metric, storage, tmp_path):
    rows = unit(points(300, 1)) * np.float32(1000 if metric == "l2" else 1)
    index = Index(DIM, metric=metric, storage=storage, exact_below=50)
    index.add(np.arange(200), rows[:200], now_us=0, salience=np.linspace(0, 1, 200))
    index.remove(np.arange(40, 60))
    index.save(tmp_path / "one.sji")
    opened = Index.open(tmp_path / "one.sji")
    assert metric == opened.metric
    for each in (index, opened):
        each.add(np.arange(200, 300), rows[200:], now_us=5)
        each.save(tmp_path / f"{each is index}.sji")
    assert (tmp_path / "True.sji").read_bytes() == (tmp_path / "False.sji").read_bytes()
    for weights in (SIMILARITY, Weights()):
        for a, b in zip(
            index.search_batch(rows[::9].copy(), 7, now_us=9, weights=weights),
            opened.search_batch(rows[::9].copy(), 7, now_us=9, weights=weights),
            strict=True,
        ):
            assert (a.plan, a.keys.tolist(), a.scores.tolist()) == (
                b.plan,
                b.keys.tolist(),
                b.scores.tolist(),
            )
