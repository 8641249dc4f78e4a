"""Memory that an index takes ahead of its rows."""

import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.base.errors import ArgumentTypeError, CapacityError, UnitError
from scrubjay.index import Index, Weights

DIM = 16
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)


def rows_of(count, seed=0):
    """Return rows of numbers."""
    return np.random.default_rng(seed).standard_normal((count, DIM), np.float32)


def resident_bytes():
    """Return the memory that this process has touched."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
def test_reserved_rows_come_without_more_memory(storage):
    index = Index(DIM, storage=storage)
    index.add(np.arange(100), rows_of(100), now_us=0)
    index.reserve(5000)
    reserved = index.memory_bytes
    index.add(np.arange(100, 3000), rows_of(2900), now_us=0)
    index.add(np.arange(3000, 5000), rows_of(2000), now_us=0)
    assert reserved == index.memory_bytes
    index.reserve(10)
    assert reserved == index.memory_bytes


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")
def test_reserving_touches_no_memory():
    index = Index(256)
    before = resident_bytes()
    index.reserve(500_000)
    assert index.memory_bytes > 500_000 * 1024
    assert resident_bytes() < before + 50_000_000


@pytest.mark.parametrize("rows", [2**32, 2**60, 2**64 - 1])
def test_more_than_can_be_had_is_refused_and_nothing_has_changed(rows):
    index = Index(DIM)
    index.add(np.arange(100), rows_of(100), now_us=0)
    memory = index.memory_bytes
    with pytest.raises(CapacityError, match=r"Index\.reserve: rows need more memory"):
        index.reserve(rows)
    assert (memory, 100) == (index.memory_bytes, len(index))


@pytest.mark.parametrize(
    ("rows", "error"), [(-1, UnitError), (2**64, UnitError), (1.5, ArgumentTypeError)]
)
def test_a_number_that_is_none_of_rows_is_refused(rows, error):
    with pytest.raises(error, match=r"Index\.reserve: rows"):
        Index(DIM).reserve(rows)


def test_what_is_reserved_changes_no_byte_of_a_file(tmp_path):
    plain, roomy = (Index(DIM, exact_below=200) for _ in range(2))
    roomy.reserve(5000)
    for index, name in ((plain, "plain"), (roomy, "roomy")):
        index.add(np.arange(400), rows_of(400), now_us=0)
        index.save(tmp_path / name)
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "roomy").read_bytes()


def test_an_opened_index_takes_room_too(tmp_path):
    index = Index(DIM, exact_below=200)
    index.add(np.arange(400), rows_of(400), now_us=0)
    index.save(tmp_path / "a")
    again = Index.open(tmp_path / "a")
    again.reserve(3000)
    memory = again.memory_bytes
    again.add(np.arange(400, 3000), rows_of(2600), now_us=0)
    index.add(np.arange(400, 3000), rows_of(2600), now_us=0)
    assert again.memory_bytes < 1.1 * memory  # Blocks of priors alone have grown.
    for one, name in ((index, "one"), (again, "two")):
        one.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def columns_of(index, keys):
    """Return the columns of rows, and the rows, as bytes."""
    kept = index.columns(keys)
    return [getattr(kept, name).tobytes() for name in kept.__slots__] + [
        index.vectors(keys).tobytes()
    ]


@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
@pytest.mark.parametrize("exact_below", [300, 10**6])
def test_a_shrunk_index_takes_what_a_fresh_one_takes_and_is_its_file(
    storage, exact_below, tmp_path
):
    index, fresh = (Index(DIM, storage=storage, exact_below=exact_below) for _ in range(2))
    rows, kept = rows_of(4000), np.arange(0, 4000, 10)
    index.reserve(9000)
    index.add(np.arange(4000), rows, now_us=5, salience=np.linspace(0, 1, 4000))
    index.remove(np.setdiff1d(np.arange(4000), kept))
    before = columns_of(index, kept)
    answer = index.search(rows[1], 50, now_us=9, exact=True)
    index.shrink()
    assert before == columns_of(index, kept)
    again = index.search(rows[1], 50, now_us=9, exact=True)
    assert answer.keys.tobytes() == again.keys.tobytes()
    assert answer.scores.tobytes() == again.scores.tobytes()
    fresh.add(kept, rows[kept], now_us=5, salience=np.linspace(0, 1, 4000)[kept])
    assert fresh.memory_bytes == index.memory_bytes
    for one, name in ((index, "shrunk"), (fresh, "fresh")):
        one.save(tmp_path / name)
    assert (tmp_path / "shrunk").read_bytes() == (tmp_path / "fresh").read_bytes()


@pytest.mark.parametrize(("kept", "plan"), [(1700, "walk"), (600, "walk"), (400, "scan")])
def test_a_graph_stays_while_rows_are_enough_for_one(kept, plan):
    index = Index(DIM, exact_below=500)
    index.add(np.arange(2000), rows_of(2000), now_us=0)
    index.reserve(5000)
    index.remove(np.arange(kept, 2000))
    memory = index.memory_bytes
    index.shrink()
    assert index.memory_bytes < memory
    answer = index.search(rows_of(2000)[7], 3, now_us=0, weights=NEAREST)
    assert (plan, 7) == (answer.plan, answer.keys[0])
    index.add(np.arange(kept, 2000), rows_of(2000)[kept:], now_us=0)
    answer = index.search(rows_of(2000)[1900], 3, now_us=0, weights=NEAREST)
    assert ("walk", 1900) == (answer.plan, answer.keys[0])


def test_an_emptied_index_gives_back_all():
    index = Index(DIM, exact_below=100)
    index.add(np.arange(1000), rows_of(1000), now_us=0)
    index.remove(np.arange(1000))
    index.shrink()
    assert index.memory_bytes < 100  # An empty key map.
    assert 0 == len(index)
    index.add(np.arange(1000), rows_of(1000), now_us=0)
    assert 1000 == len(index)


def test_an_opened_index_leaves_its_file_when_its_rows_move(tmp_path):
    path = tmp_path / "a"
    index = Index(DIM, exact_below=100)
    index.add(np.arange(1000), rows_of(1000), now_us=0)
    index.save(path)
    saved = path.read_bytes()
    again = Index.open(path)
    again.remove(np.arange(0, 1000, 2))
    again.shrink()
    assert saved == path.read_bytes()
    path.unlink()
    answer = again.search(rows_of(1000)[501], 3, now_us=0, weights=NEAREST)
    assert 501 == answer.keys[0]
    again.add(np.array([0]), rows_of(1), now_us=0)
    assert [0, *range(1, 1000, 2)] == again.keys().tolist()
