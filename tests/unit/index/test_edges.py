"""The index at the ends of what it accepts: keys, dimensions, copies, and k beyond the rows."""

import numpy as np
import pytest

from scrubjay.base.errors import ConflictError, UnitError
from scrubjay.index import Index, Weights

NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
ENDS = np.array([-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1])

each_storage = pytest.mark.parametrize("storage", ["f32", "f16", "i8"])


def rows_of(count, dim, seed=5):
    return np.random.default_rng(seed).standard_normal((count, dim), np.float32)


@each_storage
def test_keys_at_the_ends_of_their_range_are_keys_like_others(storage):
    rows = rows_of(len(ENDS), 8)
    index = Index(8, storage=storage)
    index.add(ENDS, rows, now_us=0)
    for key, row in zip(ENDS.tolist(), rows, strict=True):
        assert key in index
        assert [key] == index.search(row, 1, now_us=0, weights=NEAREST).keys.tolist()
    assert ENDS.tolist() == index.keys().tolist()
    with pytest.raises(ConflictError, match=str(2**63 - 1)):
        index.add(ENDS[-1:], rows[:1], now_us=0)
    index.reinforce(ENDS, now_us=7)
    assert [7] * len(ENDS) == index.columns(ENDS).last_us.tolist()
    assert 2 == index.remove(ENDS[[0, -1]])
    assert ENDS[1:-1].tolist() == index.search(None, 99, now_us=0).keys.tolist()
    index.add(ENDS[[0, -1]], rows[[0, -1]], now_us=0)
    assert ENDS.tolist() == index.keys().tolist()


def test_equal_scores_of_keys_at_the_ends_come_in_ascending_order():
    index = Index(2)
    index.add(ENDS[::-1].copy(), np.ones((len(ENDS), 2), np.float32), now_us=0)
    found = index.search(np.ones(2, np.float32), 99, now_us=0)
    assert ENDS.tolist() == found.keys.tolist()


@pytest.mark.parametrize("key", [2**63, -(2**63) - 1])
def test_a_key_beyond_64_bits_is_refused(key):
    with pytest.raises(UnitError, match=r"^Index: key is out of range"):
        assert key in Index(2)


@each_storage
@pytest.mark.parametrize("dim", [1, 2, 65_536])
def test_smallest_and_largest_dimension(storage, dim):
    rows = rows_of(5, dim) if dim > 1 else np.array([[2], [3], [-1], [4], [5]], np.float32)
    index = Index(dim, storage=storage)
    index.add(np.arange(5), rows, now_us=0)
    for key in range(5):
        found = index.search(rows[key], 5, now_us=0, weights=NEAREST)
        assert found.similarity[found.keys.tolist().index(key)] == pytest.approx(1, abs=1e-3)
        assert found.similarity[0] == pytest.approx(1, abs=1e-3)
        assert 5 == len(found)
    index.update(np.array([0]), vectors=rows[1:2])
    index.remove(np.array([1]))
    assert 0 == index.search(rows[1], 1, now_us=0, weights=NEAREST).keys[0]
    unit = rows[1] / np.linalg.norm(rows[1])
    assert index.vectors(np.array([0]))[0] == pytest.approx(unit, abs=2e-2)


@each_storage
def test_ten_thousand_identical_vectors(storage):
    count, dim = 10_000, 16
    rows = np.tile(rows_of(1, dim), (count, 1))
    index = Index(dim, storage=storage)
    index.add(np.arange(count), rows, now_us=0)
    found = index.search(rows[0], 50, now_us=0, weights=NEAREST)
    assert list(range(50)) == found.keys.tolist()
    assert 1 == len(set(found.scores.tolist()))
    index.remove(np.arange(0, count, 2))
    other = -rows[0]
    index.add(np.array([count]), other[None, :], now_us=0)
    assert (
        list(range(1, 100, 2)) == index.search(rows[0], 50, now_us=0, weights=NEAREST).keys.tolist()
    )
    assert [count] == index.search(other, 1, now_us=0, weights=NEAREST).keys.tolist()
    assert count // 2 + 1 == len(index.search(rows[0], 2**62, now_us=0))


def test_an_empty_index_answers_everything_with_nothing():
    index = Index(3)
    nothing = np.empty(0, np.int64)
    index.add(nothing, np.empty((0, 3), np.float32), now_us=0)
    index.update(nothing, salience=np.empty(0))
    index.reinforce(nothing, now_us=0)
    assert 0 == index.remove(nothing)
    assert [0, 0] == [
        len(answer) for answer in index.search_batch(np.ones((2, 3), np.float32), 9, now_us=0)
    ]
    assert 0 == len(index.search(None, 1, now_us=0))
    assert [] == index.keys().tolist()
    assert (0, 3) == index.vectors(nothing).shape


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_an_impossible_number_of_threads_is_refused(threads):
    with pytest.raises(UnitError, match=r"^Index: threads is out of range"):
        Index(2, threads=threads)


def test_batch_answers_do_not_depend_on_the_number_of_threads():
    rows, queries = rows_of(8000, 32), rows_of(300, 32, seed=6)
    answers = []
    for threads in (1, 2, 5, None):
        index = Index(32, storage="i8", threads=threads)
        index.add(np.arange(8000), rows, now_us=0)
        found = index.search_batch(queries, 10, now_us=0)
        answers.append([(a.keys.tobytes(), a.scores.tobytes()) for a in found])
    assert answers[0] == answers[1] == answers[2] == answers[3]
