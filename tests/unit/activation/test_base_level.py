"""Schedules and the decay of a chunk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.activation.base_level import (
    SCHEDULES,
    Schedule,
    checked_schedules,
    chunk_activation,
    schedule_of,
)
from scrubjay.base.clock import DAY_US, HOUR_US, SECOND_US
from scrubjay.base.errors import UnitError
from scrubjay.base.trace import Category


def test_schedules_are_those_of_the_design():
    assert {
        Category.TELEMETRY: (4 * HOUR_US, 0.20),
        Category.DIALOGUE: (48 * HOUR_US, 0.40),
        Category.FACT: (60 * DAY_US, 0.80),
        Category.INVARIANT: (None, 1.00),
        Category.SKILL: (None, 0.90),
    } == {c: (s.half_life_us, s.salience) for c, s in SCHEDULES.items()}


def test_a_configured_schedule_replaces_the_default():
    changed = checked_schedules({Category.FACT: Schedule(half_life_us=30 * DAY_US, salience=0.7)})
    assert 30 * DAY_US == schedule_of(Category.FACT, schedules=changed).half_life_us
    assert SCHEDULES[Category.SKILL] == changed[Category.SKILL]


def test_every_impossible_schedule_is_named():
    with pytest.raises(UnitError, match=r"half-life of telemetry.*salience of fact.*invariant"):
        checked_schedules(
            {
                Category.TELEMETRY: Schedule(half_life_us=0, salience=0.5),
                Category.FACT: Schedule(half_life_us=1, salience=1.5),
                Category.INVARIANT: Schedule(half_life_us=1, salience=1.0),
            }
        )


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_decay_composes(first_us, second_us):
    whole = chunk_activation(first_us + second_us)
    assert whole == pytest.approx(chunk_activation(first_us) * chunk_activation(second_us))


def test_half_of_it_is_left_after_13_5_seconds():
    assert 0.5 == pytest.approx(chunk_activation(round(13.513 * SECOND_US)), abs=1e-4)
