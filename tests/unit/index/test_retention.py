"""The exact index: small worlds whose answers can be read off."""

import threading

import numpy as np
import pytest

from scrubjay.base.errors import (
    ArgumentTypeError,
    CapacityError,
    ConflictError,
    InvalidArgumentError,
    NotFoundError,
    ShapeError,
    UnitError,
)
from scrubjay.index import FOREVER_US, Filter, Index, Weights

KEYS = np.array([10, 20, 30])
ROWS = np.array([[1, 0], [1, 1], [0, 1]], np.float32)
EAST = np.array([1, 0], np.float32)
SIMILARITY = Weights(relevance=1, recency=0, salience=0, frequency=0)
RECENCY = Weights(relevance=0, recency=1, salience=0, frequency=0)

each_storage = pytest.mark.parametrize("storage", ["f32", "f16", "i8"])


def filled(**options):
    index = Index(2, **options)
    index.add(KEYS, ROWS, now_us=0)
    return index


def state(index):
    """Everything a refused call must leave as it was."""
    keys = index.keys()
    kept = index.columns(keys)
    columns = [getattr(kept, name).tolist() for name in kept.__slots__]
    return keys.tolist(), columns, index.vectors(keys).tolist()


@each_storage
def test_nearest_comes_first(storage):
    result = filled(storage=storage).search(EAST, 3, now_us=0, weights=SIMILARITY)
    assert [10, 20, 30] == result.keys.tolist()
    assert [1, 0.7071, 0] == pytest.approx(result.similarity.tolist(), abs=1e-4)
    assert (3, 3, True, True) == (result.matched, result.live, result.certified, result.bound_met)


def test_terms_add_up_to_the_score_exactly():
    index = filled()
    index.update(KEYS, salience=[0.1, 0.7, 0.3], frequency=[3, 1, 4], half_life_us=9_000_000)
    r = index.search(EAST, 3, now_us=5_000_000)
    expected = r.relevance + ((r.recency + r.salience) + r.frequency)
    assert expected.tobytes() == r.scores.tobytes()
    assert (np.float32(0.5) * r.similarity).tobytes() == r.relevance.tobytes()


def test_equal_scores_come_in_ascending_key():
    index = Index(2)
    index.add(np.array([7, -3, 5]), np.ones((3, 2), np.float32), now_us=0)
    assert [-3, 5, 7] == index.search(EAST, 3, now_us=0).keys.tolist()


def test_half_life_halves_recency_and_forever_keeps_it():
    index = filled()
    index.update(KEYS, half_life_us=[1_000_000, 2_000_000, FOREVER_US])
    r = index.search(None, 3, now_us=2_000_000, weights=RECENCY)
    assert [30, 20, 10] == r.keys.tolist()
    assert [1, 0.5, 0.25] == pytest.approx(r.recency.tolist(), rel=1e-6)
    assert 1 == r.recency[0]


def test_f8_equal_age_is_equal_recency_and_negative_age_counts_as_zero():
    index = filled()
    index.update(KEYS, half_life_us=1_000_000, last_us=[5_000_000, 5_000_000, 9_000_000])
    at_five = index.search(None, 3, now_us=5_000_000, weights=RECENCY)
    assert [1.0, 1.0, 1.0] == at_five.recency.tolist()
    later = index.search(None, 3, now_us=6_000_000, weights=RECENCY)
    assert ([30, 10, 20], later.recency[1]) == (later.keys.tolist(), later.recency[2])


def test_very_old_rows_have_recency_zero_and_no_nan():
    index = filled()
    index.update(KEYS, half_life_us=1, last_us=-(2**61))
    r = index.search(None, 3, now_us=2**61, weights=RECENCY)
    assert [0.0, 0.0, 0.0] == r.recency.tolist()


