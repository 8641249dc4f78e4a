"""The retention kernels against their definition: every length, place and instruction set."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, each_offset, placed, same_bits
from tests.reference import retention as reference

WEIGHTS = (0.2, 0.2, 0.1)
KEYWORDS = dict(zip(("w_recency", "w_salience", "w_frequency"), WEIGHTS, strict=True))
FORMS = [
    {"frequency_ceiling": ceiling, "fading": fading}
    for ceiling in (None, 20.0)
    for fading in (False, True)
]

each_form = pytest.mark.parametrize("form", FORMS, ids=str)


def columns(count, seed):
    draw = np.random.default_rng(seed)
    age = draw.exponential(1e5, count).astype(np.float32)
    age[::9] = -5
    age[4::13] = np.inf
    rate = np.exp(draw.uniform(-18, -6, count)).astype(np.float32)
    rate[::4] = 0
    salience = draw.random(count, np.float32)
    frequency = draw.integers(0, 50, count).astype(np.float32)
    return age, rate, salience, frequency


@each_isa
@each_offset
@each_form
def test_prior_equals_its_definition_at_every_length(form, offset, isa, seed):
    full = columns(MOST, seed)
    ceiling, fading = form["frequency_ceiling"], form["fading"]
    expected = np.array(
        [
            reference.prior(*row, WEIGHTS, ceiling=ceiling, fading=fading)
            for row in zip(*(column.tolist() for column in full), strict=True)
        ]
    )
    for length in LENGTHS:
        part = [placed(column[:length], offset) for column in full]
        got = _kernels.retention_prior(*part, **KEYWORDS, **form, isa=isa)
        # Terms are at most 0.4; each of five roundings and two functions is off by an ulp of that.
        assert np.all(np.abs(got - expected[:length]) <= 2.0**-23)


@each_isa
@each_form
def test_every_set_gives_the_same_bits(form, isa, seed):
    full = columns(4099, seed)
    expected = _kernels.retention_prior(*full, **KEYWORDS, **form, isa="scalar")
    assert same_bits(expected, _kernels.retention_prior(*full, **KEYWORDS, **form, isa=isa))


@each_isa
@each_offset
def test_score_is_the_written_sum_exactly(offset, isa, seed):
    draw = np.random.default_rng(seed)
    similarity = draw.uniform(-1, 1, MOST).astype(np.float32)
    prior = draw.random(MOST, np.float32)
    expected = np.float32(0.5) * similarity + prior
    for length in LENGTHS:
        part = placed(similarity[:length], offset), placed(prior[:length], offset)
        got = _kernels.retention_score(*part, w_relevance=0.5, isa=isa)
        assert same_bits(expected[:length].copy(), got)


def test_large_results_are_streamed_with_the_same_bits(seed):
    full = columns((1 << 20) + 77, seed)  # Above kStreamBytes.
    got = _kernels.retention_prior(*full, **KEYWORDS)
    tail = _kernels.retention_prior(*(column[-999:].copy() for column in full), **KEYWORDS)
    assert same_bits(tail, got[-999:].copy())
