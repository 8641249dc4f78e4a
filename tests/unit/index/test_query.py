"""Weights, filters and answers: what they accept, and what a refusal says."""

import copy
import math
import pickle

import numpy as np
import pytest

from scrubjay.base.errors import ArgumentTypeError, UnitError
from scrubjay.index import Filter, Index, Weights
from scrubjay.index.query import predicate_of


def test_default_weights_are_those_of_the_design():
    w = Weights()
    assert (0.5, 0.2, 0.2, 0.1) == (w.relevance, w.recency, w.salience, w.frequency)


@pytest.mark.parametrize("bad", [-0.1, 0.6, math.nan, math.inf, -math.inf])
def test_weights_that_are_negative_or_do_not_sum_to_one_are_refused(bad):
    with pytest.raises(UnitError, match="expected numbers >= 0 with sum 1"):
        Weights(relevance=bad)


@pytest.mark.parametrize("bad", ["0.5", None, True, 1j])
def test_weights_that_are_no_numbers_are_refused(bad):
    with pytest.raises(ArgumentTypeError):
        Weights(relevance=bad)


@pytest.mark.parametrize("name", ["kinds", "categories", "states", "planes"])
@pytest.mark.parametrize(
    ("bad", "error"), [(64, UnitError), (-1, UnitError), ("1", ArgumentTypeError)]
)
def test_codes_outside_their_range_are_refused(name, bad, error):
    with pytest.raises(error, match=f"Filter: {name}"):
        predicate_of(Filter(**{name: [1, bad]}))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("scopes", [-1]),
        ("scopes", [2**32]),
        ("scopes", np.array([1, -1])),
        ("keys", [2**63]),
        ("authority_min", 256),
        ("authority_min", -1),
        ("flags_all", 256),
        ("flags_none", -1),
        ("event_from_us", 2**62),
        ("event_to_us", -(2**62)),
    ],
)
def test_values_outside_their_range_are_refused(name, bad):
    with pytest.raises(UnitError, match=f"Filter: {name}"):
        predicate_of(Filter(**{name: bad}))


def test_quality_that_is_no_number_is_refused():
    index = Index(2)
    with pytest.raises(UnitError, match="quality_min is not finite, got nan"):
        index.search(None, 1, now_us=0, where=Filter(quality_min=math.nan))


def test_no_filter_and_an_empty_one_admit_every_row():
    index = Index(1)
    index.add(np.arange(3), np.ones((3, 1), np.float32), now_us=0, kind=[0, 5, 63])
    assert 3 == index.search(None, 9, now_us=0).matched
    assert 3 == index.search(None, 9, now_us=0, where=Filter()).matched


@pytest.mark.parametrize("name", ["scopes", "kinds", "categories", "states", "planes", "keys"])
def test_empty_sets_match_nothing(name):
    index = Index(1)
    index.add(np.arange(3), np.ones((3, 1), np.float32), now_us=0)
    result = index.search(None, 9, now_us=0, where=Filter(**{name: ()}))
    assert (0, 0, 3) == (len(result), result.matched, result.live)


def test_a_filter_can_be_copied_and_reads_its_collections_once():
    kinds = [1, 2]
    where = Filter(kinds=kinds, quality_min=0.5)
    index = Index(1)
    index.add(np.arange(4), np.ones((4, 1), np.float32), now_us=0, kind=[0, 1, 2, 3])
    for same in (where, copy.deepcopy(where), pickle.loads(pickle.dumps(where))):
        assert [1, 2] == index.search(None, 9, now_us=0, where=same).keys.tolist()
    kinds.append(3)
    assert [1, 2] == index.search(None, 9, now_us=0, where=where).keys.tolist()


def test_a_filter_used_again_sees_rows_that_came_changed_or_went():
    index = Index(1)
    index.add(np.arange(100), np.ones((100, 1), np.float32), now_us=0, kind=1)
    where = Filter(kinds=[1])

    def matched():
        return index.search(None, 1, now_us=0, where=where).matched

    assert 100 == matched() == matched()
    index.remove(np.array([7]))
    assert 99 == matched()
    index.update(np.array([8]), kind=2)
    assert 98 == matched()
    index.add(np.array([200]), np.ones((1, 1), np.float32), now_us=0, kind=1)
    index.reinforce(np.array([200]), now_us=5)
    assert 99 == matched()
    other = Index(1)
    assert 0 == other.search(None, 1, now_us=0, where=where).matched
    assert 99 == matched()
