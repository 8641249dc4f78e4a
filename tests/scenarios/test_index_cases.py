"""Acceptance cases of the index that need more than a handful of rows, by their names."""

import random

import numpy as np
import pytest

from scrubjay.base.errors import CorruptionError, FormatVersionError, UnitError
from scrubjay.index import Filter, Index, Weights

DIM = 16
NEAREST = Weights(relevance=1, recency=0, salience=0, frequency=0)
VERSION_AT = 8
"""Where the format version stands; see docs/formats/index.md."""


def filled(count, seed=9):
    draw = np.random.default_rng(seed)
    index = Index(DIM, storage="i8")
    index.add(
        np.arange(count),
        draw.standard_normal((count, DIM), np.float32),
        now_us=0,
        salience=draw.random(count, np.float32),
        scope=np.arange(count) % 1000,
    )
    return index


def answers(index):
    queries = np.random.default_rng(1).standard_normal((20, DIM), np.float32)
    found = index.search_batch(queries, 10, now_us=1)
    return [(a.keys.tolist(), a.scores.tobytes()) for a in found]


def refused_or_whole(path, expected):
    """Open a damaged file: it is refused by name, or nothing of what it answers has changed."""
    try:
        index = Index.open(path)
    except (CorruptionError, FormatVersionError) as error:
        if str(path) not in str(error):
            raise
        return "refused"
    assert expected == answers(index)
    return "whole"


@pytest.mark.parametrize("weights", [NEAREST, Weights(relevance=0.5, recency=0.2, salience=0.3,
                                                      frequency=0)])  # fmt: skip
def test_r7_a_filter_of_a_thousandth_gives_exactly_k_right_ones(weights):
    index = filled(100_000)
    for scope in (0, 500, 999):
        query = np.random.default_rng(scope).standard_normal(DIM, np.float32)
        found = index.search(query, 10, now_us=1, weights=weights, where=Filter(scopes=[scope]))
        assert 10 == len(found)
        assert {scope} == set((found.keys % 1000).tolist())
        every = index.search(query, 999, now_us=1, weights=weights, where=Filter(scopes=[scope]))
        assert every.keys[:10].tolist() == found.keys.tolist()
        assert 100 == len(every)


def test_r8_k_beyond_the_store_an_empty_store_and_k_of_zero():
    index = filled(5000)
    query = np.ones(DIM, np.float32)
    assert list(range(5000)) == sorted(index.search(query, 10**6, now_us=0).keys.tolist())
    index.remove(np.arange(5000))
    assert 0 == len(index.search(query, 10**6, now_us=0))
    with pytest.raises(ValueError, match=r"^Index\.search: k is out of range, got 0"):
        index.search(query, 0, now_us=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_r11_one_bad_number_in_the_last_row_of_many_changes_nothing(bad):
    index = filled(5000)
    before = answers(index)
    rows = np.ones((3000, DIM), np.float32)
    rows[-1, -1] = bad
    with pytest.raises(UnitError, match=r"^Index\.add: vectors\[2999, 15\] is not finite"):
        index.add(np.arange(5000, 8000), rows, now_us=0)
    with pytest.raises(UnitError, match=r"^Index\.update: vectors\[2999, 15\] is not finite"):
        index.update(np.arange(3000), vectors=rows)
    assert 5000 == len(index)
    assert before == answers(index)


def test_i9_a_truncated_file_is_refused(tmp_path):
    index, path = filled(500), tmp_path / "cut.sji"
    index.save(path)
    whole, expected = path.read_bytes(), answers(index)
    assert "whole" == refused_or_whole(path, expected)
    draw = random.Random(9)
    for length in [0, 1, 63, 64, len(whole) - 1, *draw.sample(range(len(whole)), 60)]:
        path.write_bytes(whole[:length])
        assert "refused" == refused_or_whole(path, expected)


def test_i9_a_flipped_bit_is_refused_and_never_changes_an_answer(tmp_path):
    index, path = filled(500), tmp_path / "flipped.sji"
    index.save(path)
    whole, expected = path.read_bytes(), answers(index)
    draw = random.Random(10)
    outcomes = []
    for _ in range(400):
        at, bit = draw.randrange(len(whole)), draw.randrange(8)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :])
        outcomes.append(refused_or_whole(path, expected))
    assert outcomes.count("refused") > 380  # A flip in the padding between arrays harms nothing.


@pytest.mark.parametrize("version", [0, 3, 255])
def test_i9_an_older_or_newer_version_says_which_it_found(tmp_path, version):
    index, path = filled(50), tmp_path / "other.sji"
    index.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:VERSION_AT] + bytes([version]) + whole[VERSION_AT + 1 :])
    with pytest.raises(FormatVersionError, match=f"got {version}, expected 1 to 2"):
        Index.open(path)
