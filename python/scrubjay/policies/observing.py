"""Observing: a batch of percepts becomes rows, each exactly once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store
from scrubjay.base.provenance import Channel
from scrubjay.base.trace import Observation
from scrubjay.policies.encoding import Encoder, TurnWriter, text_of

__all__ = ["ObserveReport", "observe_batch"]


class ObserveReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a batch: one id per observation, in order.

    ``repeated`` counts those that had been stored before under the same message id or position.
    """

    ids: tuple[EngramId, ...]
    stored: int
    repeated: int


def observe_batch(
    store: Store,
    encoder: Encoder,
    observations: Sequence[Observation],
    *,
    channel: Channel,
    now_us: int,
    progress: tuple[str, int, str] | None = None,
) -> ObserveReport:
    """Store observations in one transaction, skipping those already there.

    Embedding happens before the transaction begins, so the write lock is short. ``progress`` is
    (source, position, digest) of the transcript being read and commits with its turns.

    Raises:
        EmbedderError: nothing was stored.
        BusyError, StorageError: nothing was stored.
    """
    vectors, gains = encoder.embed([text_of(observation) for observation in observations])
    ids: list[EngramId] = []
    seen: dict[tuple[str, str, str, int | None], EngramId] = {}
    stored = 0
    with store.write(now_us=now_us) as tx:
        writer = TurnWriter(store, tx, encoder, channel=channel, now_us=now_us)
        for row, observation in enumerate(observations):
            key = _identity(observation)
            known = seen.get(key) if key else None
            if known is None and key is not None:
                known = _stored_before(store, observation)
            if known is None:
                known = writer.write(observation, vectors[row], float(gains[row])).id
                stored += 1
            if key is not None:
                seen[key] = known
            ids.append(known)
        if progress is not None:
            source, position, digest = progress
            tx.put_progress(source, position=position, digest=digest)
        if stored:
            first = format_id(ids[0])
            tx.journal("observe", subject=first, detail=_detail(stored, len(ids) - stored))
    return ObserveReport(ids=tuple(ids), stored=stored, repeated=len(ids) - stored)


def _identity(observation: Observation) -> tuple[str, str, str, int | None] | None:
    if not observation.message_id and observation.position is None:
        return None
    position = None if observation.message_id else observation.position
    return (observation.scope, observation.session, observation.message_id, position)


def _stored_before(store: Store, observation: Observation) -> EngramId | None:
    engram = store.find_message(
        scope=observation.scope,
        session=observation.session,
        message_id=observation.message_id,
        position=observation.position,
    )
    return None if engram is None else engram.id


def _detail(stored: int, repeated: int) -> str:
    return msgspec.json.encode({"repeated": repeated, "stored": stored}).decode()
