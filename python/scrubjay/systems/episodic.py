"""Episodic memory: what happened, where, when and with whom, as stretches of sessions.

Models experience as turns bound to a session and a time. Promises that every turn belongs to
exactly one episode, that episodes follow the order of their session, and that reading changes
nothing: episodes are drawn on reading, from rows that are there. Forgets as its rows do. Calls the
store.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from scrubjay.base.clock import MINUTE_US
from scrubjay.base.errors import NotFoundError, UnitError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Engram, Kind, RowFilter, State, ToolCall

__all__ = ["DEFAULT_GAP_US", "Episode", "Episodes", "episodes_of"]

DEFAULT_GAP_US = 30 * MINUTE_US
"""A pause of this length ends an episode."""

_KINDS = (Kind.TURN, Kind.TOOL_RESULT)
_TASK_CHARS = 200


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a session. ``id`` is that of its first turn.

    ``task`` is what a user said first, ``output`` what the agent said last; ``succeeded`` tells how
    the last tool call ended (None: no calls, or no results).
    """

    id: EngramId
    scope: str
    session: str
    started_us: int
    ended_us: int
    participants: tuple[str, ...]
    turns: tuple[Engram, ...]
    task: str
    output: str
    tool_calls: tuple[ToolCall, ...]
    succeeded: bool | None


def episodes_of(turns: Iterable[Engram], gap_us: int = DEFAULT_GAP_US) -> list[Episode]:
    """Return the episodes of turns: split by scope, session and pauses longer than ``gap_us``.

    Pure; the order of ``turns`` does not matter. Episodes come in order of time, ties by id.

    Raises:
        UnitError: a gap that is not positive.

    >>> episodes_of([])
    []
    """
    if gap_us <= 0:
        msg = f"episodes_of: the gap must be positive, got {gap_us} us, expected > 0"
        raise UnitError(msg)
    sessions: dict[tuple[str, str], list[Engram]] = {}
    for turn in turns:
        sessions.setdefault((turn.scope, turn.provenance.session), []).append(turn)
    out: list[Episode] = []
    for members in sessions.values():
        members.sort(key=lambda t: (t.provenance.position, t.id))
        start = 0
        for at in range(1, len(members) + 1):
            ended = at == len(members)
            if ended or members[at].event_us - members[at - 1].event_us > gap_us:
                out.append(_episode(members[start:at]))
                start = at
    return sorted(out, key=lambda e: (e.started_us, e.id))


class Episodes:
    """The episodic memory of one store. Thread-safe as far as the store is."""

    def __init__(self, store: Store, *, gap_us: int = DEFAULT_GAP_US) -> None:
        """Read from ``store``; a pause longer than ``gap_us`` ends an episode."""
        self._store = store
        self._gap_us = gap_us

    def get(self, id_: EngramId) -> Episode:
        """Return the episode a turn belongs to, by the id of any of its turns.

        Raises:
            NotFoundError: no such turn among those in the hot store.
        """
        row = self._store.engram(id_)
        for episode in self.list(scope=row.scope, session=row.provenance.session):
            if any(turn.id == id_ for turn in episode.turns):
                return episode
        msg = f"episodes.get: no episode holds it, got {format_id(id_)}, expected a turn's id"
        raise NotFoundError(msg)

    def around(self, engram: Engram, *, before: int = 3, after: int = 3) -> list[Engram]:
        """Return the turns around one of a session, oldest first, itself included."""
        return self._store.neighbours(engram, before=before, after=after)

    def just_before(self, engram: Engram) -> Engram | None:
        """Return the turn before one in its session, None at the beginning."""
        near = self._store.neighbours(engram, before=1, after=0)
        return near[0] if near and near[0].id != engram.id else None

    def _scope_id(self, scope: str) -> Iterable[int]:
        """Return the id of a scope, nothing for one that was never written."""
        known = self._store.scopes().get(scope)
        return () if known is None else (known,)

    def list(
        self,
        *,
        scope: str | None = None,
        session: str | None = None,
        include_archived: bool = False,
    ) -> list[Episode]:
        """Return episodes in order of time, of one scope (exactly) and session if given.

        Cost: linear in the turns of the scope.
        """
        states = (State.HOT, State.ARCHIVED) if include_archived else (State.HOT,)
        scope_ids = None if scope is None else tuple(self._scope_id(scope))
        where = RowFilter(scope_ids=scope_ids, kinds=_KINDS, states=states)
        rows = self._store.engrams(kinds=_KINDS, where=where)
        turns = (r for r in rows if session is None or r.provenance.session == session)
        return episodes_of(turns, self._gap_us)


def _episode(turns: list[Engram]) -> Episode:
    first = turns[0]
    said = [t for t in turns if t.provenance.role is Role.USER]
    answers = [t for t in turns if t.provenance.role is Role.ASSISTANT and not t.tool_calls]
    results = [t.tool_result for t in turns if t.tool_result is not None]
    last = results[-1] if results else None
    return Episode(
        id=first.id,
        scope=first.scope,
        session=first.provenance.session,
        started_us=min(t.event_us for t in turns),
        ended_us=max(t.event_us for t in turns),
        participants=tuple(dict.fromkeys(t.provenance.principal for t in turns)),
        turns=tuple(turns),
        task=_shortened(said[0].content) if said else "",
        output=_shortened(answers[-1].content) if answers else "",
        tool_calls=tuple(call for t in turns for call in t.tool_calls),
        succeeded=None if last is None else not last.is_error and not last.exit_code,
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TASK_CHARS else f"{line[: _TASK_CHARS - 1]}\u2026"
