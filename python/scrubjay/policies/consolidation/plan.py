"""The plan of a sleep cycle: everything it will write, as values that can be shown and kept.

A plan holds content, so it lives where memories live and never in a log.
"""

from __future__ import annotations

import msgspec

from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Plane, Role
from scrubjay.base.trace import Category, Precision, SkillStep

__all__ = [
    "CyclePlan",
    "CycleReport",
    "PlannedBelief",
    "PlannedIntention",
    "PlannedSkill",
    "Refusal",
    "Segment",
]


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of one session and one person's trust, without a long pause between them."""

    scope: str
    session: str
    principal: str
    started_us: int
    ended_us: int
    members: tuple[EngramId, ...]


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Something that asked to be more than it may be; its engram is kept as quoted data."""

    engram: EngramId
    reason: str


class PlannedBelief(msgspec.Struct, frozen=True, kw_only=True):
    """An assertion to be made, with the sentence it will be found under and its sources."""

    scope: str
    text: str
    subject: str
    predicate: str
    object: str
    plane: Plane
    authority: int
    role: Role
    principal: str
    session: str
    event_us: int
    event_offset_min: int = 0
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    precision: Precision = Precision.UNKNOWN
    negated: bool = False
    hedged: bool = False
    confidence: float = 1.0
    category: Category = Category.FACT
    parents: tuple[EngramId, ...] = ()


class PlannedSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill, or a new version of one, to be kept."""

    scope: str
    principal: str
    session: str
    name: str
    description: str
    triggers: tuple[str, ...]
    parameters: str
    steps: tuple[SkillStep, ...]
    recovery: tuple[SkillStep, ...]
    status: str
    version: int
    successes: int
    failures: int
    event_us: int
    parents: tuple[EngramId, ...]


class PlannedIntention(msgspec.Struct, frozen=True, kw_only=True):
    """Something a user asked to be reminded of."""

    scope: str
    action: str
    due_us: int
    principal: str
    session: str
    event_us: int
    event_offset_min: int
    authority: int
    parents: tuple[EngramId, ...]


class CyclePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What one cycle would do. ``cycle_id`` is a hash of what it read and lets go."""

    cycle_id: str
    now_us: int
    read: tuple[EngramId, ...] = ()
    segments: tuple[Segment, ...] = ()
    beliefs: tuple[PlannedBelief, ...] = ()
    skills: tuple[PlannedSkill, ...] = ()
    intentions: tuple[PlannedIntention, ...] = ()
    refused: tuple[Refusal, ...] = ()
    archive: tuple[EngramId, ...] = ()
    tasks: str | None = None

    @property
    def empty(self) -> bool:
        """Whether applying it would change nothing."""
        return not self.read and not self.archive


class CycleReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one cycle did. ``failed`` lists segments that could not be read and will be again."""

    cycle_id: str
    read: int = 0
    episodes: int = 0
    beliefs_new: int = 0
    beliefs_closed: int = 0
    skills: int = 0
    intentions: int = 0
    archived: int = 0
    refused: tuple[Refusal, ...] = ()
    failed: tuple[str, ...] = ()
    already_applied: bool = False
