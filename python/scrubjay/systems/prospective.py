"""Prospective memory: what is to be done later, and that it is done once.

Models intentions with a trigger, an action and a lifetime; in this release the trigger is an
instant. Promises one durable firing per intention and occurrence, also when the process slept
through the due time; delivery at least once, under a lease, with a fencing token that makes a late
acknowledgement fail. What expired or was cancelled never fires and stays listed as such. Forgets
nothing. Calls the store.
"""

from __future__ import annotations

import math

import msgspec

from scrubjay.base.clock import DAY_US, MINUTE_US, check_instant
from scrubjay.base.errors import ConflictError, InvalidArgumentError, NotFoundError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.ports import Store, Transaction
from scrubjay.base.trace import Firing, Intention

__all__ = ["LEASE_US", "MAX_ACTION_CHARS", "Due", "Intentions", "new_intention"]

LEASE_US = 5 * MINUTE_US
"""How long a handler may take before the same firing is handed to another."""

LATE_AFTER_US = MINUTE_US
"""A delivery later than this is marked late."""

URGENCY_HALF_LIFE_US = DAY_US
"""Urgency halves with every day of lateness: an old reminder is still due, but no alarm."""

MAX_ACTION_CHARS = 2000

_WAITING = ("armed", "fired")


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """An intention whose time has come; hand back ``firing.token`` to acknowledge it."""

    intention: Intention
    late_us: int
    late: bool
    urgency: float
    redelivered: bool = False
    firing: Firing | None = None


def new_intention(
    action: str,
    *,
    id_: EngramId,
    scope: str,
    due_us: int,
    expires_us: int | None = None,
    now_us: int,
) -> Intention:
    """Return an armed intention; a due time in the past is due at once.

    Raises:
        InvalidArgumentError: an empty or overlong action, or an expiry not after the due time.
        ClockError: an instant outside years 1 to 9999.
    """
    check_instant("new_intention", due_us)
    text = " ".join(action.split())
    if not 1 <= len(text) <= MAX_ACTION_CHARS:
        msg = (
            f"new_intention: the action has {len(text)} characters, "
            f"expected 1 to {MAX_ACTION_CHARS}; keep a longer text as a note and refer to it"
        )
        raise InvalidArgumentError(msg)
    if expires_us is not None and check_instant("new_intention", expires_us) <= due_us:
        msg = (
            f"new_intention: it would expire before it is due, got expiry {expires_us} us, "
            f"expected more than {due_us} us"
        )
        raise InvalidArgumentError(msg)
    return Intention(
        id=id_, scope=scope, action=text, due_us=due_us, expires_us=expires_us, created_us=now_us
    )


