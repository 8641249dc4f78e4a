"""The verbs of each system, as found on a memory: ``memory.working``, ``memory.beliefs`` and so on.

Each class hands the instant of the call to its system and the result back; no logic lives here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from scrubjay.assembly import Parts
from scrubjay.base.clock import instant_of
from scrubjay.base.ids import EngramId, parse_id
from scrubjay.base.trace import INTENTION_STATUSES, Engram, Intention, Modality, Skill
from scrubjay.policies import intake, intending, perception
from scrubjay.policies.asking import MAX_K
from scrubjay.policies.door import (
    check_count,
    check_flag,
    check_fraction,
    check_member,
    check_name,
    check_query,
    check_text,
)
from scrubjay.systems.episodic import Episode, Episodes
from scrubjay.systems.procedural import SkillMatch, Skills
from scrubjay.systems.prospective import Due, Intentions
from scrubjay.systems.semantic import Belief, Beliefs
from scrubjay.systems.sensory import Percept, SensoryStats, SweepReport
from scrubjay.systems.short_term import Item, Page, ShortTermSweep
from scrubjay.systems.working import Chunk, ChunkModality, ChunkRole, Encoding

__all__ = [
    "BeliefVerbs",
    "EpisodeVerbs",
    "IntentionVerbs",
    "SensoryVerbs",
    "ShortTermVerbs",
    "SkillVerbs",
    "WorkingVerbs",
]


_LARGEST = 2**53


class Operation(Protocol):
    """Opens one operation of the facade and yields its instant."""

    def __call__(self, *, writes: bool = False) -> AbstractContextManager[int]:
        """Begin an operation; with ``writes`` it takes its turn among writers."""
        ...


def _number(function: str, what: str, value: object, *, at_least: int = 0) -> int:
    """Return a whole number that is the id or the size of something in memory."""
    return check_count(function, what, value, at_least=at_least, at_most=_LARGEST)


class _Verbs:
    """What all verbs share: the parts of the memory, and the way to begin an operation."""

    def __init__(self, parts: Parts, operation: Operation) -> None:
        self._parts = parts
        self._operation = operation


class SensoryVerbs(_Verbs):
    """The sensory gate: ``perceive``, ``attend``, ``stats``."""

    def perceive(
        self, content: str | bytes, modality: Modality | str = Modality.TEXTUAL
    ) -> Percept:
        """Take in a percept that is not kept as a row; it may pass into working memory."""
        with self._operation(writes=True) as now_us:
            sensory, working = self._parts.sensory, self._parts.working
            sense = check_text("perceive", "modality", modality)
            return perception.sense(sensory, working, content, sense, now_us=now_us)

    def attend(self) -> SweepReport:
        """Sweep the buffer: survivors enter working memory, the expired enter the audit log."""
        with self._operation(writes=True) as now_us:
            parts = self._parts
            return perception.attend(parts.store, parts.sensory, parts.working, now_us=now_us)

    def stats(self) -> SensoryStats:
        """Return counts of what came, passed, expired and overflowed."""
        return self._parts.sensory.stats()


class WorkingVerbs(_Verbs):
    """The active workspace of this handle: ``encode``, ``rehearse``, ``active``, ``context``."""

    def encode(
        self,
        content: str | bytes,
        modality: ChunkModality | Modality | str = ChunkModality.VERBAL,
        salience: float = 0.5,
        role: ChunkRole | str = ChunkRole.STATE,
    ) -> Encoding:
        """Take a chunk in; tells what it displaced, or that it was refused."""
        with self._operation(writes=True) as now_us:
            return self._parts.working.encode(
                content if isinstance(content, bytes) else check_text("encode", "content", content),
                check_text("encode", "modality", modality),
                check_fraction("encode", "salience", salience),
                check_text("encode", "role", role),
                now_us=now_us,
            )

    def rehearse(self, chunk_id: int) -> Chunk:
        """Bring a chunk back to full activation."""
        with self._operation(writes=True) as now_us:
            return self._parts.working.rehearse(
                _number("rehearse", "chunk_id", chunk_id), now_us=now_us
            )

    def active(self) -> list[Chunk]:
        """Return what is in mind, most salient first."""
        with self._operation(writes=True) as now_us:
            return self._parts.working.active(now_us=now_us)

    def context(
        self, budget_tokens: int, *, count: Callable[[str], int] | None = None
    ) -> list[Chunk]:
        """Return the most salient textual chunks that fit a budget."""
        with self._operation(writes=True) as now_us:
            budget = _number("context", "budget_tokens", budget_tokens)
            return self._parts.working.context(budget, count=count, now_us=now_us)

    def flush(self) -> list[Chunk]:
        """Empty the workspace at the end of a task; return what was in it."""
        with self._operation(writes=True) as now_us:
            return self._parts.working.flush(now_us=now_us)


class ShortTermVerbs(_Verbs):
    """The session log of this handle: ``contents``, ``retrieve``, ``sweep``."""

    def contents(self, session: str = "main", *, after: int = 0, limit: int = 1000) -> Page:
        """Return living entries of a session in order of arrival."""
        with self._operation(writes=True) as now_us:
            return self._parts.short_term.contents(
                check_name("contents", "session", session),
                after=_number("contents", "after", after),
                limit=_number("contents", "limit", limit, at_least=1),
                now_us=now_us,
            )

    def retrieve(self, item_id: int) -> Item:
        """Return an entry; the access is a rehearsal and lets it live longer."""
        with self._operation(writes=True) as now_us:
            return self._parts.short_term.retrieve(
                _number("retrieve", "item_id", item_id), now_us=now_us
            )

    def sweep(self) -> ShortTermSweep:
        """Return what earned consolidation and what ran out."""
        with self._operation(writes=True) as now_us:
            return self._parts.short_term.sweep(now_us=now_us)


class EpisodeVerbs(_Verbs):
    """What happened: ``all``, ``of``, ``just_before``."""

    def all(self, *, scope: str | None = None, session: str | None = None) -> list[Episode]:
        """Return episodes in order of time."""
        with self._operation():
            return Episodes(self._parts.store).list(
                scope=intake.name_of("episodes", "scope", scope),
                session=intake.name_of("episodes", "session", session),
            )

    def around(self, id_: EngramId | str, *, before: int = 3, after: int = 3) -> list[Engram]:
        """Return a turn with the turns around it, oldest first."""
        with self._operation():
            row = self._parts.store.engram(parse_id(id_))
            return Episodes(self._parts.store).around(
                row,
                before=check_count("around", "before", before, at_least=0, at_most=MAX_K),
                after=check_count("around", "after", after, at_least=0, at_most=MAX_K),
            )

    def just_before(self, id_: EngramId | str) -> Engram | None:
        """Return the turn that came just before one, None at the start of its session."""
        with self._operation():
            row = self._parts.store.engram(parse_id(id_))
            return Episodes(self._parts.store).just_before(row)


class BeliefVerbs(_Verbs):
    """What is held true, and since when: ``facts``, ``history``."""

    def facts(
        self,
        about: str | None = None,
        *,
        predicate: str | None = None,
        scope: str | None = None,
        as_of: datetime | int | None = None,
        recorded_as_of: datetime | int | None = None,
        include_past: bool = False,
    ) -> list[Belief]:
        """Return beliefs that hold at ``as_of`` (default now), known by ``recorded_as_of``."""
        with self._operation() as now_us:
            return Beliefs(self._parts.store).facts(
                intake.name_of("facts", "about", about),
                predicate=intake.name_of("facts", "predicate", predicate),
                scope=intake.name_of("facts", "scope", scope),
                as_of_us=None if as_of is None else instant_of("facts", as_of),
                recorded_as_of_us=None
                if recorded_as_of is None
                else instant_of("facts", recorded_as_of),
                include_past=check_flag("facts", "include_past", include_past),
                now_us=now_us,
            )

    def history(
        self, subject: str, predicate: str | None = None, *, scope: str | None = None
    ) -> list[Belief]:
        """Return every interval ever believed of a subject."""
        with self._operation() as now_us:
            return Beliefs(self._parts.store).history(
                check_name("history", "subject", subject),
                intake.name_of("history", "predicate", predicate),
                scope=intake.name_of("history", "scope", scope),
                now_us=now_us,
            )


class SkillVerbs(_Verbs):
    """Procedures that worked: ``all``, ``match``, ``get``."""

    def all(self, *, scope: str | None = None) -> list[Skill]:
        """Return the newest version of each skill."""
        with self._operation():
            return self._parts.store.skills(scope=intake.name_of("skills", "scope", scope))

    def get(self, name: str) -> Skill:
        """Return a skill by name. Raises NotFoundError."""
        with self._operation():
            return Skills(self._parts.store).get(check_name("skills.get", "name", name))

    def match(self, situation: str, k: int = 5) -> list[SkillMatch]:
        """Return skills whose triggers or description fit a situation, best first."""
        with self._operation():
            return Skills(self._parts.store).match(
                check_query("skills.match", situation),
                check_count("skills.match", "k", k, at_least=1, at_most=MAX_K),
            )


class IntentionVerbs(_Verbs):
    """Things to do later: ``plan``, ``due``, ``acknowledge``, ``cancel``, ``all``."""

    def plan(
        self,
        action: str,
        at: datetime | int,
        *,
        expires: datetime | int | None = None,
        scope: str | None = None,
    ) -> Intention:
        """Plan to do ``action`` at an instant; a past one is due at once, marked late."""
        with self._operation(writes=True) as now_us:
            self._parts.declare_space(now_us=now_us)
            return intending.plan(
                self._parts.store,
                self._parts.encoder,
                intake.action_of(action),
                scope=intake.scope_of("plan", scope, self._parts.scope),
                due_us=instant_of("plan", at),
                expires_us=None if expires is None else instant_of("plan", expires),
                now_us=now_us,
            )

    def waiting(self) -> list[Due]:
        """Return what is due now, without firing it or minding who holds it."""
        with self._operation() as now_us:
            return Intentions(self._parts.store).due(now_us=now_us, leased=True)

    def due(self) -> list[Due]:
        """Return what is due now under lease; acknowledge each with its firing's token."""
        with self._operation(writes=True) as now_us:
            return intending.hand_out(self._parts.store, now_us=now_us)

    def acknowledge(self, id_: EngramId | str, *, token: int) -> Intention:
        """Mark a fired intention done. Raises ConflictError for a stale token."""
        with self._operation(writes=True) as now_us:
            return intending.acknowledge(
                self._parts.store, parse_id(id_), token=token, now_us=now_us
            )

    def cancel(self, id_: EngramId | str) -> Intention:
        """Cancel what is still waiting."""
        with self._operation(writes=True) as now_us:
            return intending.cancel(self._parts.store, parse_id(id_), now_us=now_us)

    def all(self, *, status: str | None = None) -> list[Intention]:
        """Return intentions by due time: armed, fired, done, expired or cancelled."""
        with self._operation():
            known = (
                None
                if status is None
                else check_member("intentions", "status", status, INTENTION_STATUSES)
            )
            return self._parts.store.intentions(status=known)
