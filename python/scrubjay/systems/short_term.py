"""Short-term memory: the log of a session for half an hour, longer for what is gone back to.

Models the antechamber of consolidation. Promises that a repeat from an agent or a tool is folded
into what is there, that a user's turn is never dropped, that only ``retrieve`` counts as rehearsal,
and that time orders items by arrival. Forgets an item when its time to live has run out, after
offering it for consolidation if it earned that. Calls nothing.

Source: TTL 1800 s, extended to min(1800 + 120 per access, 7200) s from the access.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from scrubjay.base.clock import SECOND_US, check_instant
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, NotFoundError, UnitError
from scrubjay.base.provenance import Role
from scrubjay.base.tokens import query_tokens

__all__ = ["Item", "Page", "Routed", "ShortTermLog", "ShortTermSweep", "signature_of"]

TTL_US = 1800 * SECOND_US
MAX_TTL_US = 7200 * SECOND_US
REHEARSAL_US = 120 * SECOND_US
ROUTE_PRIORITY = 0.7
ROUTE_ACCESSES = 3

_SIGNATURE_HEX = 16


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One entry; ``signature`` is 16 hex digits of its content, ``repeats`` counts echoes."""

    id: int
    session: str
    content: str
    role: Role
    priority: float
    encoded_us: int
    expires_us: int
    signature: str
    accesses: int = 0
    repeats: int = 0


class Page(NamedTuple):
    """Items in order of arrival, and the id to go on after; None at the end."""

    items: list[Item]
    cursor: int | None


class Routed(NamedTuple):
    """An item on its way to long-term memory, its weight and the terms of that weight."""

    item: Item
    weight: float
    novelty: float
    utility: float
    relevance: float


class ShortTermSweep(NamedTuple):
    """What a sweep sends on to consolidation, heaviest first, and what ran out."""

    routed: list[Routed]
    expired: list[Item]


def signature_of(content: str) -> str:
    """Return the first 16 hex digits of SHA-256 of the content with single spaces.

    >>> signature_of("ok  thanks") == signature_of("ok thanks")
    True
    """
    text = " ".join(content.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:_SIGNATURE_HEX]


