"""Intending: plans for later become rows that can be found, and are handed out when due."""

from __future__ import annotations

from scrubjay.activation.retention import eviction_instant, schedule_of
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Intention, Kind
from scrubjay.policies.encoding import Encoder
from scrubjay.systems.prospective import Due, Intentions, new_intention

__all__ = ["acknowledge", "cancel", "hand_out", "plan"]


def plan(
    store: Store,
    encoder: Encoder,
    action: str,
    *,
    scope: str,
    due_us: int,
    expires_us: int | None,
    now_us: int,
) -> Intention:
    """Store an armed intention that the user set.

    Raises:
        InvalidArgumentError, ClockError: an empty action, or an expiry not after the due time.
    """
    encoder = encoder.ahead([" ".join(action.split())])
    with store.write(now_us=now_us) as tx:
        intention = new_intention(
            action,
            id_=tx.new_id(),
            scope=scope,
            due_us=due_us,
            expires_us=expires_us,
            now_us=now_us,
        )
        encoder.encode(tx, _row_of(intention, now_us=now_us))
        tx.add_intention(intention)
        tx.journal("intention.planned", subject=format_id(intention.id))
    return intention


def hand_out(store: Store, *, now_us: int) -> list[Due]:
    """Fire what is due, once for each occurrence, and return it under lease, most urgent first.

    What another handler holds under lease is left out. Nothing is written if nothing is due.
    """
    system = Intentions(store)
    waiting = system.due(now_us=now_us)
    armed = store.intentions(status="armed")
    overdue = any(i.expires_us is not None and now_us >= i.expires_us for i in armed)
    if not waiting and not overdue:
        return []
    with store.write(now_us=now_us) as tx:
        system.expire(tx, now_us=now_us)
        fired = [system.fire(tx, due.intention.id, now_us=now_us) for due in waiting]
    return [due for due in fired if due is not None]


def acknowledge(store: Store, id_: EngramId, *, token: int, now_us: int) -> Intention:
    """Mark a fired intention done; a stale token is refused.

    Raises:
        NotFoundError: no such firing. ConflictError: the firing was handed to another since.
    """
    with store.write(now_us=now_us) as tx:
        return Intentions(store).acknowledge(tx, id_, token=token, now_us=now_us)


def cancel(store: Store, id_: EngramId, *, now_us: int) -> Intention:
    """Cancel a waiting intention. Raises NotFoundError or ConflictError."""
    with store.write(now_us=now_us) as tx:
        return Intentions(store).cancel(tx, id_)


def _row_of(intention: Intention, *, now_us: int) -> Engram:
    schedule = schedule_of(Category.FACT)
    return Engram(
        id=intention.id,
        scope=intention.scope,
        kind=Kind.INTENTION,
        category=Category.FACT,
        content=intention.action,
        provenance=Provenance(
            role=Role.USER,
            channel=Channel.REMEMBER,
            principal=str(Role.USER),
            authority=Authority.USER_EXPLICIT,
            plane=Plane.USER,
            session="main",
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
