"""Base level: the schedule each category fades by, and the activation of a working-memory chunk.

Both are evaluated from an anchor (the last use) and never stepped, so any sequence of looks at a
memory gives the same strength as the last look alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from scrubjay.base.clock import DAY_US, HOUR_US, SECOND_US
from scrubjay.base.errors import UnitError
from scrubjay.base.trace import Category

__all__ = [
    "CHUNK_DECAY_RATE",
    "CHUNK_THRESHOLD",
    "SCHEDULES",
    "Schedule",
    "checked_schedules",
    "chunk_activation",
    "schedule_of",
]

CHUNK_DECAY_RATE = 0.05
"""Share of a chunk's activation lost per second: a half-life of 13.5 s, a mean life of 20 s."""

CHUNK_THRESHOLD = 0.1
"""A chunk at or under this activation is no longer in mind."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """How one category of memory fades; ``half_life_us`` None means it does not.

    ``pinnable`` memories may be pinned by hand; ``immutable`` ones always are.
    """

    half_life_us: int | None
    salience: float
    pinnable: bool = False
    immutable: bool = False


SCHEDULES: Mapping[Category, Schedule] = MappingProxyType(
    {
        Category.TELEMETRY: Schedule(half_life_us=4 * HOUR_US, salience=0.20),
        Category.DIALOGUE: Schedule(half_life_us=48 * HOUR_US, salience=0.40),
        Category.FACT: Schedule(half_life_us=60 * DAY_US, salience=0.80, pinnable=True),
        Category.INVARIANT: Schedule(
            half_life_us=None, salience=1.00, pinnable=True, immutable=True
        ),
        Category.SKILL: Schedule(half_life_us=None, salience=0.90, pinnable=True),
    }
)
"""Defaults inside the ranges of the source: telemetry 2-6 h, dialogue 24-72 h, facts 30-90 d."""


def schedule_of(
    category: Category, *, schedules: Mapping[Category, Schedule] = SCHEDULES
) -> Schedule:
    """Return the schedule of a category.

    >>> schedule_of(Category.FACT).half_life_us == 60 * DAY_US
    True
    """
    return schedules[category]


def checked_schedules(changes: Mapping[Category, Schedule]) -> Mapping[Category, Schedule]:
    """Return the defaults with ``changes`` put in, or refuse all of them.

    Raises:
        UnitError: a half-life that is not positive, a salience outside [0, 1], or a category
            that must not fade and would; every fault is named.
    """
    faults: list[str] = []
    for category, schedule in sorted(changes.items()):
        name = category.name.lower()
        if schedule.half_life_us is not None and schedule.half_life_us <= 0:
            faults.append(f"half-life of {name}, got {schedule.half_life_us} us, expected > 0")
        if not 0.0 <= schedule.salience <= 1.0:
            faults.append(f"salience of {name}, got {schedule.salience}, expected 0 to 1")
        if category is Category.INVARIANT and schedule.half_life_us is not None:
            faults.append(f"half-life of {name}, got {schedule.half_life_us} us, expected None")
    if faults:
        msg = f"checked_schedules: out of range: {'; '.join(faults)}"
        raise UnitError(msg)
    return MappingProxyType({**SCHEDULES, **changes})


def chunk_activation(age_us: int, *, decay_rate: float = CHUNK_DECAY_RATE) -> float:
    """Return ``(1 - decay_rate) ** age`` with the age in seconds: what one chunk is left with.

    The kernel ``bank_activation`` computes the same for whole banks. A negative age (the clock
    stepped back) counts as no age, so nothing exceeds 1.

    >>> round(chunk_activation(20 * SECOND_US), 4)
    0.3585
    >>> chunk_activation(-5 * SECOND_US)
    1.0
    """
    age_s = max(0, age_us) / SECOND_US
    return math.exp(math.log1p(-decay_rate) * age_s)
