"""What prior, score and eviction promise for every input, F8 among it."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrubjay import _kernels

WEIGHTS = {"w_recency": 0.2, "w_salience": 0.2, "w_frequency": 0.1}

ages = st.floats(-1e9, 1e9, width=32)
rates = st.floats(0, 1, width=32)
saliences = st.floats(0, 1, width=32)
counts = st.integers(0, 2**30)
rows = st.tuples(ages, rates, saliences, counts)
forms = st.fixed_dictionaries(
    {"frequency_ceiling": st.none() | st.floats(1, 1e6), "fading": st.booleans()}
)

# exp and log are monotone but for their last ulp, and the largest term is 0.1 ln(1 + 2^30) = 2.1.
WOBBLE = 4 * 2.0**-22


def prior(row, form):
    columns = (np.array([x], np.float32) for x in row)
    return float(_kernels.retention_prior(*columns, **WEIGHTS, **form)[0])


@given(rows, ages, forms)
def test_prior_does_not_rise_with_age(row, age, form):
    old, young = sorted((row[0], age), reverse=True)
    assert prior((old, *row[1:]), form) <= prior((young, *row[1:]), form) + WOBBLE


@given(rows, saliences, forms)
def test_prior_does_not_fall_with_salience(row, salience, form):
    low, high = sorted((row[2], salience))
    below, above = (row[0], row[1], low, row[3]), (row[0], row[1], high, row[3])
    assert prior(below, form) <= prior(above, form)


@given(rows, counts, forms)
def test_prior_does_not_fall_with_frequency(row, count, form):
    few, many = sorted((row[3], count))
    assert prior((*row[:3], few), form) <= prior((*row[:3], many), form) + WOBBLE


@given(rows, st.floats(1, 1e6), st.booleans())
def test_saturating_prior_is_bounded_by_its_weights(row, ceiling, fading):
    result = prior(row, {"frequency_ceiling": ceiling, "fading": fading})
    assert 0 <= result <= 0.5 + 1e-6


@given(rows, forms)
def test_no_nan_comes_out(row, form):
    assert math.isfinite(prior(row, form))


@given(st.floats(0, allow_infinity=True, width=32), saliences, forms)
def test_zero_lambda_ignores_age_exactly(age, salience, form):
    assert prior((0, 0, salience, 3), form) == prior((age, 0, salience, 3), form)


@given(st.floats(-(2.0**100), -(2.0**-100), width=32) | st.just(-math.inf), rates, forms)
def test_f8_a_clock_stepped_back_neither_boosts_nor_breaks(age, rate, form):
    assert prior((0, rate, 0.5, 1), form) == prior((age, rate, 0.5, 1), form)


@given(ages, rates, forms)
def test_f8_items_of_equal_age_have_equal_recency(age, rate, form):
    columns = [np.full(37, x, np.float32) for x in (age, rate, 0.5, 1)]
    assert len(set(_kernels.retention_prior(*columns, **WEIGHTS, **form).tolist())) == 1


@given(
    st.floats(1e-9, 1e-2),
    saliences,
    counts,
    st.floats(0.01, 1),
    st.none() | st.floats(1, 1e6),
)
def test_fading_prior_is_at_the_threshold_when_eviction_is_due(rate, s, f, threshold, ceiling):
    law = {"threshold": threshold, "frequency_ceiling": ceiling}
    columns = np.array([rate]), np.array([s], np.float32), np.array([f], np.float32)
    delay = _kernels.eviction_delay(*columns, **WEIGHTS, **law)[0]
    assume(0 < delay < np.inf)
    form = {"frequency_ceiling": ceiling, "fading": True}
    # Single precision: the exponent of up to 20 is off by 2^-20, the prior by as much of its value.
    now = prior((delay, rate, s, f), form)
    assert threshold == pytest.approx(now, rel=2.0**-18, abs=1e-6)


@given(rows, rows, st.floats(0, 1))
def test_score_adds_relevance_to_the_prior(row, other, similarity):
    base = np.array([prior(row, {}), prior(other, {})], np.float32)
    score = _kernels.retention_score(np.full(2, similarity, np.float32), base, w_relevance=0.5)
    assert np.all(score >= base)
    assert (base[0] <= base[1]) == (score[0] <= score[1]) or score[0] == score[1]