def test_saturating_frequency_stops_at_one():
    index = Index(2, frequency="saturating", frequency_ceiling=9)
    index.add(KEYS, ROWS, now_us=0, frequency=[0, 9, 4_000_000_000])
    frequency = Weights(relevance=0, recency=0, salience=0, frequency=1)
    r = index.search(None, 3, now_us=0, weights=frequency)
    assert [20, 30, 10] == r.keys.tolist()
    assert [1, 1, 0] == r.frequency.tolist()


def test_gain_scales_the_cosine():
    index = filled()
    index.update(KEYS, gain=[0.25, 1, 1])
    r = index.search(EAST, 2, now_us=0, weights=SIMILARITY)
    assert [20, 10] == r.keys.tolist()
    assert 0.25 == r.similarity[1]


def test_reinforcing_resets_age_and_counts():
    index = filled()
    index.reinforce(KEYS[:2], now_us=7, count=3)
    index.reinforce(KEYS[:1], now_us=5)
    kept = index.columns(KEYS)
    assert ([7, 7, 0], [4, 3, 0]) == (kept.last_us.tolist(), kept.frequency.tolist())


def test_reinforcing_stops_at_the_largest_count():
    index = filled()
    index.update(KEYS, frequency=2**32 - 2)
    index.reinforce(KEYS, now_us=1, count=5)
    assert [2**32 - 1] * 3 == index.columns(KEYS).frequency.tolist()


def test_removed_rows_leave_no_ghost_and_their_room_is_used_again():
    index = filled()
    before = index.memory_bytes
    assert 2 == index.remove(KEYS[:2])
    assert [30] == index.search(EAST, 9, now_us=0).keys.tolist()
    index.add(np.array([40, 50]), -ROWS[:2], now_us=0)
    assert [30, 40, 50] == index.keys().tolist()
    assert [30, 50, 40] == index.search(EAST, 9, now_us=0, weights=SIMILARITY).keys.tolist()
    assert before + 2 * 4 == index.memory_bytes  # The list of free slots had room for two.
    assert (10 in index, 40 in index, 3) == (False, True, len(index))


@each_storage
def test_r9_updated_vector_forgets_its_old_meaning(storage):
    index = filled(storage=storage)
    index.update(KEYS[:1], vectors=np.array([[0, -5]], np.float32))
    r = index.search(EAST, 3, now_us=0, weights=SIMILARITY)
    assert [20, 10, 30] == r.keys.tolist()


def test_replacing_overwrites_known_rows_and_adds_the_others():
    index = filled()
    index.add(np.array([30, 40]), ROWS[:2], now_us=9, salience=0.9, replace=True)
    assert [10, 20, 30, 40] == index.keys().tolist()
    assert [0, 9] == index.columns(np.array([20, 30])).last_us.tolist()
    assert [[1, 0]] == index.vectors(np.array([30])).tolist()


def test_similarity_of_all_rows_comes_in_ascending_key():
    keys, values = filled(storage="i8").similarity(EAST, where=Filter(keys=[30, 10]))
    assert ([10, 30], [1, 0]) == (keys.tolist(), values.tolist())


@each_storage
@pytest.mark.parametrize("count", [64, 100])
def test_similarity_of_all_rows_is_that_of_a_search(storage, count):
    draw = np.random.default_rng(5)
    index = Index(7, storage=storage)
    keys = draw.permutation(count).astype(np.int64)
    gain = draw.uniform(0.5, 1, count)
    index.add(keys, draw.standard_normal((count, 7), np.float32), now_us=0, gain=gain)
    query = draw.standard_normal(7).astype(np.float32)
    found = index.search(query, count, now_us=0, weights=SIMILARITY)
    by_key = np.argsort(found.keys)
    all_keys, values = index.similarity(query)
    assert list(range(count)) == all_keys.tolist()
    assert found.similarity[by_key].tobytes() == values.tobytes()


def test_zero_vectors_are_orthogonal_to_everything_where_allowed():
    index = Index(2, storage="i8")
    index.add(KEYS, np.zeros((3, 2), np.float32), now_us=0, allow_zero=True)
    assert [0, 0, 0] == index.search(EAST, 3, now_us=0).similarity.tolist()


