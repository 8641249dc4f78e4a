"""Identity: 128-bit ids that sort by time, never repeat and are not random.

Layout, big-endian: ``now_us + 2**63`` (64 bits) · node (24 bits) · counter (40 bits). The bias
keeps instants before 1970 in order. The node is fixed when a directory is created; the counter is
allocated inside the write transaction, so an id is never reused, whatever the clock does.
"""

from __future__ import annotations

import hashlib
import os
from typing import NewType, Protocol

from scrubjay.base.errors import CapacityError, InvalidArgumentError

__all__ = [
    "EngramId",
    "Entropy",
    "SeededEntropy",
    "SystemEntropy",
    "format_id",
    "instant_in",
    "make_id",
    "parse_id",
]

EngramId = NewType("EngramId", bytes)
"""Sixteen bytes; compares as bytes, shown as 32 hex digits."""

_BIAS = 1 << 63
_NODE_BITS = 24
_COUNTER_BITS = 40
_ID_BYTES = 16


class Entropy(Protocol):
    """A source of bytes that nobody can guess: salts and the node of a new directory."""

    def token(self, size: int) -> bytes:
        """Return ``size`` bytes."""
        ...


class SystemEntropy:
    """The operating system's entropy."""

    def token(self, size: int) -> bytes:
        """Return ``size`` unpredictable bytes."""
        return os.urandom(size)


class SeededEntropy:
    """A reproducible stream for tests and simulations; never for salts that must be secret.

    >>> SeededEntropy(7).token(4) == SeededEntropy(7).token(4)
    True
    """

    def __init__(self, seed: int) -> None:
        """Start the stream of ``seed``."""
        self._seed = seed
        self._block = 0

    def token(self, size: int) -> bytes:
        """Return the next ``size`` bytes of the stream."""
        out = b""
        while len(out) < size:
            text = f"scrubjay-entropy:{self._seed}:{self._block}"
            out += hashlib.sha256(text.encode()).digest()
            self._block += 1
        return out[:size]


def make_id(*, now_us: int, node: int, counter: int) -> EngramId:
    """Compose an id from an instant, a node and a counter.

    Raises:
        CapacityError: node or counter outgrew its field.

    >>> format_id(make_id(now_us=0, node=1, counter=2))
    '80000000000000000000010000000002'
    """
    if not 0 <= node < 1 << _NODE_BITS or not 0 <= counter < 1 << _COUNTER_BITS:
        msg = f"make_id: a field overflows, got node {node} and counter {counter}"
        raise CapacityError(msg)
    low = (node << _COUNTER_BITS) | counter
    return EngramId((now_us + _BIAS).to_bytes(8, "big") + low.to_bytes(8, "big"))


def instant_in(value: bytes) -> int:
    """Return the instant at which an id was made.

    >>> instant_in(make_id(now_us=7, node=1, counter=2))
    7
    """
    return int.from_bytes(value[:8], "big") - _BIAS


def format_id(value: bytes) -> str:
    """Return the 32 hex digits by which users see an id."""
    return value.hex()


def parse_id(text: object) -> EngramId:
    """Read an id from 32 hex digits or 16 bytes.

    Raises:
        InvalidArgumentError: anything else.
    """
    if isinstance(text, bytes) and len(text) == _ID_BYTES:
        return EngramId(text)
    if isinstance(text, str):
        try:
            raw = bytes.fromhex(text)
        except ValueError:
            raw = b""
        if len(raw) == _ID_BYTES:
            return EngramId(raw)
    got = f"{text!r:.60}" if isinstance(text, str | bytes) else type(text).__name__
    msg = f"parse_id: not an id, got {got}, expected 32 hex digits"
    raise InvalidArgumentError(msg)
