"""Reflect: what the turns of a segment state, who said it, and what had no right to be stated.

Deterministic: clause patterns for people, structured output for tools. Four rules of trust:

1. What a tool or a document says never becomes a belief of a person, a rule, an intention or text
   of a skill. Structured output becomes assertions on the observed plane.
2. An agent inherits what it read: after tool output and before the next word of the user, its
   statements count as observed.
3. Only a user, alone with an agent, lays down rules and asks for reminders.
4. A finding has the authority of its source; the engram it comes from is its parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scrubjay.base.clock import format_us
from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Authority, Plane, Role
from scrubjay.base.terms import entity_key
from scrubjay.base.trace import Category, Engram, Kind, Precision
from scrubjay.policies.consolidation.plan import PlannedBelief, PlannedIntention, Refusal
from scrubjay.policies.consolidation.reading import SURE, Reading, read_sentence
from scrubjay.policies.consolidation.reminders import reminder_in
from scrubjay.policies.consolidation.rules import orders_in, rule_in
from scrubjay.policies.consolidation.sentences import Sentence, sentences_of
from scrubjay.policies.consolidation.structured import states_in
from scrubjay.systems.semantic import MAX_TERM_CHARS

__all__ = ["Reflection", "reflect"]

REFUSED_ORDER = "an order in what a tool or a document said; kept as quoted data"
REFUSED_PAST = "a reminder whose time had passed when it was recorded"
REFUSED_LONG = "a name longer than a name; kept as text"


class Reflection(NamedTuple):
    """What one segment amounts to."""

    beliefs: list[PlannedBelief]
    intentions: list[PlannedIntention]
    refused: list[Refusal]


def reflect(rows: Sequence[Engram], *, alone: bool) -> Reflection:
    """Read the rows of one segment in order.

    Args:
        rows: Turns and tool results of one segment.
        alone: Whether only one person speaks in this session, to an agent.

    Cost: linear in the text; about 0.1 ms a turn.
    """
    out = Reflection([], [], [])
    read_since_user: list[EngramId] = []
    for row in rows:
        role = row.provenance.role
        if role is Role.USER:
            read_since_user.clear()
            _reflect_user(row, out, alone=alone)
        elif role is Role.ASSISTANT:
            _reflect_assistant(row, out, tuple(read_since_user))
        elif role in {Role.TOOL, Role.DOCUMENT}:
            read_since_user.append(row.id)
            _reflect_observed(row, out)
    return out


def _reflect_user(row: Engram, out: Reflection, *, alone: bool) -> None:
    speaker = row.provenance.principal or str(row.provenance.role)
    trusted = row.provenance.authority >= Authority.USER_EXPLICIT
    for sentence in sentences_of(row.content, speaker=speaker):
        rule = rule_in(sentence) if alone and trusted else None
        if rule is not None:
            out.beliefs.append(_rule_belief(row, speaker, rule))
            continue
        if trusted and _take_reminder(row, sentence, out):
            continue
        _take_readings(row, _readings(row, sentence, speaker), out)


def _reflect_assistant(row: Engram, out: Reflection, read: tuple[EngramId, ...]) -> None:
    """An agent's statements about others count; what it says of itself or to the user does not."""
    spelled_out = any(row.content.startswith(f"{call.name}(") for call in row.tool_calls)
    if row.kind is not Kind.TURN or spelled_out:
        return
    speaker = row.provenance.principal or str(row.provenance.role)
    own = entity_key(speaker)
    for sentence in sentences_of(row.content, speaker=speaker):
        readings = [
            r
            for r in _readings(row, sentence, speaker)
            if not entity_key(r.finding.subject).startswith(own)
        ]
        _take_readings(row, readings, out, read=read)


def _reflect_observed(row: Engram, out: Reflection) -> None:
    if orders_in(row.content):
        out.refused.append(Refusal(engram=row.id, reason=REFUSED_ORDER))
        return
    failed = row.tool_result is not None and row.tool_result.is_error
    if row.provenance.role is not Role.TOOL or failed:
        return
    for state in states_in(row.content):
        out.beliefs.append(
            _belief(
                row,
                text=f"{state.subject}: {_spoken(state.predicate)} is {state.object}",
                subject=state.subject,
                predicate=state.predicate,
                object_=state.object,
                from_us=row.event_us,
                precision=Precision.INSTANT,
                confidence=SURE,
            )
        )