def test_batch_answers_equal_single_ones():
    draw = np.random.default_rng(1)
    index = Index(5)
    index.add(np.arange(300), draw.standard_normal((300, 5), np.float32), now_us=0)
    queries = draw.standard_normal((37, 5), np.float32)
    for query, answer in zip(queries, index.search_batch(queries, 7, now_us=9), strict=True):
        single = index.search(query, 7, now_us=9)
        assert single.keys.tolist() == answer.keys.tolist()
        assert single.scores.tobytes() == answer.scores.tobytes()
    assert () == index.search_batch(np.empty((0, 5), np.float32), 3, now_us=0)


def test_r8_empty_store_large_k_and_k_below_one():
    assert 0 == len(Index(2).search(EAST, 5, now_us=0))
    assert 3 == len(filled().search(EAST, 2**40, now_us=0))
    for k in (0, -1):
        with pytest.raises(ValueError, match=f"Index.search: k is out of range, got {k}"):
            filled().search(EAST, k, now_us=0)


@pytest.mark.parametrize(
    ("query", "error", "text"),
    [
        (np.zeros(2, np.float32), UnitError, "row 0 of query is the zero vector"),
        (np.array([1, np.nan], np.float32), UnitError, r"query\[0, 1\] is not finite, got nan"),
        (np.array([np.inf, 1], np.float32), UnitError, r"query\[0, 0\] is not finite, got inf"),
        (np.ones(3, np.float32), ShapeError, "wrong dimension, got 3, expected 2"),
        (np.ones((1, 2), np.float32), ShapeError, "wrong shape"),
        (np.ones(2), ShapeError, "wrong dtype, got float64"),
        ([1.0, 0.0], ArgumentTypeError, "not a NumPy array, got list"),
    ],
)
def test_r11_bad_query_is_refused(query, error, text):
    with pytest.raises(error, match=f"^Index.search: .*{text}"):
        filled().search(query, 1, now_us=0)


@pytest.mark.parametrize(
    ("rows", "error", "text"),
    [
        (np.array([[1, 0], [0, 0]], np.float32), UnitError, "row 1 of vectors is the zero vector"),
        (np.array([[1, 0], [np.nan, 0]], np.float32), UnitError, r"vectors\[1, 0\] is not finite"),
        (np.array([[1, np.inf], [1, 0]], np.float32), UnitError, r"vectors\[0, 1\] is not finite"),
        (np.ones((2, 3), np.float32), ShapeError, r"got \(2, 3\), expected \(2, 2\)"),
        (np.ones((3, 2), np.float32), ShapeError, r"got \(3, 2\), expected \(2, 2\)"),
        (np.ones((2, 2)), ShapeError, "wrong dtype, got float64"),
        (np.ones((4, 2), np.float32)[::2], ShapeError, "not C-contiguous"),
    ],
)
def test_r11_bad_rows_are_refused_before_any_change(rows, error, text):
    index = filled()
    before = state(index)
    with pytest.raises(error, match=f"^Index.add: .*{text}"):
        index.add(np.array([40, 50]), rows, now_us=0)
    with pytest.raises(error, match=r"^Index\.update: "):
        index.update(KEYS[:2], vectors=rows)
    assert before == state(index)


def test_known_repeated_and_unknown_keys_are_refused_before_any_change():
    index = filled()
    before = state(index)
    with pytest.raises(ConflictError, match=r"keys\[1\] is already present, got 20"):
        index.add(np.array([40, 20]), ROWS[:2], now_us=0)
    with pytest.raises(ConflictError, match=r"keys\[1\] stands twice in one batch, got 40"):
        index.add(np.array([40, 40]), ROWS[:2], now_us=0, replace=True)
    unknown = np.array([10, 99])
    for change in (
        lambda: index.update(unknown, salience=0.9),
        lambda: index.reinforce(unknown, now_us=5),
        lambda: index.remove(unknown),
        lambda: index.columns(unknown),
        lambda: index.vectors(unknown),
    ):
        with pytest.raises(NotFoundError, match=r"keys\[1\] is unknown, got 99"):
            change()
    assert before == state(index)


