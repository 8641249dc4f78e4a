"""Claims: assertions on one lane of a timeline, and who closes or contests whom.

A lane holds the assertions that can contradict each other: all objects of one subject and a
predicate that holds one value at a time, or one object of a predicate that holds many. The rules
are stated in ``timeline``; this module finds, for every claim, the first later claim that closes
it and the stronger claim that stands in its way, in one backward pass per authority.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from datetime import timedelta

from scrubjay.base.clock import MAX_US, datetime_of, instant_of
from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Plane
from scrubjay.base.terms import entity_key
from scrubjay.base.trace import Assertion, Precision

__all__ = ["Claim", "claim_of", "standing_claims", "unit_end_us"]

_USER_PLANE_RANK = 1 << 10
"""Ranks people above tools whatever their authority; authorities are far below it."""

_DECEMBER = 12


def unit_end_us(us: int, precision: Precision) -> int:
    """Return when a start of this precision has surely begun: ``us``, or the end of its unit (UTC).

    A day counts from its midnight; a month and a year leave the start open until they end.

    >>> unit_end_us(0, Precision.YEAR) == 365 * 86_400_000_000
    True
    """
    if precision is Precision.MONTH:
        day = datetime_of(us).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        if (day.year, day.month) == (9999, _DECEMBER):
            return MAX_US
        return instant_of("unit_end_us", (day + timedelta(days=32)).replace(day=1))
    if precision is Precision.YEAR:
        year = datetime_of(us).replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
        if year.year == 9999:  # noqa: PLR2004 - the last year a datetime can hold
            return MAX_US
        return instant_of("unit_end_us", year.replace(year=year.year + 1))
    return us


class Claim:
    """One assertion on its lane. ``standing_claims`` fills in how it ends; nothing else writes.

    ``from_us`` is the start as said (None: unknown), ``sure_us`` the instant from which it surely
    holds, ``start_us`` the same after stronger claims had their say, ``until_us`` … ``gone_us``
    the window in which it ends.
    """

    __slots__ = (
        "assertion",
        "closed_by",
        "closes",
        "contested",
        "from_us",
        "gone_us",
        "maybe_us",
        "object_key",
        "order",
        "overruled_by",
        "precision",
        "rank",
        "start_us",
        "sure_us",
        "until_us",
    )

    def __init__(self, assertion: Assertion, from_us: int | None, sure_us: int) -> None:
        """Place an assertion; use :func:`claim_of`."""
        self.assertion = assertion
        self.object_key = entity_key(assertion.object)
        self.from_us = from_us
        self.sure_us = sure_us
        self.maybe_us = sure_us if from_us is None else from_us
        self.precision = assertion.precision
        people = _USER_PLANE_RANK if assertion.plane is Plane.USER else 0
        self.rank = people + assertion.authority
        ended_us = assertion.valid_to_us
        past = from_us is None and ended_us is not None and ended_us <= assertion.event_us
        self.closes = not assertion.hedged and not past
        self.order = (sure_us, self.rank, assertion.event_us, _content_hash(self))
        self.start_us = sure_us
        self.until_us: int | None = assertion.valid_to_us
        self.gone_us: int | None = assertion.valid_to_us
        self.closed_by: EngramId | None = None
        self.overruled_by: EngramId | None = None
        self.contested = False


def claim_of(assertion: Assertion) -> Claim:
    """Return an assertion with the instant from which it surely holds.

    Of unknown start: the instant it was said (or just before it ended). Of a month or a year: the
    end of that unit, or the instant it was said if that lies inside; but "in 2021" with an end
    inside the unit holds throughout.
    """
    from_us, to_us = assertion.valid_from_us, assertion.valid_to_us
    said_us = assertion.event_us
    if from_us is None:
        sure_us = said_us if to_us is None else min(said_us, to_us - 1)
        return Claim(assertion, None, sure_us)
    end_us = unit_end_us(from_us, assertion.precision)
    if to_us is not None and to_us <= end_us:
        return Claim(assertion, from_us, from_us)
    return Claim(assertion, from_us, said_us if from_us <= said_us < end_us else end_us)


def standing_claims(claims: list[Claim]) -> None:
    """Sort the claims of one lane in timeline order and decide how each ends.

    Cost: O(n log n) for n claims and a handful of distinct authorities.
    """
    claims.sort(key=lambda c: (c.order, c.assertion.id))
    stronger: list[_Standing] = []
    for rank in sorted({c.rank for c in claims}, reverse=True):
        _close(claims, rank)
        mine = [c for c in claims if c.rank == rank]
        for claim in mine:
            _contest(claim, stronger)
        stronger.append(_Standing(mine))


def _close(claims: Sequence[Claim], rank: int) -> None:
    """Find for each claim of ``rank`` the first later one, at least as strong, that closes it."""
    nearest: Claim | None = None
    other: Claim | None = None  # The nearest whose object differs from that of ``nearest``.
    asserted: dict[str, Claim] = {}
    denied: dict[str, Claim] = {}
    for claim in reversed(claims):
        if claim.rank < rank:
            continue
        key, negated = claim.object_key, claim.assertion.negated
        if claim.rank == rank:
            if negated:
                rivals = [asserted.get(key)]
            elif claim.assertion.hedged:
                rivals = [nearest, denied.get(key)]
            else:
                same = nearest is not None and nearest.object_key == key
                rivals = [other if same else nearest, denied.get(key)]
            found = [r for r in rivals if r is not None]
            if found:
                _end(claim, min(found, key=lambda c: (c.order, c.assertion.id)))
        if not claim.closes:
            continue
        if negated:
            denied[key] = claim
            continue
        asserted[key] = claim
        if nearest is not None and nearest.object_key != key:
            other = nearest
        nearest = claim


def _end(claim: Claim, closer: Claim) -> None:
    """Close ``claim`` where ``closer`` begins, unless it had ended before."""
    opens_us = closer.sure_us if closer.from_us is None else closer.from_us
    until_us = max(claim.sure_us, opens_us)
    if claim.until_us is not None and claim.until_us <= until_us:
        return
    if closer.rank == claim.rank:
        closer.maybe_us = max(closer.maybe_us, min(claim.sure_us, closer.sure_us))
    claim.until_us = until_us
    gone_us = max(until_us, closer.sure_us)
    claim.gone_us = gone_us if claim.gone_us is None else min(gone_us, claim.gone_us)
    claim.closed_by = closer.assertion.id
    if claim.gone_us <= claim.sure_us:
        claim.overruled_by = closer.assertion.id
        claim.contested = closer.rank > claim.rank


def _contest(claim: Claim, stronger: Sequence[_Standing]) -> None:
    """Move the start of ``claim`` past stronger claims that say otherwise."""
    if claim.assertion.hedged or claim.overruled_by is not None:
        return
    moved = True
    while moved:
        moved = False
        for standing in stronger:
            rival = standing.opposed_to(claim)
            if rival is None:
                continue
            if rival.gone_us is None or (
                claim.gone_us is not None and rival.gone_us >= claim.gone_us
            ):
                claim.overruled_by = rival.assertion.id
                claim.contested = True
                return
            claim.start_us = rival.gone_us
            moved = True


class _Standing:
    """The believed claims of one rank, to be looked up by instant."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        """Keep the claims that close others and were not overruled."""
        valid = [c for c in claims if c.closes and c.overruled_by is None]
        by_object: dict[tuple[str, bool], list[Claim]] = {}
        for claim in valid:
            by_object.setdefault((claim.object_key, claim.assertion.negated), []).append(claim)
        self._affirmed = _Lane([c for c in valid if not c.assertion.negated])
        self._by_object = {key: _Lane(own) for key, own in by_object.items()}

    def opposed_to(self, claim: Claim) -> Claim | None:
        """Return a claim that holds at the start of ``claim`` and contradicts it."""
        if not claim.assertion.negated:
            rival = self._affirmed.at(claim.start_us)
            if rival is not None and rival.object_key != claim.object_key:
                return rival
        lane = self._by_object.get((claim.object_key, not claim.assertion.negated))
        return None if lane is None else lane.at(claim.start_us)


class _Lane:
    """Claims by start; at any instant the one that ends last among the latest to begin."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        """Index claims whose intervals of different objects are disjoint."""
        self._claims: list[Claim] = []
        for claim in sorted(claims, key=lambda c: (c.start_us, c.order)):
            last = self._claims[-1] if self._claims else None
            inside = last is not None and last.object_key == claim.object_key
            if last is not None and inside and _ends_later(last, claim):
                continue
            self._claims.append(claim)
        self._starts = [c.start_us for c in self._claims]

    def at(self, us: int) -> Claim | None:
        """Return the claim that holds at ``us``."""
        index = bisect_right(self._starts, us) - 1
        if index < 0:
            return None
        claim = self._claims[index]
        return claim if claim.gone_us is None or us < claim.gone_us else None


def _ends_later(first: Claim, second: Claim) -> bool:
    if first.gone_us is None or second.gone_us is None:
        return first.gone_us is None
    return first.gone_us >= second.gone_us


def _content_hash(claim: Claim) -> bytes:
    said = claim.assertion
    parts = (claim.object_key, said.valid_from_us, said.valid_to_us, said.precision.value)
    text = repr((*parts, said.negated, said.hedged, said.principal))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
