"""Perception: what is observed passes the sensory gate into working memory and the session log."""

from __future__ import annotations

from scrubjay.base.trace import Observation
from scrubjay.policies.encoding import text_of
from scrubjay.systems.sensory import SensoryBuffer
from scrubjay.systems.short_term import ShortTermLog
from scrubjay.systems.working import WorkingMemory

__all__ = ["attend", "perceive"]


def perceive(
    sensory: SensoryBuffer,
    working: WorkingMemory,
    short_term: ShortTermLog,
    observation: Observation,
    *,
    now_us: int,
) -> bool:
    """Log an observation and let it into working memory if it stands out; return whether it did."""
    text = text_of(observation)
    short_term.encode(text, session=observation.session, role=observation.role, now_us=now_us)
    perceived = sensory.perceive(text, observation.modality, now_us=now_us)
    if perceived.transferred:
        working.encode(
            text,
            observation.modality,
            perceived.trace.salience,
            now_us=now_us,
        )
    return perceived.transferred


def attend(sensory: SensoryBuffer, working: WorkingMemory, *, now_us: int) -> int:
    """Sweep the sensory buffer and move its survivors into working memory; return how many."""
    report = sensory.sweep(now_us=now_us)
    for trace in report.transferred:
        working.encode(trace.content, trace.modality, trace.salience, now_us=now_us)
    return len(report.transferred)