def test_missing_rows_may_be_ignored_on_removal():
    assert 1 == filled().remove(np.array([99, 10]), missing="ignore")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"dim": 0}, UnitError),
        ({"dim": 65_537}, UnitError),
        ({"dim": 2.5}, ArgumentTypeError),
        ({"dim": 2, "storage": "f64"}, InvalidArgumentError),
        ({"dim": 2, "frequency": "saturating"}, InvalidArgumentError),
        ({"dim": 2, "frequency_ceiling": 5}, InvalidArgumentError),
        ({"dim": 2, "frequency": "saturating", "frequency_ceiling": 0}, UnitError),
        ({"dim": 2, "capacity": -1}, UnitError),
        ({"dim": 2, "isa": "sse9"}, InvalidArgumentError),
    ],
)
def test_impossible_options_are_refused(options, error):
    with pytest.raises(error):
        Index(**options)


def test_what_is_no_key_array_is_refused():
    index = filled()
    for keys in ([40], 40, None):
        with pytest.raises(ArgumentTypeError, match="keys is not a NumPy array"):
            index.add(keys, ROWS[:1], now_us=0)
    with pytest.raises(ShapeError, match="wrong dtype, got int32"):
        index.add(np.array([40], np.int32), ROWS[:1], now_us=0)


def test_missing_word_is_refused():
    with pytest.raises(InvalidArgumentError, match="missing is unknown, got 'skip'"):
        filled().remove(KEYS, missing="skip")


def test_without_originals_rows_are_read_as_kept():
    index = Index(2, storage="i8", keep_originals=False)
    index.add(KEYS, ROWS, now_us=0)
    scale = np.float32(np.float32(1) / np.sqrt(np.float32(2)))
    assert pytest.approx(scale, abs=1e-3) == index.vectors(KEYS)[1, 0]
    assert [10, 20, 30] == index.search(EAST, 3, now_us=0, weights=SIMILARITY).keys.tolist()


def test_repr_tells_dimension_storage_and_rows():
    assert "Index(dim=2, metric='cosine', storage='f32', rows=3)" == repr(filled())


def test_searches_run_while_another_thread_writes():
    index = Index(8, storage="i8")
    draw = np.random.default_rng(3)
    index.add(np.arange(500), draw.standard_normal((500, 8), np.float32), now_us=0)
    stop = threading.Event()
    problems = []

    def read():
        while not stop.is_set():
            result = index.search(np.ones(8, np.float32), 5, now_us=1)
            if len(result) != 5 or not np.all(np.diff(result.scores) <= 0):
                problems.append(result)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for key in range(500, 1500):
        index.add(np.array([key]), draw.standard_normal((1, 8), np.float32), now_us=0)
        index.remove(np.array([key - 500]))
    stop.set()
    for reader in readers:
        reader.join()
    assert [] == problems
    assert list(range(1000, 1500)) == index.keys().tolist()


def test_capacity_beyond_the_memory_of_the_machine_is_refused_not_killed():
    with pytest.raises(CapacityError, match=r"Index: rows need more memory.*4000000000"):
        Index(4, capacity=4_000_000_000)


def test_columns_and_keys_take_less_than_seventy_five_bytes_a_row():
    rows = 20_000
    index = Index(4, storage="i8", keep_originals=False, capacity=rows)
    reserved = index.memory_bytes
    index.add(np.arange(rows) * 7, np.ones((rows, 4), np.float32), now_us=0)
    assert reserved == index.memory_bytes
    assert index.memory_bytes < (64 + 8 + 75) * (rows + 64)
