"""Encoding: from what was perceived to a durable row with its vector and its text.

A turn becomes findable at the commit that stores it, alone and together with its two
predecessors; the commit of its successor rewrites that one context row, so that an answer is
found by the question before it and the reply after it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrubjay.activation.retention import eviction_instant, schedule_of
from scrubjay.base.errors import EmbedderError
from scrubjay.base.ports import Embedder, Store, Transaction
from scrubjay.base.provenance import Channel, Provenance, Role, authority_of, plane_of
from scrubjay.base.tokens import tokenize
from scrubjay.base.trace import Category, Engram, Kind, Observation

__all__ = ["Encoder", "TurnWriter", "gain_of", "text_of"]

PREDECESSORS = 2
"""Turns before a turn that belong to its context row (measured: decision record on fusion)."""

DAMPING = 0.25
"""A summed vector is divided by its length to this power, so that long turns keep some weight
(measured: decision record 0003)."""

MIN_GAIN = 1e-3
"""Gains are positive: a text without known tokens has no similarity, not a forbidden gain."""

OPEN_SESSIONS = 256
"""Sessions whose last turns one bulk write keeps in memory."""

_SCHEDULED_AS = {
    Role.USER: (Kind.TURN, Category.DIALOGUE),
    Role.ASSISTANT: (Kind.TURN, Category.DIALOGUE),
    Role.SYSTEM: (Kind.NOTE, Category.DIALOGUE),
    Role.TOOL: (Kind.TOOL_RESULT, Category.TELEMETRY),
    Role.DOCUMENT: (Kind.NOTE, Category.DIALOGUE),
}


def gain_of(norms: NDArray[np.float32], reference_norm: float | None) -> NDArray[np.float32]:
    """Return per-item gains in (0, 1] from the lengths of summed vectors.

    ``gain = (norm / reference_norm) ** (1 - DAMPING)``, clipped to [MIN_GAIN, 1]; 1 where the
    embedder has no reference. Shapes: (n,) float32 in and out.
    """
    if reference_norm is None:
        return np.ones_like(norms)
    ratio = norms.astype(np.float64) / reference_norm
    return np.clip(ratio ** (1 - DAMPING), MIN_GAIN, 1.0).astype(np.float32)


def text_of(observation: Observation) -> str:
    """Return the text under which an observation is kept; bare tool calls are spelled out."""
    if observation.content.strip():
        return observation.content
    return "\n".join(f"{call.name}({call.arguments})" for call in observation.tool_calls)


class _Vector(NamedTuple):
    unit: NDArray[np.float32]
    gain: float


class Encoder:
    """Writes rows with their vectors and texts. Stateless but for its embedder; thread-safe."""

    def __init__(self, embedder: Embedder, known: Mapping[str, _Vector] | None = None) -> None:
        """Encode with ``embedder``; its identity names the vector space."""
        self.embedder = embedder
        self.space = embedder.identity
        self._known = {} if known is None else known
        self._reference_norm: float | None = getattr(embedder, "reference_norm", None)

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return (unit vectors (n, d), gains (n,)) of texts.

        Raises:
            EmbedderError: wrong shape, NaN or infinity; nothing was stored.
        """
        vectors, norms = self.embedder.embed(texts)
        shape = (len(texts), self.embedder.dim)
        if vectors.shape != shape or norms.shape != shape[:1]:
            msg = f"embed: {self.space} answered with shape {vectors.shape}, expected {shape}"
            raise EmbedderError(msg)
        if not np.isfinite(vectors).all() or not np.isfinite(norms).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[:1].sum())
            msg = f"embed: {self.space} answered with NaN or infinity for text {row}"
            raise EmbedderError(msg)
        return vectors, gain_of(norms, self._reference_norm)

    def ahead(self, texts: Sequence[str]) -> Encoder:
        """Return an encoder that has embedded these texts already.

        A model may take seconds; what runs before a transaction begins holds no lock.
        """
        distinct = list(dict.fromkeys(texts))
        vectors, gains = self.embed(distinct)
        known = dict(zip(distinct, map(_Vector, vectors, gains.tolist()), strict=True))
        return Encoder(self.embedder, known)

    def encode(self, tx: Transaction, engram: Engram) -> int:
        """Store one row that stands alone (a belief, a skill, an intention); return its key."""
        vector = self._known.get(engram.content)
        if vector is None:
            vectors, gains = self.embed([engram.content])
            vector = _Vector(vectors[0], float(gains[0]))
        local = tx.add_engram(engram)
        tx.put_vector(local, self.space, vector.unit, vector.gain)
        tokens = tokenize(engram.content)
        tx.put_text(local, turn=tokens, context=tokens)
        return local


