"""Timelines: from immutable assertions to the intervals in which something is believed.

The timeline of a scope, subject and predicate is a pure function of its live assertions. Four
rules draw it:

1. Assertions are ordered by the instant from which they surely hold, then authority (the plane of
   people before that of tools), then the instant of saying it, then a hash of their content.
   Neither ids nor the time of recording take part, so the order of arrival cannot matter.
2. An assertion closes what comes before it in that order and contradicts it: another object of a
   predicate that holds one value at a time, or the denial of the same object.
3. It closes only what has the same or less authority. Where a stronger source already says
   otherwise, the weaker assertion is *contested*: kept, and not believed while that lasts.
4. A hedged assertion, and a past one of unknown beginning, close nothing.

What is closed stays closed until it is asserted anew; so A, B, A gives three intervals. Unknown
stays unknown: an assertion without a start surely holds from the instant it was said, and its
start is given as None. A month or a year leaves a window in which the answer is *maybe*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

import msgspec

from scrubjay.base.clock import MAX_US, MIN_US
from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Plane
from scrubjay.base.terms import entity_key, predicate_key
from scrubjay.base.trace import Assertion, Precision
from scrubjay.systems.semantic.claims import Claim, claim_of, standing_claims
from scrubjay.systems.semantic.terms import is_functional

__all__ = ["Belief", "Holding", "superseded", "timeline"]


class Holding(IntEnum):
    """Whether a belief holds at an instant."""

    NO = 0
    MAYBE = 1
    YES = 2


class Belief(msgspec.Struct, frozen=True, kw_only=True):
    """One interval of a timeline: what is held to be true, from when to when, and why.

    ``id`` is the first supporting assertion, ``support`` all of them. ``valid_from_us`` is None
    where nobody said when it began; ``valid_to_us`` is None while nothing ended it. It may hold
    from ``maybe_from_us``, surely holds from ``sure_from_us`` to ``valid_to_us`` and surely no
    longer from ``gone_by_us``. ``contested`` means a stronger source says otherwise all along.
    """

    id: EngramId
    scope: str
    subject: str
    predicate: str
    object: str
    valid_from_us: int | None
    valid_to_us: int | None
    precision: Precision
    plane: Plane
    authority: int
    confidence: float
    support: tuple[EngramId, ...]
    current: bool
    negated: bool = False
    hedged: bool = False
    contested: bool = False
    superseded_by: EngramId | None = None
    maybe_from_us: int
    sure_from_us: int
    gone_by_us: int | None

    def holds_at(self, us: int) -> Holding:
        """Return whether this is believed at an instant; MAYBE where a partial date is open."""
        if self.contested or us < self.maybe_from_us:
            return Holding.NO
        if self.gone_by_us is not None and us >= self.gone_by_us:
            return Holding.NO
        if us < self.sure_from_us or (self.valid_to_us is not None and us >= self.valid_to_us):
            return Holding.MAYBE
        return Holding.YES


def timeline(
    assertions: Iterable[Assertion],
    functional: Mapping[str, bool] | None = None,
    *,
    now_us: int | None = None,
) -> list[Belief]:
    """Return the beliefs that ``assertions`` amount to, by scope, subject, predicate and start.

    Args:
        assertions: Live statements, in any order; the result does not depend on it.
        functional: Declared cardinality of predicates; the defaults fill in the rest.
        now_us: The instant ``current`` refers to; None means "not ended".

    Cost: O(n log n) in the statements of one subject and predicate.

    >>> timeline([])
    []
    """
    declared = {predicate_key(name): one for name, one in (functional or {}).items()}
    groups: dict[tuple[str, str, str, str], list[Claim]] = {}
    for assertion in assertions:
        predicate = predicate_key(assertion.predicate)
        claim = claim_of(assertion)
        lane = "" if is_functional(assertion.predicate, declared) else claim.object_key
        key = (assertion.scope, entity_key(assertion.subject), predicate, lane)
        groups.setdefault(key, []).append(claim)
    beliefs: list[Belief] = []
    for key in sorted(groups):
        standing_claims(groups[key])
        beliefs.extend(_beliefs_of(groups[key], now_us))
    return beliefs


def superseded(
    assertions: Iterable[Assertion],
    functional: Mapping[str, bool] | None = None,
    *,
    now_us: int | None = None,
) -> set[EngramId]:
    """Return the ids of statements that others have closed (by ``now_us``, if given).

    Statements that ended as they said, and contested ones, are not among them: nothing replaced
    the first, and the second are kept as what they are.
    """
    out: set[EngramId] = set()
    for belief in timeline(assertions, functional):
        gone_us = belief.gone_by_us
        replaced = belief.superseded_by is not None and not belief.contested
        if replaced and (now_us is None or gone_us is None or gone_us <= now_us):
            out.update(belief.support)
    return out


def _beliefs_of(claims: Sequence[Claim], now_us: int | None) -> list[Belief]:
    """Join claims that say the same without a gap; ``claims`` are in timeline order."""
    runs: dict[tuple[str, bool, bool, Plane], list[list[Claim]]] = {}
    alone: list[list[Claim]] = []
    for claim in sorted(claims, key=lambda c: (c.start_us, c.order)):
        if claim.overruled_by is not None:
            alone.append([claim])
            continue
        said = claim.assertion
        lane = runs.setdefault((claim.object_key, said.negated, said.hedged, said.plane), [])
        if lane and _reaches(lane[-1], claim.start_us):
            lane[-1].append(claim)
        else:
            lane.append([claim])
    spans = _absorb_echoes(runs)
    beliefs = [_belief(span, now_us) for span in [*spans, *alone]]
    beliefs.sort(key=_place)
    return beliefs


def _place(belief: Belief) -> tuple[int | str | float | bytes, ...]:
    """Return the sort key of a belief: its instant, its strength, then all it says; last an id."""
    gone_us = MAX_US if belief.gone_by_us is None else belief.gone_by_us
    said = (entity_key(belief.object), belief.negated, belief.hedged, belief.contested)
    from_us = MIN_US if belief.valid_from_us is None else belief.valid_from_us
    bounds = (belief.maybe_from_us, from_us, gone_us, belief.precision.value)
    strength = (belief.authority, len(belief.support), belief.confidence)
    return (belief.sure_from_us, -belief.plane, *strength, *said, *bounds, belief.id)


def _absorb_echoes(
    runs: Mapping[tuple[str, bool, bool, Plane], list[list[Claim]]],
) -> list[list[Claim]]:
    """Let what tools report support what people said, where it lies wholly inside it."""
    spans: list[list[Claim]] = []
    for (object_key, negated, hedged, plane), lane in runs.items():
        hosts = runs.get((object_key, negated, hedged, Plane.USER), [])
        for span in lane:
            host = None
            if plane is not Plane.USER:
                host = next((h for h in hosts if _covers(h, span)), None)
            if host is None:
                spans.append(span)
            else:
                host.extend(span)
    return spans


def _reaches(span: Sequence[Claim], us: int) -> bool:
    return any(c.gone_us is None or c.gone_us >= us for c in span)


def _covers(host: Sequence[Claim], span: Sequence[Claim]) -> bool:
    if host[0].start_us > span[0].start_us:
        return False
    ends = [c.gone_us for c in span if c.gone_us is not None]
    if len(ends) < len(span):
        return any(c.gone_us is None for c in host)
    return _reaches(host, max(ends))


def _belief(span: Sequence[Claim], now_us: int | None) -> Belief:
    """Return the belief of claims that say the same without a gap."""
    first = span[0]
    said = first.assertion
    open_ended = any(c.gone_us is None for c in span)
    last = first if open_ended else max(span, key=lambda c: (c.gone_us or 0, c.order))
    known = [c.from_us for c in span if c.from_us is not None and c.from_us <= first.start_us]
    ordered = sorted(span, key=lambda c: (c.order, c.assertion.id))
    blocked = first.overruled_by is None and first.start_us > first.sure_us
    from_us = first.start_us if blocked else min(known, default=None)
    belief = Belief(
        id=ordered[0].assertion.id,
        scope=said.scope,
        subject=said.subject,
        predicate=said.predicate,
        object=said.object,
        valid_from_us=from_us,
        valid_to_us=None if open_ended else max(c.until_us or 0 for c in span),
        precision=_precision_of(span, from_us, blocked=blocked),
        plane=min(c.assertion.plane for c in span),
        authority=max(c.assertion.authority for c in span),
        confidence=_confidence(span),
        support=tuple(c.assertion.id for c in ordered),
        current=False,
        negated=said.negated,
        hedged=said.hedged,
        contested=first.contested,
        superseded_by=first.overruled_by or (None if open_ended else last.closed_by),
        maybe_from_us=first.start_us if blocked else min(c.maybe_us for c in span),
        sure_from_us=first.start_us,
        gone_by_us=None if open_ended else last.gone_us,
    )
    if first.overruled_by is not None:
        return belief
    current = belief.gone_by_us is None if now_us is None else bool(belief.holds_at(now_us))
    return msgspec.structs.replace(belief, current=current)


def _precision_of(span: Sequence[Claim], from_us: int | None, *, blocked: bool) -> Precision:
    if from_us is None:
        return Precision.UNKNOWN
    if blocked:
        return Precision.INSTANT
    return next(c.precision for c in span if c.from_us == from_us)


def _confidence(span: Sequence[Claim]) -> float:
    """Return 1 - the product of the doubts of independent principals, each at its surest."""
    surest: dict[str, float] = {}
    for claim in span:
        said = claim.assertion
        surest[said.principal] = max(surest.get(said.principal, 0.0), said.confidence)
    doubt = 1.0
    for principal in sorted(surest):
        doubt *= 1.0 - surest[principal]
    return 1.0 - doubt
