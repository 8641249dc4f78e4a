"""Perception: what is observed passes the sensory gate into working memory and the session log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import msgspec

from scrubjay.base.ports import Store
from scrubjay.base.trace import Modality, Observation
from scrubjay.policies.encoding import text_of
from scrubjay.systems.sensory import Percept, SensoryBuffer, SensoryTrace, SweepReport
from scrubjay.systems.short_term import ShortTermLog
from scrubjay.systems.working import WorkingMemory

__all__ = ["attend", "let_go", "perceive", "sense"]


def perceive(
    sensory: SensoryBuffer,
    working: WorkingMemory,
    short_term: ShortTermLog,
    observation: Observation,
    *,
    now_us: int,
) -> Percept:
    """Log an observation and let it into working memory if it stands out."""
    text = text_of(observation)
    short_term.encode(text, session=observation.session, role=observation.role, now_us=now_us)
    return sense(sensory, working, text, observation.modality, now_us=now_us)


def sense(
    sensory: SensoryBuffer,
    working: WorkingMemory,
    content: str | bytes,
    modality: Modality | str,
    *,
    now_us: int,
) -> Percept:
    """Take in a percept, relevant or not to what is in mind; it passes if it stands out."""
    in_mind = tuple(
        chunk.content for chunk in working.active(now_us=now_us) if isinstance(chunk.content, str)
    )
    percept = sensory.perceive(content, modality, working=in_mind, now_us=now_us)
    if percept.transferred:
        _transfer(working, percept.trace, now_us=now_us)
    return percept


def attend(
    store: Store, sensory: SensoryBuffer, working: WorkingMemory, *, now_us: int
) -> SweepReport:
    """Sweep the sensory buffer: survivors enter working memory, what expired enters the audit log.

    The log holds how many traces of which modality were let go, never what they said. Nothing is
    written where nothing expired.
    """
    report = sensory.sweep(now_us=now_us)
    for trace in report.transferred:
        _transfer(working, trace, now_us=now_us)
    if report.expired:
        counts = Counter(str(trace.modality) for trace in report.expired)
        detail = msgspec.json.encode(dict(sorted(counts.items()))).decode()
        with store.write(now_us=now_us) as tx:
            tx.journal("sensory-expired", detail=detail)
    return report


def let_go(
    sensory: SensoryBuffer,
    working: WorkingMemory,
    short_term: ShortTermLog,
    texts: Collection[str],
) -> None:
    """Drop erased texts from every buffer of this handle."""
    for buffer in (sensory, working, short_term):
        buffer.let_go(texts)


def _transfer(working: WorkingMemory, trace: SensoryTrace, *, now_us: int) -> None:
    working.encode(trace.content, trace.modality, trace.salience, now_us=now_us)