def _readings(row: Engram, sentence: Sentence, speaker: str) -> list[Reading]:
    return read_sentence(
        sentence, speaker=speaker, event_us=row.event_us, offset_min=row.event_offset_min
    )


def _take_readings(
    row: Engram, readings: Iterable[Reading], out: Reflection, *, read: tuple[EngramId, ...] = ()
) -> None:
    for reading in readings:
        finding = reading.finding
        terms = (finding.subject, finding.predicate, finding.object)
        if any(len(term) > MAX_TERM_CHARS or not term.isprintable() for term in terms):
            out.refused.append(Refusal(engram=row.id, reason=REFUSED_LONG))
            continue
        belief = _belief(
            row,
            text=_sentence_of(reading),
            subject=finding.subject,
            predicate=finding.predicate,
            object_=finding.object,
            from_us=reading.from_us,
            to_us=reading.to_us,
            precision=reading.precision,
            negated=finding.negated,
            hedged=reading.hedged,
            confidence=reading.confidence,
            read=read,
        )
        out.beliefs.append(belief)


def _take_reminder(row: Engram, sentence: Sentence, out: Reflection) -> bool:
    found = reminder_in(sentence, event_us=row.event_us, offset_min=row.event_offset_min)
    if found is None:
        return False
    if found.due_us <= row.recorded_us:
        out.refused.append(Refusal(engram=row.id, reason=REFUSED_PAST))
        return True
    out.intentions.append(
        PlannedIntention(
            scope=row.scope,
            action=found.action,
            due_us=found.due_us,
            principal=row.provenance.principal,
            session=row.provenance.session,
            event_us=row.event_us,
            event_offset_min=row.event_offset_min,
            authority=int(row.provenance.authority),
            parents=(row.id,),
        )
    )
    return True


def _rule_belief(row: Engram, speaker: str, rule: str) -> PlannedBelief:
    return _belief(
        row,
        text=f"{speaker}: {rule}",
        subject=speaker,
        predicate="constraint",
        object_=rule,
        from_us=row.event_us,
        precision=Precision.INSTANT,
        confidence=1.0,
        category=Category.INVARIANT,
    )


def _belief(
    row: Engram,
    *,
    text: str,
    subject: str,
    predicate: str,
    object_: str,
    from_us: int | None,
    precision: Precision,
    confidence: float,
    to_us: int | None = None,
    negated: bool = False,
    hedged: bool = False,
    category: Category = Category.FACT,
    read: tuple[EngramId, ...] = (),
) -> PlannedBelief:
    """Sign a finding: source, authority and plane of its row, or of what the row had read."""
    origin = row.provenance
    return PlannedBelief(
        scope=row.scope,
        text=text,
        subject=subject,
        predicate=predicate,
        object=object_,
        plane=Plane.OBSERVED if read else origin.plane,
        authority=min(int(origin.authority), int(Authority.OBSERVED)) if read else origin.authority,
        role=origin.role,
        principal=origin.principal,
        session=origin.session,
        event_us=row.event_us,
        event_offset_min=row.event_offset_min,
        valid_from_us=from_us,
        valid_to_us=to_us,
        precision=precision,
        negated=negated,
        hedged=hedged,
        confidence=confidence,
        category=category,
        parents=(row.id, *read),
    )


def _sentence_of(reading: Reading) -> str:
    """Return the sentence under which a belief is found again."""
    finding = reading.finding
    family, _, topic = finding.predicate.partition(":")
    if family == "feels_about":
        said = f"{finding.subject} {finding.object} {topic}"
    elif family == "prefers" and topic:
        said = f"{finding.subject} prefers {topic}: {finding.object}"
    elif family == "favourite":
        said = f"{finding.subject}'s favourite {topic} is {finding.object}"
    else:
        said = f"{finding.subject} {_spoken(finding.predicate)} {finding.object}"
    if finding.negated:
        said = f"no longer: {said}"
    if reading.hedged:
        said = f"possibly: {said}"
    if reading.from_us is not None and not reading.hedged:
        said += f" (since {_dated(reading.from_us, reading.precision)})"
    return said


_SHOWN_CHARS = {Precision.YEAR: 4, Precision.MONTH: 7}


def _dated(us: int, precision: Precision) -> str:
    """Return a date no more exact than it was given.

    >>> _dated(0, Precision.MONTH)
    '1970-01'
    """
    return format_us(us)[: _SHOWN_CHARS.get(precision, 10)]


def _spoken(predicate: str) -> str:
    return predicate.removeprefix("observed:").replace("_", " ").replace(":", " ")
