"""Working memory: the few chunks an agent has in mind, fading unless rehearsed.

Models the buffer of Baddeley and Hitch with Cowan's limit of about four chunks. Promises that its
capacity is never exceeded, that every chunk pushed out or refused is reported to the caller, and
that activation is a function of the last rehearsal alone: looking never weakens, and any sequence
of ticks equals the last one. Forgets what falls to the threshold, and everything at the end of a
task. Calls the kernels of decay and displacement, as a
bank of one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay._kernels import bank_activation, displace
from scrubjay.activation.base_level import CHUNK_DECAY_RATE, CHUNK_THRESHOLD
from scrubjay.base.clock import check_instant
from scrubjay.base.errors import InvalidArgumentError, NotFoundError, UnitError
from scrubjay.base.trace import Modality

__all__ = ["Chunk", "ChunkModality", "ChunkRole", "Encoding", "WorkingMemory", "chunk_modality_of"]

MAX_CAPACITY = 7
"""Miller's seven; more is not a working memory but a list."""

_CHARS_PER_TOKEN = 4
_FREE = -1
"""Sequence number of a slot that holds nothing."""


class ChunkModality(StrEnum):
    """The component of working memory that holds a chunk."""

    VERBAL = "verbal"
    SPATIAL = "spatial"
    EPISODIC_BUFFER = "episodic_buffer"


class ChunkRole(StrEnum):
    """What a chunk is for in the task at hand."""

    TASK = "task"
    STATE = "state"
    HYPOTHESIS = "hypothesis"
    EVIDENCE = "evidence"
    PENDING_CALL = "pending_call"


_FROM_SENSE = {
    Modality.TEXTUAL: ChunkModality.VERBAL,
    Modality.AUDITORY: ChunkModality.VERBAL,
    Modality.VISUAL: ChunkModality.SPATIAL,
    Modality.STRUCTURED: ChunkModality.EPISODIC_BUFFER,
}


def chunk_modality_of(modality: ChunkModality | Modality | str) -> ChunkModality:
    """Return where a percept of a sense is held; a chunk modality is returned as it is.

    Raises:
        InvalidArgumentError: neither a sense nor a component.

    >>> chunk_modality_of("structured").value
    'episodic_buffer'
    """
    if modality in set(Modality):
        return _FROM_SENSE[Modality(modality)]
    if modality in set(ChunkModality):
        return ChunkModality(modality)
    known = ", ".join([*ChunkModality, *Modality])
    msg = f"encode: unknown modality, got {modality!r:.40}, expected one of {known}"
    raise InvalidArgumentError(msg)


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """One slot: ``anchor_us`` is its last encoding or rehearsal, ``activation`` as of the look."""

    id: int
    content: str | bytes
    modality: ChunkModality
    role: ChunkRole
    salience: float
    anchor_us: int
    rehearsals: int = 0
    activation: float = 1.0


class Encoding(NamedTuple):
    """What encoding did: the new chunk (None if refused) and the one it pushed out."""

    chunk: Chunk | None
    displaced: Chunk | None = None
    refused: bool = False


