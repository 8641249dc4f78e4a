"""What recall answers: hits that can say why, and flags that say how far to trust the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, overload

from scrubjay.base.clock import format_us
from scrubjay.base.errors import InvalidArgumentError
from scrubjay.base.ids import EngramId, format_id
from scrubjay.base.trace import Engram

__all__ = ["TERMS", "Hit", "Recall", "Reinforce"]

TERMS = ("words", "context", "meaning", "recency", "salience", "frequency")
"""The terms of a score in the order they are told; the first three make up the relevance."""

Reinforce: TypeAlias = Callable[[Sequence[EngramId]], int]


_SHOWN_CHARS = 60


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hit:
    """One memory that speaks to the question.

    ``score`` is S, the sum of ``terms``; ``relevance`` in [0, 1] is the part that concerns the
    question, before its weight, and compares across questions. ``restated`` are further memories
    that say the same in the same words and were folded into this one.
    """

    engram: Engram
    score: float
    relevance: float
    terms: Mapping[str, float]
    source: Literal["hot", "archive"] = "hot"
    restated: tuple[EngramId, ...] = ()
    reinforce: Reinforce | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        text = self.content if len(self.content) <= _SHOWN_CHARS else self.content[:57] + "..."
        return f"Hit({self.score:.3f}, {self.source}, {text!r})"

    @property
    def id(self) -> EngramId:
        """The id of the memory."""
        return self.engram.id

    @property
    def content(self) -> str:
        """The text of the memory."""
        return self.engram.content

    @property
    def count(self) -> int:
        """How many memories say this, itself included."""
        return 1 + len(self.restated)

    def used(self) -> int:
        """Tell the memory that this hit was used; return 1 if it counted, else 0.

        Raises:
            InvalidArgumentError: the hit did not come from an open memory.
        """
        if self.reinforce is None:
            msg = "used: the hit is bound to no memory, got a bare hit; call memory.used([hit])"
            raise InvalidArgumentError(msg)
        return self.reinforce([self.id])

    def why(self) -> str:
        """Return the score as a sum, and where the memory came from, in two lines."""
        engram = self.engram
        source = engram.provenance
        total = " + ".join(f"{name} {self.terms[name]:.3f}" for name in TERMS)
        facts = [
            f"{engram.kind.name.lower()} of {source.principal or source.role.value}",
            f"{source.authority.name.lower()} via {source.channel.value}",
            f"plane {source.plane.name.lower()}",
            f"scope {engram.scope}",
            f"happened {format_us(engram.event_us)}",
            f"recorded {format_us(engram.recorded_us)}",
            f"last used {format_us(engram.last_us)}, {_times(engram.frequency)}"
            if engram.frequency
            else "never used",
            self.source,
            f"id {format_id(engram.id)}",
        ]
        if source.session:
            facts.insert(4, f"session {source.session}")
        if source.parents:
            parents = len(source.parents)
            facts.append(f"derived from {parents} {'memory' if parents == 1 else 'memories'}")
        if self.restated:
            facts.append(f"said {_times(self.count)}")
        return f"{self.score:.3f} = {total} (relevance {self.relevance:.3f})\n{'; '.join(facts)}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recall(Sequence[Hit]):
    """The answer to one question, best first; ties in order of id.

    ``certified``: every live memory that passes the filters was scored in full, so no better hit
    exists. ``truncated``: more memories passed than were asked for; ``cursor`` continues.
    ``filtered``: how many memories spoke to the question too faintly or fell under ``min_score``.
    ``abstained``: nothing passed. ``unknown_scopes``: scopes asked for that were never written.
    """

    hits: tuple[Hit, ...] = ()
    certified: bool = True
    truncated: bool = False
    cursor: str | None = None
    filtered: int = 0
    abstained: bool = False
    unknown_scopes: tuple[str, ...] = ()

    @property
    def unknown_scope(self) -> bool:
        """Whether a scope was asked for that nothing was ever written to."""
        return bool(self.unknown_scopes)

    def __repr__(self) -> str:
        flags = [
            name
            for name in ("certified", "truncated", "abstained", "unknown_scope")
            if getattr(self, name)
        ]
        flags += [f"{self.filtered} filtered"] if self.filtered else []
        hits = "1 hit" if len(self) == 1 else f"{len(self)} hits"
        return f"Recall({hits}: {', '.join(flags) or 'not certified'})"

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]
