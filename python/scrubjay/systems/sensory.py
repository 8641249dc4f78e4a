"""Sensory memory: the gate where everything arrives, most of it to be gone in seconds.

Models the iconic and echoic stores: high capacity, a time to live per modality, attention as a
threshold. Promises that every trace either passes the gate once, or expires and is reported, or is
pushed out by overflow and counted. Forgets by design; nothing here is durable. Calls its salience
model and nothing else.

Source: time to live 400 ms visual (Sperling 1960), 3.5 s auditory, 3 s textual, 5 s structured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from scrubjay.activation.salience import Cues, SalienceModel, SurfaceSalience
from scrubjay.base.clock import MINUTE_US, check_instant
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, UnitError
from scrubjay.base.trace import Modality

__all__ = [
    "IMMEDIATE_THRESHOLD",
    "SWEEP_THRESHOLD",
    "TTL_US",
    "Percept",
    "SensoryBuffer",
    "SensoryStats",
    "SensoryTrace",
    "SweepReport",
]

_MS_US = 1000

TTL_US = {
    Modality.VISUAL: 400 * _MS_US,
    Modality.AUDITORY: 3500 * _MS_US,
    Modality.TEXTUAL: 3000 * _MS_US,
    Modality.STRUCTURED: 5000 * _MS_US,
}
"""How long a trace lives, in microseconds, by the sense it came by."""

IMMEDIATE_THRESHOLD = 0.75
"""Above this salience a trace passes at once."""

SWEEP_THRESHOLD = 0.5
"""Above this salience a living trace passes at the next sweep."""

_RECENT = 32
"""Contents that novelty is judged against."""

_MAX_TTL_US = 60 * MINUTE_US


class SensoryTrace(msgspec.Struct, frozen=True, kw_only=True):
    """One raw percept; ``id`` counts arrivals of its buffer."""

    id: int
    content: str | bytes
    modality: Modality
    arrived_us: int
    expires_us: int
    cues: Cues

    @property
    def salience(self) -> float:
        """How much it stands out, 0 to 1."""
        return self.cues.salience


class Percept(NamedTuple):
    """A trace and whether it passed the gate at once."""

    trace: SensoryTrace
    transferred: bool


class SweepReport(NamedTuple):
    """What one sweep let through and what it let go; ``expired`` belongs in the audit log."""

    transferred: list[SensoryTrace]
    expired: list[SensoryTrace]


class SensoryStats(msgspec.Struct, frozen=True, kw_only=True):
    """Counts since the buffer was made; ``held`` is the present number of traces."""

    arrived: int
    transferred: int
    expired: int
    overflowed: int
    held: int
    capacity: int


class SensoryBuffer:
    """A bounded ring of percepts. Not thread-safe.

    >>> gate = SensoryBuffer()
    >>> gate.perceive("ok", "textual", now_us=0).transferred
    False
    >>> [t.content for t in gate.sweep(now_us=4_000_000).expired]
    ['ok']
    """

    def __init__(
        self,
        capacity: int = 1024,
        *,
        salience: SalienceModel | None = None,
        immediate_threshold: float = IMMEDIATE_THRESHOLD,
        sweep_threshold: float = SWEEP_THRESHOLD,
        ttl_us: dict[Modality, int] | None = None,
    ) -> None:
        """Hold at most ``capacity`` traces.

        Raises:
            UnitError: a capacity below 1, thresholds not 0 <= sweep <= immediate <= 1, or a time
                to live outside (0, 1 h]; every fault is named.
        """
        lives = {**TTL_US, **(ttl_us or {})}
        faults = [
            f"time to live of {modality}, got {life_us} us, expected 1 us to 1 h"
            for modality, life_us in sorted(lives.items())
            if not 0 < life_us <= _MAX_TTL_US
        ]
        if capacity < 1:
            faults.append(f"capacity, got {capacity}, expected >= 1")
        if not 0.0 <= sweep_threshold <= immediate_threshold <= 1.0:
            faults.append(
                f"thresholds, got {sweep_threshold} and {immediate_threshold}, "
                "expected 0 <= sweep <= immediate <= 1"
            )
        if faults:
            msg = f"SensoryBuffer: out of range: {'; '.join(faults)}"
            raise UnitError(msg)
        self._capacity = capacity
        self._model: SalienceModel = salience or SurfaceSalience()
        self._immediate = immediate_threshold
        self._sweep = sweep_threshold
        self._ttl_us = lives
        self._held: deque[SensoryTrace] = deque()
        self._recent: deque[str] = deque(maxlen=_RECENT)
        self._passed: set[int] = set()
        self._last_us: int | None = None
        self._arrived = self._transferred = self._expired = self._overflowed = 0

    def perceive(
        self,
        content: str | bytes,
        modality: Modality | str = Modality.TEXTUAL,
        *,
        working: tuple[str, ...] = (),
        now_us: int,
    ) -> Percept:
        """Take in one percept; it passes at once if its salience exceeds the upper threshold.

        ``working`` is what working memory holds, for relevance. Bytes have no words: their
        salience is that of a percept nobody described.

        Raises:
            InvalidArgumentError: an unknown modality. ArgumentTypeError: neither str nor bytes.
        """
        sense = _modality_of(modality)
        if not isinstance(content, str | bytes):
            kind = type(content).__name__
            msg = f"perceive: content has the wrong type, got {kind}, expected str or bytes"
            raise ArgumentTypeError(msg)
        now_us = self._at("perceive", now_us)
        words = content if isinstance(content, str) else ""
        cues = self._model.judge(words, recent=tuple(self._recent), working=working)
        trace = SensoryTrace(
            id=self._arrived + 1,
            content=content,
            modality=sense,
            arrived_us=now_us,
            expires_us=now_us + self._ttl_us[sense],
            cues=cues,
        )
        self._arrived += 1
        if len(self._held) == self._capacity:
            self._passed.discard(self._held.popleft().id)
            self._overflowed += 1
        self._held.append(trace)
        if words:
            self._recent.append(words)
        transferred = cues.salience > self._immediate
        if transferred:
            self._pass(trace)
        return Percept(trace, transferred)

    def sweep(self, *, now_us: int) -> SweepReport:
        """Let living traces above the lower threshold through, once each; drop the expired."""
        now_us = self._at("sweep", now_us)
        living = [t for t in self._held if now_us < t.expires_us]
        expired = [t for t in self._held if now_us >= t.expires_us]
        passing = [t for t in living if t.salience > self._sweep and t.id not in self._passed]
        for trace in passing:
            self._pass(trace)
        lost = [t for t in expired if t.id not in self._passed]
        self._passed.difference_update(t.id for t in expired)
        self._expired += len(lost)
        self._held = deque(living)
        return SweepReport(passing, lost)

    def traces(self, *, now_us: int) -> list[SensoryTrace]:
        """Return the living traces, oldest first; changes nothing."""
        return [t for t in self._held if now_us < t.expires_us]

    def let_go(self, texts: Collection[str]) -> int:
        """Drop every trace that says one of these texts, novelty's too; return how many."""
        kept = [trace for trace in self._held if trace.content not in texts]
        gone = len(self._held) - len(kept)
        self._held = deque(kept)
        self._passed.intersection_update(trace.id for trace in kept)
        self._recent = deque((w for w in self._recent if w not in texts), maxlen=_RECENT)
        return gone

    def stats(self) -> SensoryStats:
        """Return what came, passed, expired and overflowed."""
        return SensoryStats(
            arrived=self._arrived,
            transferred=self._transferred,
            expired=self._expired,
            overflowed=self._overflowed,
            held=len(self._held),
            capacity=self._capacity,
        )

    def _pass(self, trace: SensoryTrace) -> None:
        self._passed.add(trace.id)
        self._transferred += 1

    def _at(self, function: str, now_us: int) -> int:
        """Return max(now, last): time does not run backwards inside a buffer."""
        check_instant(function, now_us)
        self._last_us = now_us if self._last_us is None else max(now_us, self._last_us)
        return self._last_us


def _modality_of(value: Modality | str) -> Modality:
    try:
        return Modality(value)
    except ValueError as error:
        known = ", ".join(Modality)
        msg = f"perceive: unknown modality, got {value!r:.40}, expected one of {known}"
        raise InvalidArgumentError(msg) from error
