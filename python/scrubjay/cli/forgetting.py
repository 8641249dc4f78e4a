"""How each category of memory fades, computed by the kernels that the engine forgets with."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from scrubjay import _kernels
from scrubjay.activation.retention import EVICT_THRESHOLD, SCHEDULES, WEIGHTS
from scrubjay.base.clock import SECOND_US
from scrubjay.base.trace import Category
from scrubjay.cli.curve import Curve, Plot, instants

__all__ = ["MARKS", "forgetting", "let_go_after_us"]

MARKS: Final = {
    Category.TELEMETRY: "·",
    Category.DIALOGUE: "o",
    Category.FACT: "+",
    Category.INVARIANT: "#",
    Category.SKILL: "=",
}
"""The character that draws a category where there is no colour."""

POINTS: Final = 141


def forgetting() -> Plot:
    """Return the eviction prior of an unused memory of each category over its age."""
    ages_us = instants(POINTS)
    age_s = np.array([age_us / SECOND_US for age_us in ages_us], np.float32)
    curves = tuple(
        Curve(category.name.lower(), MARKS[category], _prior(age_s, category))
        for category in sorted(SCHEDULES)
    )
    top = max(value for curve in curves for value in curve.values)
    return Plot(ages_us, curves, EVICT_THRESHOLD, top)


def let_go_after_us(category: Category) -> int | None:
    """Return the age at which an unused memory of a category falls below the threshold."""
    delay_s = _kernels.eviction_delay(
        np.array([_lambda_per_s(category)]),
        np.array([SCHEDULES[category].salience], np.float32),
        np.zeros(1, np.float32),
        w_recency=WEIGHTS.recency,
        w_salience=WEIGHTS.salience,
        w_frequency=WEIGHTS.frequency,
        threshold=EVICT_THRESHOLD,
    )[0]
    return round(float(delay_s) * SECOND_US) if math.isfinite(delay_s) else None


def _prior(age_s: np.ndarray, category: Category) -> tuple[float, ...]:
    size = len(age_s)
    prior = _kernels.retention_prior(
        age_s,
        np.full(size, _lambda_per_s(category), np.float32),
        np.full(size, SCHEDULES[category].salience, np.float32),
        np.zeros(size, np.float32),
        w_recency=WEIGHTS.recency,
        w_salience=WEIGHTS.salience,
        w_frequency=WEIGHTS.frequency,
        fading=True,
    )
    return tuple(float(value) for value in prior)


def _lambda_per_s(category: Category) -> float:
    half_life_us = SCHEDULES[category].half_life_us
    return 0.0 if half_life_us is None else math.log(2.0) * SECOND_US / half_life_us
