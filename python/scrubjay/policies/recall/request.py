"""What is asked of recall: the question, the filters, the page and the weights."""

from __future__ import annotations

import math
import re

import msgspec

from scrubjay.activation.retention import WEIGHTS, RetentionWeights
from scrubjay.base.clock import MAX_US, MIN_US
from scrubjay.base.errors import InvalidArgumentError, UnitError
from scrubjay.base.trace import Kind

__all__ = ["Cursor", "RecallRequest", "Weights", "checked"]

Weights = RetentionWeights
"""The weights of the retention score: each at least 0, together 1."""

_CURSOR = re.compile(r"(-?[0-9]{1,18}):([0-9]{1,9})")


class Cursor(msgspec.Struct, frozen=True):
    """Where an answer was cut: the instant it was ranked for, and the rank that comes next.

    The next page is ranked for the same instant, so nothing is shown twice or skipped unless the
    memory itself changed in between.

    >>> Cursor.parse(str(Cursor(now_us=7, rank=10)))
    Cursor(now_us=7, rank=10)
    """

    now_us: int
    rank: int

    def __str__(self) -> str:
        """Return the text that a caller hands back."""
        return f"{self.now_us}:{self.rank}"

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Read the text of a cursor.

        Raises:
            InvalidArgumentError: not a cursor.
        """
        found = _CURSOR.fullmatch(text)
        if found is None or not MIN_US <= int(found[1]) <= MAX_US:
            msg = f"recall: not a cursor, got {text!r:.40}, expected one of an earlier answer"
            raise InvalidArgumentError(msg)
        return cls(now_us=int(found[1]), rank=int(found[2]))


class RecallRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One question. None means no restriction; the event window is half-open.

    ``scope`` names scopes exactly, ``under`` with everything below them; together they widen.
    ``as_of_us`` asks for what had happened, and what was believed true, by that instant.
    ``min_score`` bounds the whole score S from below; hits under it are counted as filtered.
    """

    query: str
    k: int = 10
    scope: tuple[str, ...] | None = None
    under: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    event_from_us: int | None = None
    event_to_us: int | None = None
    as_of_us: int | None = None
    min_score: float | None = None
    include_archived: bool = False
    weights: Weights | None = None
    cursor: str | None = None

    @property
    def effective_weights(self) -> Weights:
        """The weights given, else the defaults."""
        return WEIGHTS if self.weights is None else self.weights

    @property
    def event_end_us(self) -> int | None:
        """The exclusive end of the event window that ``event_to_us`` and ``as_of_us`` leave."""
        ends = [] if self.event_to_us is None else [self.event_to_us]
        if self.as_of_us is not None:
            ends.append(self.as_of_us + 1)
        return min(ends, default=None)


def checked(request: RecallRequest) -> RecallRequest:
    """Return the request, or refuse it before anything is read.

    Raises:
        UnitError: ``k`` below 1, or ``min_score`` that is not a finite number.
        InvalidArgumentError: a blank question, or an empty scope name.
    """
    if request.k < 1:
        msg = f"recall: k is out of range, got {request.k}, expected at least 1"
        raise UnitError(msg)
    if request.min_score is not None and not math.isfinite(request.min_score):
        msg = f"recall: min_score is out of range, got {request.min_score}, expected 0 to 1"
        raise UnitError(msg)
    if not request.query.strip():
        msg = f"recall: query is empty, got {request.query[:20]!r}, expected some text"
        raise InvalidArgumentError(msg)
    if not all([*(request.scope or ()), *(request.under or ())]):
        msg = "recall: a scope name is empty, got '', expected its path, or None for all scopes"
        raise InvalidArgumentError(msg)
    return request
