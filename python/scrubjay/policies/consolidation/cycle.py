"""The sleep cycle: plan it as a value, show it, apply it as one transaction.

Planning reads and writes nothing, and the same store gives the same plan. Applying commits all of
it or none: an exception leaves the state as it was, no source is archived before what was learned
from it is durable, and a plan that was overtaken is refused. What is pinned, a rule or a skill is
never archived, and archived is not gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store, Transaction
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Category, Engram, Kind, State
from scrubjay.policies.consolidation.distill import distill
from scrubjay.policies.consolidation.plan import (
    CyclePlan,
    CycleReport,
    PlannedBelief,
    PlannedIntention,
    Refusal,
)
from scrubjay.policies.consolidation.reflect import reflect
from scrubjay.policies.consolidation.revise import revise, timeline_keys
from scrubjay.policies.consolidation.segment import DEFAULT_GAP_US, segment, segment_of
from scrubjay.policies.consolidation.writing import (
    assertion_of,
    belief_engram,
    intention_engram,
    intention_of,
    skill_engram,
    skill_of,
)
from scrubjay.policies.timelines import refresh_timelines

__all__ = ["CyclePlan", "CycleReport", "EngramWriter", "apply_cycle", "plan_cycle"]

DEFAULT_LIMIT = 10_000
"""Rows read by one cycle; what is left over is read by the next."""

TASKS_KEY = "sleep.tasks"
"""Setting that lists, by ids alone, the tool-call tasks which later cycles compare with."""


class EngramWriter(Protocol):
    """Stores an engram with its vector and text inside a transaction."""

    def encode(self, tx: Transaction, engram: Engram) -> int:
        """Add ``engram``; return its local key."""
        ...


def plan_cycle(
    store: Store, *, now_us: int, limit: int = DEFAULT_LIMIT, gap_us: int = DEFAULT_GAP_US
) -> CyclePlan:
    """Return what a cycle would do at ``now_us``; changes nothing.

    Deterministic in the store and ``now_us``. Cost: linear in the rows read.
    """
    rows = store.unconsolidated(limit=limit)
    groups = segment(rows, gap_us=gap_us)
    alone = _sessions_of_one_person(store, rows)
    candidates: list[PlannedBelief] = []
    intentions: list[PlannedIntention] = []
    refused: list[Refusal] = []
    for group in groups:
        found = reflect(group, alone=(group[0].scope, group[0].provenance.session) in alone)
        candidates += found.beliefs
        intentions += found.intentions
        refused += found.refused
    distilled = distill(store, groups, known=store.meta(TASKS_KEY))
    read = tuple(row.id for row in rows)
    archive = _forgotten(store, rows, now_us=now_us, limit=limit)
    return CyclePlan(
        cycle_id=_cycle_id(read, archive),
        now_us=now_us,
        read=read,
        segments=tuple(segment_of(group) for group in groups),
        beliefs=tuple(revise(store, candidates)),
        skills=distilled.skills,
        intentions=tuple(intentions),
        refused=tuple(refused),
        archive=archive,
        tasks=distilled.tasks,
    )


def apply_cycle(
    store: Store, encoder: EngramWriter, plan: CyclePlan, *, now_us: int
) -> CycleReport:
    """Write a plan in one transaction and return what was done.

    Applying it again changes nothing and says so.

    Raises:
        ConflictError: rows it read were erased or consolidated since; plan again.
        EmbedderError, BusyError, StorageError: nothing was changed.
    """
    if plan.empty:
        return CycleReport(cycle_id=plan.cycle_id)
    with store.write(now_us=now_us) as tx:
        rows = _rows_as_planned(store, plan)
        if rows is None:
            return CycleReport(cycle_id=plan.cycle_id, already_applied=True)
        _write_beliefs(tx, encoder, plan, now_us)
        closed = refresh_timelines(store, tx, timeline_keys(plan.beliefs))
        _write_skills(store, tx, encoder, plan, now_us)
        _write_intentions(tx, encoder, plan, now_us)
        if plan.tasks is not None:
            tx.put_meta(TASKS_KEY, plan.tasks)
        tx.set_consolidated(row.local for row in rows)
        archived = _archive(store, tx, plan, now_us)
        report = CycleReport(
            cycle_id=plan.cycle_id,
            read=len(plan.read),
            episodes=len(plan.segments),
            beliefs_new=len(plan.beliefs),
            beliefs_closed=closed,
            skills=len(plan.skills),
            intentions=len(plan.intentions),
            archived=archived,
            refused=plan.refused,
        )
        tx.journal("sleep", subject=plan.cycle_id, detail=_counts(report))
    return report


def _sessions_of_one_person(store: Store, rows: Iterable[Engram]) -> set[tuple[str, str]]:
    """Return the sessions in which no second person has spoken, as far as their rows tell."""
    people: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        session = (row.scope, row.provenance.session)
        if session not in people:
            tail = store.session_tail(scope=row.scope, session=row.provenance.session, limit=20)
            people[session] = {
                t.provenance.principal for t in tail if t.provenance.role is Role.USER
            }
        if row.provenance.role is Role.USER:
            people[session].add(row.provenance.principal)
    return {session for session, names in people.items() if len(names) <= 1}


def _forgotten(
    store: Store, rows: Sequence[Engram], *, now_us: int, limit: int
) -> tuple[EngramId, ...]:
    """Return what may leave the hot store: rows whose instant has come, once they were read."""
    due = {row.id: row for row in store.evictable(now_us=now_us, limit=limit)}
    due.update((row.id, row) for row in rows if _has_faded(row, now_us))
    return tuple(sorted(id_ for id_, row in due.items() if _may_go(row)))


def _has_faded(row: Engram, now_us: int) -> bool:
    return row.state is State.HOT and row.evict_at_us is not None and row.evict_at_us <= now_us


def _may_go(row: Engram) -> bool:
    safe = row.category in {Category.INVARIANT, Category.SKILL}
    return not row.pinned and not safe and row.kind is not Kind.INTENTION


def _cycle_id(read: Sequence[EngramId], archive: Sequence[EngramId]) -> str:
    digest = hashlib.sha256(b"scrubjay-cycle\0")
    for part in (read, archive):
        digest.update(len(part).to_bytes(8, "big"))
        for id_ in part:
            digest.update(id_)
    return digest.hexdigest()[:32]


def _rows_as_planned(store: Store, plan: CyclePlan) -> list[Engram] | None:
    """Return the rows a plan read, or None if a cycle has consolidated all of them already."""
    unread = store.unconsolidated(limit=len(plan.read)) if plan.read else []
    if tuple(row.id for row in unread) == plan.read:
        return unread
    try:
        rows = [store.engram(id_) for id_ in plan.read]
    except NotFoundError as error:
        msg = f"apply_cycle: a row it read was erased since, got {error}, expected it; plan again"
        raise ConflictError(msg) from error
    done = sum(row.consolidated for row in rows)
    if done and done < len(rows):
        msg = (
            f"apply_cycle: {done} of {len(rows)} rows were consolidated by another cycle, "
            "expected none; plan again"
        )
        raise ConflictError(msg)
    if done and rows:
        return None
    return rows


def _write_beliefs(tx: Transaction, encoder: EngramWriter, plan: CyclePlan, now_us: int) -> None:
    for belief in plan.beliefs:
        engram = belief_engram(belief, id_=tx.new_id(), now_us=now_us)
        local = encoder.encode(tx, engram)
        if belief.category is Category.INVARIANT:
            tx.set_pinned(local, pinned=True)
        tx.add_assertion(assertion_of(belief, engram))


def _write_skills(
    store: Store, tx: Transaction, encoder: EngramWriter, plan: CyclePlan, now_us: int
) -> None:
    """Add skills; the version that one renews stays as history and leaves the default search."""
    for skill in plan.skills:
        renewed = [old for old in store.skills(scope=skill.scope) if old.name == skill.name]
        tx.set_state([store.engram(old.id).local for old in renewed], State.SUPERSEDED)
        engram = skill_engram(skill, id_=tx.new_id(), now_us=now_us)
        encoder.encode(tx, engram)
        tx.add_skill(skill_of(skill, engram))


def _write_intentions(tx: Transaction, encoder: EngramWriter, plan: CyclePlan, now_us: int) -> None:
    for planned in plan.intentions:
        engram = intention_engram(planned, id_=tx.new_id(), now_us=now_us)
        encoder.encode(tx, engram)
        tx.add_intention(intention_of(planned, engram))


def _archive(store: Store, tx: Transaction, plan: CyclePlan, now_us: int) -> int:
    """Move what is still to go to the cold archive; a row used since planning stays."""
    rows: list[Engram] = []
    for id_ in plan.archive:
        try:
            row = store.engram(id_)
        except NotFoundError:
            continue
        if _has_faded(row, now_us) and _may_go(row):
            rows.append(row)
    if rows:
        tx.archive(rows)
    return len(rows)


def _counts(report: CycleReport) -> str:
    """Return the numbers of a report as canonical JSON; no content enters the journal."""
    fields = {
        "archived": report.archived,
        "beliefs_closed": report.beliefs_closed,
        "beliefs_new": report.beliefs_new,
        "episodes": report.episodes,
        "intentions": report.intentions,
        "read": report.read,
        "refused": [[format_id(r.engram), r.reason] for r in report.refused],
        "skills": report.skills,
    }
    return msgspec.json.encode(fields, order="deterministic").decode()
