"""Relevance lies in [0, 1], grows with each signal and compares across questions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.policies.recall import relevance
from scrubjay.policies.recall.relevance import (
    RELEVANCE_FLOOR,
    idf_mass,
    noise_of,
    relevance_of,
    shares_of,
)

SIGNAL = st.floats(0, 2.2)
COSINE = st.floats(-1, 1)


def one(words, context, meaning, cosine, noise=0.28):
    signals = tuple(np.array([value], np.float64) for value in (words, context, meaning))
    return float(relevance_of(signals, np.array([cosine], np.float64), noise=noise)[0])


@given(SIGNAL, SIGNAL, COSINE, COSINE)
def test_relevance_lies_between_nought_and_one(words, context, meaning, cosine):
    assert 0.0 <= one(words, context, meaning, cosine) <= 1.0


@given(SIGNAL, SIGNAL, COSINE, COSINE, st.floats(0, 1))
def test_more_of_any_signal_is_never_less_relevant(words, context, meaning, cosine, more):
    base = one(words, context, meaning, cosine)
    assert one(words + more, context, meaning, cosine) >= base
    assert one(words, context + more, meaning, cosine) >= base
    assert one(words, context, meaning + more, cosine) >= base
    assert one(words, context, meaning, min(1.0, cosine + more)) >= base


def test_nothing_in_common_is_not_relevant():
    assert one(0, 0, 0, 0) == 0.0
    assert one(0, 0, -0.5, -0.5) == 0.0


def test_a_cosine_at_the_noise_counts_as_the_floor_and_below_it_as_nothing():
    assert one(0, 0, 0.0, 0.28) == pytest.approx(RELEVANCE_FLOOR)
    assert one(0, 0, 0.0, 0.2799) == 0.0
    assert one(0, 0, 0.0, 1.0) == pytest.approx(0.5)


@given(SIGNAL, SIGNAL, COSINE, COSINE)
def test_shares_sum_to_the_relevance_and_none_is_negative(words, context, meaning, cosine):
    total = one(words, context, meaning, cosine)
    shares = shares_of(words, context, meaning, total)
    assert math.fsum(shares) == pytest.approx(total, abs=1e-12)
    assert all(share >= -1e-12 for share in shares)


def test_mass_counts_words_that_no_row_holds():
    assert idf_mass(100, [10, 0]) > idf_mass(100, [10])
    assert idf_mass(100, []) == 0.0


def test_words_of_most_rows_weigh_next_to_nothing():
    assert idf_mass(100, [80, 100, 120]) == pytest.approx(3e-6)


def test_an_embedder_may_tell_its_noise():
    class Plain:
        pass

    class Quiet:
        noise_cosine = 0.2

    assert noise_of(Plain()) == relevance.DEFAULT_NOISE
    assert noise_of(Quiet()) == 0.2