class Intentions:
    """The prospective memory of one store. Thread-safe as far as the store is."""

    def __init__(self, store: Store) -> None:
        """Read from ``store``; writes go through the caller's transaction on it."""
        self._store = store

    def due(self, *, now_us: int, leased: bool = False) -> list[Due]:
        """Return what is due, most urgent first; changes nothing.

        What a handler holds under lease is left out, unless ``leased`` asks for it.
        """
        out: list[Due] = []
        firings = {(f.intention, f.occurrence_us): f for f in self._store.firings()}
        for status in _WAITING:
            for intention in self._store.intentions(status=status):
                firing = firings.get((intention.id, intention.due_us))
                if _is_due(intention, firing, now_us, leased=leased):
                    out.append(_due(intention, firing, now_us))
        return sorted(out, key=lambda d: (-d.urgency, d.intention.due_us, d.intention.id))

    def fire(
        self, tx: Transaction, intention_id: EngramId, *, now_us: int, lease_us: int = LEASE_US
    ) -> Due | None:
        """Take the firing of a due intention under lease; None if another handler holds it.

        The first call makes the one durable firing of this occurrence. After a lease ran out the
        same firing is handed out again under a higher token. Requires ``tx`` to be open on this
        store: what it reads here cannot change before it commits.

        Raises:
            NotFoundError: no such intention.
        """
        intention = self._intention(intention_id)
        firing = self._firing(intention)
        if not _is_due(intention, firing, now_us):
            return None
        token = 1 if firing is None else firing.token + 1
        taken = Firing(
            intention=intention.id,
            occurrence_us=intention.due_us,
            fired_us=now_us if firing is None else firing.fired_us,
            token=token,
            leased_until_us=now_us + lease_us,
        )
        tx.put_firing(taken)
        if firing is None:
            tx.set_intention_status(intention.id, "fired")
        tx.journal(
            "intention.fired" if firing is None else "intention.redelivered",
            subject=format_id(intention.id),
            detail=msgspec.json.encode(
                {"occurrence_us": intention.due_us, "token": token}
            ).decode(),
        )
        return msgspec.structs.replace(_due(intention, firing, now_us), firing=taken)

    def acknowledge(
        self, tx: Transaction, intention_id: EngramId, *, token: int, now_us: int
    ) -> Intention:
        """Mark the occurrence done; acknowledging twice under the same token changes nothing.

        Raises:
            NotFoundError: no such intention, or it never fired.
            ConflictError: the token is stale; another handler was given the firing since.
        """
        intention = self._intention(intention_id)
        firing = self._firing(intention)
        if firing is None:
            msg = f"acknowledge: it has not fired, got {format_id(intention_id)}, expected a firing"
            raise NotFoundError(msg)
        if firing.token != token:
            msg = (
                f"acknowledge: stale token, got {token}, expected {firing.token}; "
                "the lease ran out and the firing was handed to another"
            )
            raise ConflictError(msg)
        if firing.acknowledged_us is None:
            tx.put_firing(msgspec.structs.replace(firing, acknowledged_us=now_us))
            tx.set_intention_status(intention.id, "done")
            tx.journal("intention.done", subject=format_id(intention.id))
        return msgspec.structs.replace(intention, status="done")

    def cancel(self, tx: Transaction, intention_id: EngramId) -> Intention:
        """Cancel what is still waiting; what is done or expired stays so.

        Raises:
            NotFoundError: no such intention. ConflictError: it is over already.
        """
        intention = self._intention(intention_id)
        if intention.status not in _WAITING:
            msg = f"cancel: it is over, got status {intention.status}, expected armed or fired"
            raise ConflictError(msg)
        tx.set_intention_status(intention.id, "cancelled")
        tx.journal("intention.cancelled", subject=format_id(intention.id))
        return msgspec.structs.replace(intention, status="cancelled")

    def expire(self, tx: Transaction, *, now_us: int) -> list[Intention]:
        """Move armed intentions past their expiry to ``expired``; return them."""
        over = [
            intention
            for intention in self._store.intentions(status="armed")
            if intention.expires_us is not None and now_us >= intention.expires_us
        ]
        for intention in over:
            tx.set_intention_status(intention.id, "expired")
            tx.journal("intention.expired", subject=format_id(intention.id))
        return [msgspec.structs.replace(i, status="expired") for i in over]

    def _intention(self, id_: EngramId) -> Intention:
        for intention in self._store.intentions():
            if intention.id == id_:
                return intention
        msg = f"intentions: no such intention, got {format_id(id_)}, expected one of list()"
        raise NotFoundError(msg)

    def _firing(self, intention: Intention) -> Firing | None:
        for firing in self._store.firings():
            if (firing.intention, firing.occurrence_us) == (intention.id, intention.due_us):
                return firing
        return None

    def list(self, *, status: str | None = None) -> list[Intention]:
        """Return intentions by due time: armed, fired, done, expired or cancelled."""
        return self._store.intentions(status=status)


def _is_due(
    intention: Intention, firing: Firing | None, now_us: int, *, leased: bool = False
) -> bool:
    if intention.status not in _WAITING or now_us < intention.due_us:
        return False
    if firing is None:
        return intention.expires_us is None or now_us < intention.expires_us
    free = leased or now_us >= firing.leased_until_us
    return firing.acknowledged_us is None and free


def _due(intention: Intention, firing: Firing | None, now_us: int) -> Due:
    late_us = max(0, now_us - intention.due_us)
    return Due(
        intention=intention,
        late_us=late_us,
        late=late_us > LATE_AFTER_US,
        urgency=math.exp(-math.log(2.0) * late_us / URGENCY_HALF_LIFE_US),
        redelivered=firing is not None,
        firing=firing,
    )
