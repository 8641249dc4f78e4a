"""The eviction delay against its definition and against the prior it inverts."""

import numpy as np
import pytest

from scrubjay import _kernels
from tests.oracle.isas import LENGTHS, MOST, each_isa, same_bits
from tests.reference import eviction as reference
from tests.reference import retention

WEIGHTS = (0.2, 0.2, 0.1)
KEYWORDS = dict(zip(("w_recency", "w_salience", "w_frequency"), WEIGHTS, strict=True))


def columns(count, seed):
    draw = np.random.default_rng(seed)
    rate = np.exp(draw.uniform(-18, -6, count))
    rate[::6] = 0
    salience = draw.random(count, np.float32)
    frequency = draw.integers(0, 50, count).astype(np.float32)
    return rate, salience, frequency


@each_isa
@pytest.mark.parametrize("ceiling", [None, 20.0])
@pytest.mark.parametrize("threshold", [0.1, 0.25, 1.0])
def test_delay_equals_its_definition_at_every_length(threshold, ceiling, isa, seed):
    full = columns(MOST, seed)
    rows = list(zip(*(column.tolist() for column in full), strict=True))
    expected = np.array([reference.delay(*r, WEIGHTS, threshold, ceiling=ceiling) for r in rows])
    for length in LENGTHS:
        got = _kernels.eviction_delay(
            *(column[:length] for column in full),
            **KEYWORDS,
            threshold=threshold,
            frequency_ceiling=ceiling,
            isa=isa,
        )
        never = np.isinf(expected[:length])
        assert never.tolist() == np.isinf(got).tolist()
        # Compared as lambda * delay: near 0 the rounding of the quotient decides, so absolutely.
        some = ~never
        rate = full[0][:length][some]
        assert np.allclose(expected[:length][some] * rate, got[some] * rate, 1e-14, 1e-15)


@each_isa
def test_every_set_gives_the_same_bits(isa, seed):
    full = columns(4099, seed)
    laws = dict(KEYWORDS, threshold=0.1)
    expected = _kernels.eviction_delay(*full, **laws, isa="scalar")
    assert same_bits(expected, _kernels.eviction_delay(*full, **laws, isa=isa))


def test_never_and_at_once():
    column = np.zeros(1, np.float32)
    full = np.ones(1, np.float32)
    rate = np.array([1e-4])
    laws = dict(KEYWORDS, threshold=0.1)
    assert [np.inf] == _kernels.eviction_delay(np.zeros(1), column, column, **laws).tolist()
    assert [np.inf] == _kernels.eviction_delay(rate, full, column, **laws).tolist()
    high = dict(laws, threshold=0.9)
    assert [0.0] == _kernels.eviction_delay(rate, column, column, **high).tolist()


def test_result_may_replace_the_decay_constants(seed):
    rate, salience, frequency = columns(100, seed)
    laws = dict(KEYWORDS, threshold=0.1)
    expected = _kernels.eviction_delay(rate, salience, frequency, **laws)
    assert _kernels.eviction_delay(rate, salience, frequency, **laws, out=rate) is rate
    assert expected.tolist() == rate.tolist()


def test_score_crosses_the_threshold_at_the_delay(seed):
    rate, salience, frequency = columns(500, seed)
    delay = _kernels.eviction_delay(rate, salience, frequency, **KEYWORDS, threshold=0.1)
    crossed = 0
    for a, s, f, d in zip(rate, salience.tolist(), frequency.tolist(), delay, strict=True):
        if not 0 < d < np.inf:
            continue
        fading = WEIGHTS[0] + WEIGHTS[2] * retention.use(f)
        score = [fading * np.exp(-a * t) + WEIGHTS[1] * s for t in (d * 0.999999, d * 1.000001)]
        assert score[0] >= 0.1 > score[1]
        crossed += 1
    assert crossed > 100
