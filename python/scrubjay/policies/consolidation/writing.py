"""Writing: planned values become engrams and the records that go with them."""

from __future__ import annotations

from scrubjay.activation.retention import eviction_instant, schedule_of
from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Assertion, Category, Engram, Intention, Kind, Skill
from scrubjay.policies.consolidation.plan import PlannedBelief, PlannedIntention, PlannedSkill

__all__ = [
    "assertion_of",
    "belief_engram",
    "intention_engram",
    "intention_of",
    "skill_engram",
    "skill_of",
]

OBSERVED_SALIENCE = 0.4
"""What tools report is remembered like dialogue, not like what a person said: it fades."""


DENIAL_SHARE = 0.5
"""A denial matters less than the statement that took its place."""


def belief_engram(belief: PlannedBelief, *, id_: EngramId, now_us: int) -> Engram:
    """Return the row of a belief: its sentence, found like any memory."""
    return _engram(
        id_=id_,
        scope=belief.scope,
        kind=Kind.BELIEF,
        category=belief.category,
        content=belief.text,
        provenance=Provenance(
            role=belief.role,
            channel=Channel.SLEEP,
            principal=belief.principal,
            authority=Authority(belief.authority),
            plane=belief.plane,
            session=belief.session,
            parents=belief.parents,
        ),
        event_us=belief.event_us,
        event_offset_min=belief.event_offset_min,
        salience=_salience_of(belief),
        quality=belief.confidence,
        now_us=now_us,
    )


def _salience_of(belief: PlannedBelief) -> float:
    """Return how much a belief's row matters: a guess only as much as it is trusted."""
    if belief.plane is Plane.OBSERVED:
        return OBSERVED_SALIENCE
    trust = belief.confidence if belief.hedged else 1.0
    return schedule_of(belief.category).salience * trust * (DENIAL_SHARE if belief.negated else 1.0)


def assertion_of(belief: PlannedBelief, engram: Engram) -> Assertion:
    """Return the statement that goes with a belief's row."""
    return Assertion(
        id=engram.id,
        scope=belief.scope,
        subject=belief.subject,
        predicate=belief.predicate,
        object=belief.object,
        plane=belief.plane,
        authority=belief.authority,
        principal=belief.principal,
        recorded_us=engram.recorded_us,
        event_us=belief.event_us,
        valid_from_us=belief.valid_from_us,
        valid_to_us=belief.valid_to_us,
        precision=belief.precision,
        negated=belief.negated,
        hedged=belief.hedged,
        confidence=belief.confidence,
    )


def skill_engram(skill: PlannedSkill, *, id_: EngramId, now_us: int) -> Engram:
    """Return the row of a skill: name, description and triggers."""
    content = "\n".join([f"{skill.name}: {skill.description}", *skill.triggers])
    return _engram(
        id_=id_,
        scope=skill.scope,
        kind=Kind.SKILL,
        category=Category.SKILL,
        content=content,
        provenance=Provenance(
            role=Role.ASSISTANT,
            channel=Channel.SLEEP,
            principal=skill.principal,
            authority=Authority.ASSISTANT,
            plane=Plane.USER,
            session=skill.session,
            parents=skill.parents,
        ),
        event_us=skill.event_us,
        salience=schedule_of(Category.SKILL).salience,
        now_us=now_us,
    )


def skill_of(skill: PlannedSkill, engram: Engram) -> Skill:
    """Return the record that goes with a skill's row."""
    return Skill(
        id=engram.id,
        scope=skill.scope,
        name=skill.name,
        description=skill.description,
        triggers=skill.triggers,
        parameters=skill.parameters,
        steps=skill.steps,
        recovery=skill.recovery,
        status=skill.status,
        version=skill.version,
        successes=skill.successes,
        failures=skill.failures,
    )


def intention_engram(planned: PlannedIntention, *, id_: EngramId, now_us: int) -> Engram:
    """Return the row of an intention: what is to be done."""
    return _engram(
        id_=id_,
        scope=planned.scope,
        kind=Kind.INTENTION,
        category=Category.FACT,
        content=planned.action,
        provenance=Provenance(
            role=Role.USER,
            channel=Channel.SLEEP,
            principal=planned.principal,
            authority=Authority(planned.authority),
            plane=Plane.USER,
            session=planned.session,
            parents=planned.parents,
        ),
        event_us=planned.event_us,
        event_offset_min=planned.event_offset_min,
        salience=schedule_of(Category.FACT).salience,
        now_us=now_us,
    )


def intention_of(planned: PlannedIntention, engram: Engram) -> Intention:
    """Return the record that goes with an intention's row."""
    return Intention(
        id=engram.id,
        scope=planned.scope,
        action=planned.action,
        due_us=planned.due_us,
        created_us=engram.recorded_us,
    )


def _engram(
    *,
    id_: EngramId,
    scope: str,
    kind: Kind,
    category: Category,
    content: str,
    provenance: Provenance,
    event_us: int,
    salience: float,
    now_us: int,
    event_offset_min: int = 0,
    quality: float = 1.0,
) -> Engram:
    half_life_us = schedule_of(category).half_life_us
    return Engram(
        id=id_,
        scope=scope,
        kind=kind,
        category=category,
        content=content,
        provenance=provenance,
        recorded_us=now_us,
        event_us=event_us,
        event_offset_min=event_offset_min,
        last_us=now_us,
        salience=salience,
        half_life_us=half_life_us,
        evict_at_us=eviction_instant(
            last_us=now_us, salience=salience, frequency=0, half_life_us=half_life_us
        ),
        quality=quality,
        consolidated=True,
    )
