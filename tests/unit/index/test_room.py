"""Memory that an index takes ahead of its rows."""

import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.base.errors import ArgumentTypeError, CapacityError, UnitError
from scrubjay.index import Index

DIM = 16


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
