"""What decay promises for every input."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay import _kernels

finite = st.floats(-(2.0**100), 2.0**100, width=32)
rates = st.floats(0, 2.0**100, width=32)
durations = st.floats(0, allow_infinity=True, width=32)


def decay(value, rate, dt):
    return float(_kernels.decay_by_item(*(np.array([x], np.float32) for x in (value, rate, dt)))[0])


@given(finite, rates, durations)
def test_result_lies_between_zero_and_the_value(value, rate, dt):
    result = decay(value, rate, dt)
    assert abs(result) <= abs(np.float32(value))
    assert result * value >= 0


@given(finite, st.floats(0, allow_infinity=True, width=32))
def test_zero_lambda_is_exact(value, dt):
    assert np.float32(value) == decay(value, 0, dt)


@given(finite, rates)
def test_zero_time_is_exact(value, rate):
    assert np.float32(value) == decay(value, rate, 0)


@given(st.floats(2.0**-126, 2.0**100, width=32), finite)
def test_infinite_time_leaves_nothing(rate, value):
    assert decay(value, rate, np.inf) == 0


@given(
    st.floats(2.0**-20, 1, width=32),
    st.floats(0, 2.0**-4, width=32),
    st.floats(0, 500, width=32),
    st.floats(0, 500, width=32),
)
def test_two_steps_equal_one(value, rate, first, second):
    once = decay(value, rate, np.float32(first) + np.float32(second))
    twice = decay(decay(value, rate, first), rate, second)
    # Each exponent is rounded to half an ulp of up to 62.5, which is 2^-19 of the result; the sum
    # of the two durations, and the exponentials themselves, add less than as much again.
    assert abs(once - twice) <= 2.0**-17 * once


@given(finite, rates, durations, durations)
def test_more_time_never_leaves_more(value, rate, a, b):
    early, late = sorted((a, b))
    ulp = np.spacing(np.float32(abs(decay(value, rate, early))))
    assert abs(decay(value, rate, late)) <= abs(decay(value, rate, early)) + 2 * ulp


@given(st.lists(finite, max_size=40), st.data())
def test_category_form_is_the_item_form(values, data):
    count = data.draw(st.integers(1, 8))
    rate = np.array(data.draw(st.lists(rates, min_size=count, max_size=count)), np.float32)
    dt = np.array(data.draw(st.lists(durations, min_size=count, max_size=count)), np.float32)
    value = np.array(values, np.float32)
    codes = st.lists(st.integers(0, count - 1), min_size=len(values), max_size=len(values))
    category = np.array(data.draw(codes), np.uint8)
    expected = _kernels.decay_by_item(value, rate[category], dt[category])
    assert expected.tolist() == _kernels.decay_by_category(value, category, rate, dt).tolist()


@given(st.integers(1, 2**63 - 2))
def test_a_half_life_halves(half_life_us):
    rate = _kernels.decay_constants(np.array([half_life_us]))[0]
    assert np.isclose(0.5, np.exp(-rate * (half_life_us * 1e-6)), rtol=1e-14)