class _Turn(NamedTuple):
    local: int
    position: int
    tokens: list[str]


class TurnWriter:
    """Writes turns of sessions inside one transaction, keeping context rows right."""

    def __init__(
        self, store: Store, tx: Transaction, encoder: Encoder, *, channel: Channel, now_us: int
    ) -> None:
        """Write through ``tx`` at ``now_us``, with the authority ``channel`` grants."""
        self._store = store
        self._tx = tx
        self._encoder = encoder
        self._channel = channel
        self._now_us = now_us
        self._tails: OrderedDict[tuple[str, str], list[_Turn]] = OrderedDict()

    def write(self, observation: Observation, vector: NDArray[np.float32], gain: float) -> Engram:
        """Store one observation after its session's last turn and return the row."""
        key = (observation.scope, observation.session)
        tail = self._tail(key)
        last_position = tail[-1].position if tail else -1
        engram = self._engram(observation, fallback_position=last_position + 1)
        local = self._tx.add_engram(engram)
        self._tx.put_vector(local, self._encoder.space, vector, gain)
        turn = _Turn(local, engram.provenance.position, tokenize(engram.content))
        tail.append(turn)
        self._put_context(tail, len(tail) - 1)
        if len(tail) > 1:
            self._put_context(tail, len(tail) - 2)
        del tail[: -(PREDECESSORS + 1)]
        return engram

    def _put_context(self, tail: Sequence[_Turn], at: int) -> None:
        window = tail[max(0, at - PREDECESSORS) : at + 2]
        context = [token for turn in window for token in turn.tokens]
        self._tx.put_text(tail[at].local, turn=tail[at].tokens, context=context)

    def _tail(self, key: tuple[str, str]) -> list[_Turn]:
        tail = self._tails.get(key)
        if tail is None:
            scope, session = key
            tail = [
                _Turn(row.local, row.provenance.position, tokenize(row.content))
                for row in self._store.session_tail(
                    scope=scope, session=session, limit=PREDECESSORS + 1
                )
            ]
            self._tails[key] = tail
            if len(self._tails) > OPEN_SESSIONS:
                self._tails.popitem(last=False)
        self._tails.move_to_end(key)
        return tail

    def _engram(self, observation: Observation, *, fallback_position: int) -> Engram:
        kind, category = _SCHEDULED_AS[observation.role]
        schedule = schedule_of(category)
        position = observation.position
        event_us = observation.event_us
        return Engram(
            id=self._tx.new_id(),
            scope=observation.scope,
            kind=kind,
            category=category,
            content=text_of(observation),
            provenance=Provenance(
                role=observation.role,
                channel=self._channel,
                principal=observation.principal,
                authority=authority_of(observation.role, self._channel),
                plane=plane_of(observation.role),
                session=observation.session,
                message_id=observation.message_id,
                position=fallback_position if position is None else position,
            ),
            recorded_us=self._now_us,
            event_us=self._now_us if event_us is None else event_us,
            event_offset_min=observation.event_offset_min,
            last_us=self._now_us,
            salience=schedule.salience,
            half_life_us=schedule.half_life_us,
            evict_at_us=eviction_instant(
                last_us=self._now_us,
                salience=schedule.salience,
                frequency=0,
                half_life_us=schedule.half_life_us,
            ),
            tool_calls=observation.tool_calls,
            tool_result=observation.tool_result,
        )
