"""Retention: terms, the prior that evicts, the instant it does."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrubjay.activation.retention import (
    EVICT_THRESHOLD,
    RetentionWeights,
    eviction_instant,
    eviction_prior,
    prior_terms,
    schedule_of,
)
from scrubjay.base.clock import DAY_US, HOUR_US
from scrubjay.base.errors import UnitError
from scrubjay.base.trace import Category
from tests.unit.systems.test_episodic import turn


def instant_for(category, frequency=0):
    schedule = schedule_of(category)
    return eviction_instant(
        last_us=0,
        salience=schedule.salience,
        frequency=frequency,
        half_life_us=schedule.half_life_us,
    )


def test_telemetry_goes_within_hours_dialogue_within_a_week_facts_and_skills_never():
    assert 6.9 * HOUR_US < instant_for(Category.TELEMETRY) < 7 * HOUR_US
    assert 6.6 * DAY_US < instant_for(Category.DIALOGUE) < 6.7 * DAY_US
    assert [None] * 3 == [
        instant_for(c) for c in (Category.FACT, Category.INVARIANT, Category.SKILL)
    ]


def test_one_access_does_not_make_telemetry_immortal():
    assert instant_for(Category.TELEMETRY) < instant_for(Category.TELEMETRY, 1) < DAY_US


@given(
    st.floats(0, 0.375, width=32),
    st.integers(0, 1000),
    st.integers(10_000_000, 400 * DAY_US),
)
def test_at_the_instant_the_prior_crosses_the_threshold(salience, frequency, half_life_us):
    at = eviction_instant(
        last_us=0, salience=salience, frequency=frequency, half_life_us=half_life_us
    )
    assume(at is not None and at > 0)

    def prior(age_us):
        return eviction_prior(
            age_us=age_us, salience=salience, frequency=frequency, half_life_us=half_life_us
        )

    nudge = max(1, at // 10**5)
    assert prior(at + nudge) <= EVICT_THRESHOLD <= prior(at - nudge)


@given(st.integers(0, 50), st.integers(0, 50))
def test_more_use_never_evicts_sooner(first, second):
    less, more = sorted((first, second))
    assert instant_for(Category.DIALOGUE, less) <= instant_for(Category.DIALOGUE, more)


def test_what_is_below_the_threshold_at_once_goes_at_once():
    assert 7 == eviction_instant(
        last_us=7,
        salience=0.0,
        frequency=0,
        half_life_us=DAY_US,
        weights=RetentionWeights(relevance=0.9, recency=0.05, salience=0.0, frequency=0.05),
    )


def test_an_instant_beyond_time_is_never():
    assert None is eviction_instant(last_us=0, salience=0.4, frequency=0, half_life_us=1 << 62)


@pytest.mark.parametrize(
    "bad", [{"salience": 1.1}, {"salience": math.nan}, {"frequency": -1}, {"half_life_us": 0}]
)
def test_impossible_values_are_refused(bad):
    good = {"last_us": 0, "salience": 0.4, "frequency": 0, "half_life_us": DAY_US}
    with pytest.raises(UnitError, match="eviction_instant: out of range"):
        eviction_instant(**{**good, **bad})


def test_weights_must_be_a_division_of_one():
    for wrong in ({"relevance": 0.6}, {"relevance": -0.1, "recency": 0.8}, {"recency": math.nan}):
        with pytest.raises(UnitError, match="expected each >= 0 and sum 1"):
            RetentionWeights(**wrong)


def test_f8_equal_age_gives_equal_recency_and_a_negative_age_boosts_nothing():
    row = turn(0, 0, half_life_us=DAY_US)
    before, now = prior_terms(row, now_us=-5), prior_terms(row, now_us=0)
    assert now == before
    assert 0.2 == pytest.approx(now.recency)
    assert now.total == pytest.approx(now.recency + now.salience + now.frequency)