class ShortTermLog:
    """The logs of the sessions of one process. Not thread-safe.

    >>> log = ShortTermLog()
    >>> first = log.encode("disk full on web-3", session="s", role=Role.TOOL, now_us=0)
    >>> log.encode("disk full on web-3", session="s", role=Role.TOOL, now_us=1).repeats
    1
    """

    def __init__(self, *, ttl_us: int = TTL_US, capacity: int = 10_000) -> None:
        """Keep items for ``ttl_us``, at most ``capacity`` of them over all sessions.

        Raises:
            UnitError: a time to live or a capacity that is not positive.
        """
        if ttl_us <= 0 or capacity < 1:
            msg = (
                f"ShortTermLog: out of range, got ttl {ttl_us} us and capacity {capacity}, "
                "expected both > 0"
            )
            raise UnitError(msg)
        self._ttl_us = ttl_us
        self._capacity = capacity
        self._items: dict[int, Item] = {}
        self._by_signature: dict[tuple[str, str], int] = {}
        self._routed: set[int] = set()
        self._made = 0
        self._overflowed = 0
        self._last_us: int | None = None

    @property
    def overflowed(self) -> int:
        """How many items were pushed out by the capacity, oldest first."""
        return self._overflowed

    def encode(
        self,
        content: str,
        *,
        session: str,
        role: Role | str = Role.USER,
        priority: float = 0.5,
        now_us: int,
    ) -> Item:
        """Log one entry; an echo of a living one is folded into it, unless a user said it.

        Raises:
            UnitError: priority outside [0, 1]. ArgumentTypeError: content is not a string.
            InvalidArgumentError: an unknown role.
        """
        if not isinstance(content, str):
            kind = type(content).__name__
            msg = f"encode: content has the wrong type, got {kind}, expected str"
            raise ArgumentTypeError(msg)
        speaker = _role_of(role)
        if not 0.0 <= priority <= 1.0:
            msg = f"encode: priority out of range, got {priority}, expected 0 to 1"
            raise UnitError(msg)
        now_us = self._at("encode", now_us)
        signature = signature_of(content)
        known = self._living(self._by_signature.get((session, signature)), now_us)
        if known is not None and speaker is not Role.USER:
            return self._put(msgspec.structs.replace(known, repeats=known.repeats + 1))
        if len(self._items) == self._capacity:
            self._drop(next(iter(self._items)))
            self._overflowed += 1
        self._made += 1
        item = Item(
            id=self._made,
            session=session,
            content=content,
            role=speaker,
            priority=priority,
            encoded_us=now_us,
            expires_us=now_us + self._ttl_us,
            signature=signature,
        )
        self._by_signature[session, signature] = item.id
        return self._put(item)

    def retrieve(self, item_id: int, *, now_us: int) -> Item:
        """Return an item and count the access: it now lives longer, up to two hours.

        Raises:
            NotFoundError: unknown or run out.
        """
        now_us = self._at("retrieve", now_us)
        item = self._living(item_id, now_us)
        if item is None:
            msg = f"retrieve: no such item, got {item_id}, expected a living one of contents()"
            raise NotFoundError(msg)
        accesses = item.accesses + 1
        lives_us = min(self._ttl_us + REHEARSAL_US * accesses, MAX_TTL_US)
        longer = max(item.expires_us, now_us + lives_us)
        return self._put(msgspec.structs.replace(item, accesses=accesses, expires_us=longer))

    def contents(self, session: str, *, after: int = 0, limit: int = 1000, now_us: int) -> Page:
        """Return living items of a session in order of arrival, after the id ``after``."""
        now_us = self._at("contents", now_us)
        living = [
            item
            for item in self._items.values()
            if item.session == session and item.id > after and now_us < item.expires_us
        ]
        page = living[: max(0, limit)]
        return Page(page, page[-1].id if len(page) < len(living) and page else None)

    def sweep(self, *, working: tuple[str, ...] = (), now_us: int) -> ShortTermSweep:
        """Send on what earned consolidation (each item once) and drop what has run out.

        An item is sent on if its priority exceeds 0.7 or it was accessed three times. Its weight
        is the mean of novelty (against its session), utility (accesses and repeats) and relevance
        (to what working memory holds).
        """
        now_us = self._at("sweep", now_us)
        earned = [
            item
            for item in self._items.values()
            if item.id not in self._routed
            and (item.priority > ROUTE_PRIORITY or item.accesses >= ROUTE_ACCESSES)
        ]
        routed = sorted(
            (self._weigh(item, working) for item in earned), key=lambda r: (-r.weight, r.item.id)
        )
        self._routed.update(item.id for item in earned)
        expired = [item for item in self._items.values() if now_us >= item.expires_us]
        for item in expired:
            self._drop(item.id)
        return ShortTermSweep(routed, expired)

    def forget(self, session: str) -> int:
        """Drop every item of a session, signatures included; return how many."""
        gone = [item.id for item in self._items.values() if item.session == session]
        for item_id in gone:
            self._drop(item_id)
        return len(gone)

    def let_go(self, texts: Collection[str]) -> int:
        """Drop every item that says one of these texts, signatures included; return how many."""
        gone = [item.id for item in self._items.values() if item.content in texts]
        for item_id in gone:
            self._drop(item_id)
        return len(gone)

    def _weigh(self, item: Item, working: tuple[str, ...]) -> Routed:
        words = set(query_tokens(item.content))
        others = [
            set(query_tokens(o.content))
            for o in self._items.values()
            if o.session == item.session and o.id < item.id
        ]
        share = max((len(words & o) / len(words) for o in others), default=0.0) if words else 1.0
        in_mind = [set(query_tokens(text)) for text in working]
        relevance = max((len(words & w) / len(words) for w in in_mind), default=0.0) if words else 0
        utility = min(1.0, (item.accesses + item.repeats) / ROUTE_ACCESSES)
        weight = (1.0 - share + utility + relevance) / 3.0
        return Routed(item, weight, 1.0 - share, utility, float(relevance))

    def _living(self, item_id: int | None, now_us: int) -> Item | None:
        item = None if item_id is None else self._items.get(item_id)
        return item if item is not None and now_us < item.expires_us else None

    def _put(self, item: Item) -> Item:
        self._items[item.id] = item
        return item

    def _drop(self, item_id: int) -> None:
        item = self._items.pop(item_id)
        self._routed.discard(item_id)
        key = (item.session, item.signature)
        if self._by_signature.get(key) == item_id:
            del self._by_signature[key]

    def _at(self, function: str, now_us: int) -> int:
        """Return max(now, last): time does not run backwards inside a log."""
        check_instant(function, now_us)
        self._last_us = now_us if self._last_us is None else max(now_us, self._last_us)
        return self._last_us


def _role_of(role: Role | str) -> Role:
    try:
        return Role(role)
    except ValueError as error:
        known = ", ".join(Role)
        msg = f"encode: unknown role, got {role!r:.40}, expected one of {known}"
        raise InvalidArgumentError(msg) from error
