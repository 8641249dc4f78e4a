"""Retention: how much of a memory is left, term by term, and when it will be forgotten.

    S = w_r * relevance + w_t * exp(-lambda * age) + w_s * salience + w_f * ln(1 + frequency)

with ``lambda = ln 2 / half_life``, 0 where there is no half-life, and the age counted from the
last reinforcement. Forgetting is scheduled, not scanned: the instant at which the part without
relevance falls below the threshold has a closed form and is stored with the row. There frequency
fades with age like recency does, or one access would make telemetry immortal.
"""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec
import numpy as np

from scrubjay._kernels import decay_constants, eviction_delay
from scrubjay.activation.base_level import SCHEDULES, Schedule, schedule_of
from scrubjay.base.clock import MAX_US, SECOND_US
from scrubjay.base.errors import ArgumentTypeError, UnitError
from scrubjay.base.trace import Category, Engram

__all__ = [
    "EVICT_THRESHOLD",
    "SCHEDULES",
    "WEIGHTS",
    "Category",
    "PriorTerms",
    "RetentionWeights",
    "Schedule",
    "eviction_instant",
    "eviction_prior",
    "prior_terms",
    "schedule_of",
]

EVICT_THRESHOLD = 0.1
"""Below this eviction prior a consolidated memory moves to the archive."""

_SUM_TOLERANCE = 1e-6


class RetentionWeights(msgspec.Struct, frozen=True, kw_only=True):
    """Weights of the four terms: each at least 0, together 1."""

    relevance: float = 0.5
    recency: float = 0.2
    salience: float = 0.2
    frequency: float = 0.1

    def __post_init__(self) -> None:
        """Refuse weights that are negative, not finite, or do not sum to 1."""
        values = msgspec.structs.astuple(self)
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in values):
            got = ", ".join(type(v).__name__ for v in values)
            msg = f"RetentionWeights: not all are numbers, got {got}, expected floats"
            raise ArgumentTypeError(msg)
        bounded = all(0.0 <= v <= 1.0 + _SUM_TOLERANCE for v in values)
        if not bounded or not abs(math.fsum(values) - 1.0) <= _SUM_TOLERANCE:
            msg = f"RetentionWeights: got {values!s:.100}, expected each >= 0 and sum 1"
            raise UnitError(msg)


WEIGHTS = RetentionWeights()
"""The weights of the source document."""


class PriorTerms(msgspec.Struct, frozen=True):
    """The terms of S that need no question, each already weighted."""

    recency: float
    salience: float
    frequency: float

    @property
    def total(self) -> float:
        """The sum of the terms."""
        return self.recency + (self.salience + self.frequency)


def prior_terms(engram: Engram, *, now_us: int, weights: RetentionWeights = WEIGHTS) -> PriorTerms:
    """Return what a memory scores before any question is asked.

    A negative age counts as 0, so recency never exceeds its weight.
    """
    fade = _fade(now_us - engram.last_us, engram.half_life_us)
    return PriorTerms(
        recency=weights.recency * fade,
        salience=weights.salience * engram.salience,
        frequency=weights.frequency * math.log1p(engram.frequency),
    )


def eviction_prior(
    *,
    age_us: int,
    salience: float,
    frequency: int,
    half_life_us: int | None,
    weights: RetentionWeights = WEIGHTS,
) -> float:
    """Return ``(w_t + w_f ln(1 + f)) exp(-lambda age) + w_s salience``, the prior that evicts."""
    fading = weights.recency + weights.frequency * math.log1p(frequency)
    return fading * _fade(age_us, half_life_us) + weights.salience * salience


def eviction_instant(
    *,
    last_us: int,
    salience: float,
    frequency: int,
    half_life_us: int | None,
    weights: RetentionWeights = WEIGHTS,
    threshold: float = EVICT_THRESHOLD,
) -> int | None:
    """Return when the eviction prior falls below ``threshold``; None if it never does.

    ``span = ln((w_t + w_f ln(1 + f)) / (threshold - w_s salience)) / lambda`` after ``last_us``;
    never if ``threshold <= w_s salience`` or there is no half-life, at once if the span is not
    positive. Cost: a table look-up for parameters seen before.

    Raises:
        UnitError: salience outside [0, 1], a negative frequency, a half-life that is not positive.

    >>> eviction_instant(last_us=0, salience=0.8, frequency=0, half_life_us=10) is None
    True
    >>> eviction_instant(last_us=0, salience=0.4, frequency=0, half_life_us=1_000_000)
    3321929
    """
    span_us = _span_us(salience, frequency, half_life_us, weights, threshold)
    if span_us is None or last_us + span_us > MAX_US:
        return None
    return last_us + span_us


@lru_cache(maxsize=4096)
def _span_us(
    salience: float,
    frequency: int,
    half_life_us: int | None,
    weights: RetentionWeights,
    threshold: float,
) -> int | None:
    if not 0.0 <= salience <= 1.0 or frequency < 0 or _not_positive(half_life_us):
        msg = (
            f"eviction_instant: out of range, got salience {salience}, frequency {frequency}, "
            f"half-life {half_life_us} us, expected 0 to 1, >= 0 and > 0"
        )
        raise UnitError(msg)
    if half_life_us is None:
        return None
    rate_per_s = decay_constants(np.array([half_life_us], np.int64))
    delay_s = eviction_delay(
        rate_per_s,
        np.array([salience], np.float32),
        np.array([frequency], np.float32),
        w_recency=weights.recency,
        w_salience=weights.salience,
        w_frequency=weights.frequency,
        threshold=threshold,
    )[0]
    return None if math.isinf(delay_s) else math.ceil(delay_s * SECOND_US)


def _not_positive(half_life_us: int | None) -> bool:
    return half_life_us is not None and half_life_us <= 0


def _fade(age_us: int, half_life_us: int | None) -> float:
    if half_life_us is None:
        return 1.0
    return math.exp(-math.log(2.0) * (max(0, age_us) / half_life_us))
