"""Believing: explicit statements become immutable assertions, and their timelines follow."""

from __future__ import annotations

import msgspec

from scrubjay.activation.retention import eviction_instant, schedule_of
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store, Transaction
from scrubjay.base.provenance import Channel, Provenance, Role, authority_of, plane_of
from scrubjay.base.trace import Assertion, Category, Engram, Kind, Precision
from scrubjay.policies.encoding import Encoder
from scrubjay.policies.timelines import refresh_timelines

__all__ = ["Statement", "believe"]


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One explicit fact as the caller states it; a free text has no subject."""

    text: str
    scope: str
    session: str
    principal: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    precision: Precision = Precision.UNKNOWN
    confidence: float = 1.0
    pinned: bool = False
    invariant: bool = False
    functional: bool | None = None


def believe(
    store: Store,
    encoder: Encoder,
    statement: Statement,
    *,
    role: Role,
    channel: Channel,
    now_us: int,
) -> EngramId:
    """Store a statement in one transaction and bring its timeline up to date; return its id.

    Raises:
        EmbedderError, BusyError, StorageError: nothing was stored.
    """
    encoder = encoder.ahead([statement.text])
    with store.write(now_us=now_us) as tx:
        engram = _engram_of(tx, statement, role=role, channel=channel, now_us=now_us)
        local = encoder.encode(tx, engram)
        if statement.pinned or statement.invariant:
            tx.set_pinned(local, pinned=True)
        if statement.functional is not None:
            tx.declare_predicate(statement.predicate, functional=statement.functional)
        if statement.subject:
            tx.add_assertion(_assertion_of(engram, statement))
            key = (statement.scope, statement.subject, statement.predicate)
            refresh_timelines(store, tx, [key])
        tx.journal("remember", subject=format_id(engram.id))
    return engram.id


def _engram_of(
    tx: Transaction, statement: Statement, *, role: Role, channel: Channel, now_us: int
) -> Engram:
    category = Category.INVARIANT if statement.invariant else Category.FACT
    schedule = schedule_of(category)
    return Engram(
        id=tx.new_id(),
        scope=statement.scope,
        kind=Kind.BELIEF if statement.subject else Kind.NOTE,
        category=category,
        content=statement.text,
        provenance=Provenance(
            role=role,
            channel=channel,
            principal=statement.principal,
            authority=authority_of(role, channel),
            plane=plane_of(role),
            session=statement.session,
        ),
        recorded_us=now_us,
        event_us=now_us,
        last_us=now_us,
        salience=schedule.salience,
        half_life_us=schedule.half_life_us,
        evict_at_us=eviction_instant(
            last_us=now_us,
            salience=schedule.salience,
            frequency=0,
            half_life_us=schedule.half_life_us,
        ),
        consolidated=True,
    )


def _assertion_of(engram: Engram, statement: Statement) -> Assertion:
    return Assertion(
        id=engram.id,
        scope=statement.scope,
        subject=statement.subject,
        predicate=statement.predicate,
        object=statement.object,
        plane=engram.provenance.plane,
        authority=int(engram.provenance.authority),
        principal=statement.principal,
        recorded_us=engram.recorded_us,
        event_us=engram.event_us,
        valid_from_us=statement.valid_from_us,
        valid_to_us=statement.valid_to_us,
        precision=statement.precision,
        confidence=statement.confidence,
    )
