"""Segment: turns into episodes, by session, by whose trust they carry, and by pauses.

A tool's or an agent's row belongs with the person who spoke last before it in the session, so that
nothing is ever joined across two people.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.base.clock import MINUTE_US
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Engram
from scrubjay.policies.consolidation.plan import Segment

__all__ = ["DEFAULT_GAP_US", "segment"]

DEFAULT_GAP_US = 30 * MINUTE_US
"""A pause of this length ends an episode."""


def segment(rows: Sequence[Engram], *, gap_us: int = DEFAULT_GAP_US) -> list[list[Engram]]:
    """Return rows grouped into segments, each in the order of its session.

    Deterministic: segments come in the order of their first row's id. Cost: O(n log n).
    """
    sessions: dict[tuple[str, str], list[Engram]] = {}
    for row in rows:
        sessions.setdefault((row.scope, row.provenance.session), []).append(row)
    out: list[list[Engram]] = []
    for members in sessions.values():
        members.sort(key=lambda r: (r.provenance.position, r.id))
        for strand in _strands(members):
            out.extend(_split_at_pauses(strand, gap_us))
    return sorted(out, key=lambda rows: rows[0].id)


def segment_of(rows: Sequence[Engram]) -> Segment:
    """Return the description of one group of rows."""
    first = rows[0]
    people = (r.provenance.principal for r in rows if r.provenance.role is Role.USER)
    return Segment(
        scope=first.scope,
        session=first.provenance.session,
        principal=next(people, first.provenance.principal),
        started_us=min(r.event_us for r in rows),
        ended_us=max(r.event_us for r in rows),
        members=tuple(r.id for r in rows),
    )


def _strands(members: Sequence[Engram]) -> list[list[Engram]]:
    """Split a session by the person who spoke last; rows before anybody spoke go to the first."""
    people = [m.provenance.principal for m in members if m.provenance.role is Role.USER]
    speaker = people[0] if people else ""
    strands: dict[str, list[Engram]] = {}
    for row in members:
        if row.provenance.role is Role.USER:
            speaker = row.provenance.principal
        strands.setdefault(speaker, []).append(row)
    return list(strands.values())


def _split_at_pauses(strand: Sequence[Engram], gap_us: int) -> list[list[Engram]]:
    out: list[list[Engram]] = [[strand[0]]]
    for row in strand[1:]:
        if row.event_us - out[-1][-1].event_us > gap_us:
            out.append([])
        out[-1].append(row)
    return out