class WorkingMemory:
    """A buffer of at most seven chunks. Not thread-safe.

    >>> mind = WorkingMemory(capacity=4)
    >>> for salience in (0.5, 0.6, 0.7, 0.8):
    ...     _ = mind.encode("a thought", "verbal", salience, now_us=0)
    >>> mind.encode("a faint one", "verbal", 0.3, now_us=0).refused
    True
    >>> mind.encode("a loud one", "verbal", 0.9, now_us=0).displaced.salience
    0.5
    """

    def __init__(
        self,
        capacity: int = 5,
        decay_rate: float = CHUNK_DECAY_RATE,
        threshold: float = CHUNK_THRESHOLD,
    ) -> None:
        """Hold ``capacity`` chunks that lose ``decay_rate`` of their activation per second.

        Raises:
            UnitError: capacity outside 1 to 7, a rate outside (0, 1), a threshold outside [0, 1);
                every fault is named.
        """
        faults = []
        if not 1 <= capacity <= MAX_CAPACITY:
            faults.append(f"capacity, got {capacity}, expected 1 to {MAX_CAPACITY}")
        if not 0.0 < decay_rate < 1.0:
            faults.append(f"decay_rate, got {decay_rate}, expected more than 0, less than 1")
        if not 0.0 <= threshold < 1.0:
            faults.append(f"threshold, got {threshold}, expected 0 or more, less than 1")
        if faults:
            msg = f"WorkingMemory: out of range: {'; '.join(faults)}"
            raise UnitError(msg)
        self._capacity = capacity
        self._decay_rate = decay_rate
        self._threshold = threshold
        self._slots: list[Chunk | None] = [None] * capacity
        self._anchor_us = np.zeros((1, capacity), np.int64)
        self._sequence = np.full((1, capacity), _FREE, np.int64)
        self._salience = np.zeros((1, capacity), np.float32)
        self._made = 0
        self._last_us: int | None = None

    def encode(
        self,
        content: str | bytes,
        modality: ChunkModality | Modality | str,
        salience: float,
        role: ChunkRole | str = ChunkRole.STATE,
        *,
        now_us: int,
    ) -> Encoding:
        """Take a chunk in; when full, it must beat the least salient one or it is refused.

        Raises:
            UnitError: salience outside [0, 1]. InvalidArgumentError: unknown modality or role.
        """
        held_as = chunk_modality_of(modality)
        purpose = _role_of(role)
        if not 0.0 <= salience <= 1.0:
            msg = f"encode: salience out of range, got {salience}, expected 0 to 1"
            raise UnitError(msg)
        now_us = self.tick(now_us=now_us)
        slot = int(displace(self._salience, self._sequence, np.array([salience], np.float32))[0])
        if slot < 0:
            return Encoding(None, refused=True)
        displaced = self._at(slot, now_us)
        self._made += 1
        chunk = Chunk(
            id=self._made,
            content=content,
            modality=held_as,
            role=purpose,
            salience=salience,
            anchor_us=now_us,
        )
        self._put(slot, chunk)
        return Encoding(chunk, displaced)

    def rehearse(self, chunk_id: int, *, now_us: int) -> Chunk:
        """Bring a chunk back to full activation.

        Raises:
            NotFoundError: it was never here, was pushed out, or has faded.
        """
        now_us = self.tick(now_us=now_us)
        for slot, chunk in enumerate(self._slots):
            if chunk is not None and chunk.id == chunk_id:
                rehearsed = msgspec.structs.replace(
                    chunk, anchor_us=now_us, rehearsals=chunk.rehearsals + 1
                )
                self._put(slot, rehearsed)
                return rehearsed
        msg = f"rehearse: no such chunk in mind, got {chunk_id}, expected one of active()"
        raise NotFoundError(msg)

    def tick(self, *, now_us: int) -> int:
        """Drop what has fallen to the threshold; return the instant in force, max(now, last).

        Ticking moves no anchor, so it is exact however often it happens.
        """
        check_instant("tick", now_us)
        self._last_us = now_us if self._last_us is None else max(now_us, self._last_us)
        _, kept = self._activation(self._last_us)
        for slot in np.flatnonzero(~kept):
            self._slots[slot] = None
            self._sequence[0, slot] = _FREE
        return self._last_us

    def active(self, *, now_us: int) -> list[Chunk]:
        """Return what is in mind, most salient first, then most active, then oldest."""
        now_us = self.tick(now_us=now_us)
        seen = (self._at(slot, now_us) for slot in range(len(self._slots)))
        return sorted(
            (chunk for chunk in seen if chunk is not None),
            key=lambda c: (-c.salience, -c.activation, c.id),
        )

    def context(
        self, budget_tokens: int, *, count: Callable[[str], int] | None = None, now_us: int
    ) -> list[Chunk]:
        """Return the most salient textual chunks that fit a budget, in the order of ``active``.

        ``count`` tells how many tokens a text has; by default a quarter of its characters. A chunk
        that does not fit is left out, a smaller one after it may still fit.

        Raises:
            UnitError: a negative budget.
        """
        if budget_tokens < 0:
            msg = f"context: budget out of range, got {budget_tokens}, expected >= 0"
            raise UnitError(msg)
        size = _rough_count if count is None else count
        chosen: list[Chunk] = []
        left = budget_tokens
        for chunk in self.active(now_us=now_us):
            if isinstance(chunk.content, str) and (cost := size(chunk.content)) <= left:
                chosen.append(chunk)
                left -= cost
        return chosen

    def flush(self, *, now_us: int) -> list[Chunk]:
        """Empty the buffer at the end of a task; return what was in mind."""
        gone = self.active(now_us=now_us)
        self._slots = [None] * len(self._slots)
        self._sequence[:] = _FREE
        return gone

    def let_go(self, texts: Collection[str]) -> int:
        """Drop every chunk that says one of these texts; return how many."""
        gone = [slot for slot, chunk in enumerate(self._slots) if chunk and chunk.content in texts]
        for slot in gone:
            self._slots[slot] = None
            self._sequence[0, slot] = _FREE
        return len(gone)

    def _put(self, slot: int, chunk: Chunk) -> None:
        self._slots[slot] = chunk
        self._anchor_us[0, slot] = chunk.anchor_us
        self._sequence[0, slot] = chunk.id
        self._salience[0, slot] = chunk.salience

    def _at(self, slot: int, now_us: int) -> Chunk | None:
        """Return the chunk of a slot as it is now."""
        chunk = self._slots[slot]
        if chunk is None:
            return None
        activation, _ = self._activation(now_us)
        return msgspec.structs.replace(chunk, activation=float(activation[slot]))

    def _activation(self, now_us: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the activation of every slot, and whether it is above the threshold."""
        activation, kept = bank_activation(
            self._anchor_us,
            self._sequence,
            now_us=now_us,
            decay_rate_per_s=self._decay_rate,
            threshold=self._threshold,
        )
        return activation[0], kept[0]


def _rough_count(text: str) -> int:
    return -(-len(text) // _CHARS_PER_TOKEN)


def _role_of(role: ChunkRole | str) -> ChunkRole:
    try:
        return ChunkRole(role)
    except ValueError as error:
        known = ", ".join(ChunkRole)
        msg = f"encode: unknown role, got {role!r:.40}, expected one of {known}"
        raise InvalidArgumentError(msg) from error
