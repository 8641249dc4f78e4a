"""What a search is told and what it answers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from scrubjay import _kernels
from scrubjay.base.errors import ArgumentTypeError, ShapeError, UnitError
from scrubjay.index.columns import CODES, LARGEST_U32, MOST_EF, flag, instant, whole

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

__all__ = [
    "DEFAULT_WEIGHTS",
    "Asked",
    "Filter",
    "SearchResult",
    "Weights",
    "ask",
    "one_row",
    "predicate_of",
]

SUM_TOLERANCE: Final = 1e-6


def one_row(call: str, query: object, dim: int) -> NDArray[np.float32]:
    """Return one query as a matrix of one row; the core checks its dtype and dimension."""
    if not isinstance(query, np.ndarray):
        got = type(query).__name__
        message = f"{call}: query is not a NumPy array, got {got}, expected float32"
        raise ArgumentTypeError(message)
    if query.ndim != 1:
        message = f"{call}: query has the wrong shape, got {query.shape}, expected ({dim},)"
        raise ShapeError(message)
    return query[None, :]


def _ids(name: str, ids: Collection[int] | None, low: int, high: int) -> NDArray[np.int64] | None:
    """Return ids as int64; None stays None, an array of integers is checked as a whole."""
    if ids is None:
        return None
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu" and ids.ndim == 1:
        for extreme in (ids.min(), ids.max()) if ids.size else ():
            whole(f"Filter: {name}", int(extreme), low, high)
        return np.ascontiguousarray(ids, np.int64)
    listed = _listed(name, ids)
    if set(map(type, listed)) == {int} and low <= min(listed) and max(listed) <= high:
        return np.array(listed, dtype=np.int64)
    numbers = [whole(f"Filter: {name}", i, low, high) for i in listed]
    return np.array(numbers, dtype=np.int64)


def _listed(name: str, ids: object) -> list[int]:
    """Return the entries of a collection that is not a text."""
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
        got = type(ids).__name__
        raise ArgumentTypeError(f"Filter: {name} is no collection, got {got}, expected integers")
    return list(ids)


def _mask(name: str, codes: Collection[int] | None) -> int:
    """Return a set of codes as bits; None allows all."""
    if codes is None:
        return (1 << CODES) - 1
    return sum({1 << whole(f"Filter: {name}", code, 0, CODES - 1) for code in _listed(name, codes)})


def _quality(value: object) -> float:
    """Return the least quality as a float; the core checks its range."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        got = type(value).__name__
        raise ArgumentTypeError(f"Filter: quality_min is no number, got {got}, expected a float")
    try:
        return float(value)
    except OverflowError as error:
        message = "Filter: quality_min is out of range, got a huge integer, expected 0 to 1"
        raise UnitError(message) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each term of the score counts: numbers >= 0 with sum 1, else UnitError.

    >>> Weights(relevance=1, recency=0, salience=0, frequency=0).relevance
    1
    """

    relevance: float = 0.5
    recency: float = 0.2
    salience: float = 0.2
    frequency: float = 0.1

    def __post_init__(self) -> None:
        """Refuse weights that are negative, not finite, or do not add up to 1."""
        given = (self.relevance, self.recency, self.salience, self.frequency)
        if any(isinstance(w, bool) or not isinstance(w, (int, float)) for w in given):
            got = ", ".join(type(w).__name__ for w in given)
            raise ArgumentTypeError(f"Weights: not all are numbers, got {got}, expected floats")
        if (
            not all(0 <= w <= 1 + SUM_TOLERANCE for w in given)
            or not abs(math.fsum(given) - 1) <= SUM_TOLERANCE
        ):
            message = f"Weights: out of range, got {given!s:.100}, expected numbers >= 0 with sum 1"
            raise UnitError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows may be returned: all conditions hold; None asks nothing, () matches nothing.

    Kinds, categories, states and planes are codes 0 to 63. The window is
    ``event_from_us <= event_us < event_to_us``. Unknown keys and scopes simply match no row.

    Values are checked, and collections read, when the filter is made: ArgumentTypeError, UnitError.
    A filter kept for many searches is cheaper than one made for each: it remembers what it selected
    from an index until that index gains, loses or changes rows; reinforcement changes nothing.

    >>> Filter(kinds={1, 2}, authority_min=3, event_to_us=1_000_000).authority_min
    3
    """

    scopes: Collection[int] | None = None
    kinds: Collection[int] | None = None
    categories: Collection[int] | None = None
    states: Collection[int] | None = None
    planes: Collection[int] | None = None
    authority_min: int = 0
    quality_min: float = 0.0
    event_from_us: int | None = None
    event_to_us: int | None = None
    flags_all: int = 0
    flags_none: int = 0
    keys: NDArray[np.int64] | Collection[int] | None = None
    predicate: _kernels.Predicate = field(init=False, repr=False, compare=False)
    """The same in the core's own form."""

    def __post_init__(self) -> None:
        """Refuse bad codes, ids and instants, and keep the core's form."""
        object.__setattr__(self, "predicate", self._compiled())

    def __reduce__(self) -> tuple[object, ...]:
        """Return what copies and pickles are made of: the conditions alone."""
        return _filter_of, tuple((f.name, getattr(self, f.name)) for f in fields(self) if f.init)

    def _compiled(self) -> _kernels.Predicate:
        first, last = self.event_from_us, self.event_to_us
        scopes = _ids("scopes", self.scopes, 0, LARGEST_U32)
        return _kernels.Predicate(
            scopes=None if scopes is None else scopes.astype(np.uint32),
            keys=_ids("keys", self.keys, -(2**63), 2**63 - 1),
            kinds=_mask("kinds", self.kinds),
            categories=_mask("categories", self.categories),
            states=_mask("states", self.states),
            planes=_mask("planes", self.planes),
            authority_min=whole("Filter: authority_min", self.authority_min, 0, 255),
            quality_min=_quality(self.quality_min),
            event_from_us=None if first is None else instant("Filter: event_from_us", first),
            event_to_us=None if last is None else instant("Filter: event_to_us", last),
            flags_all=whole("Filter: flags_all", self.flags_all, 0, 255),
            flags_none=whole("Filter: flags_none", self.flags_none, 0, 255),
        )


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The best rows, best first, equal scores by ascending key; every array has one entry a row.

    ``scores == relevance + ((recency + salience) + frequency)`` exactly, in float32.
    ``certified``: the answer equals that of scoring every matching row. ``bound_met``: no unseen
    row could enter if the walk's own frontier is right; a scan sets both. ``matched``: rows that
    passed the filter, estimated unless certified. ``plan``: how the rows were found, ``"scan"``,
    ``"matches"`` (only matching rows were read), ``"walk"``, ``"two_hop"`` (a walk under a filter)
    or ``"composite"`` (a walk, and rows whose priors could lift them).
    """

    keys: NDArray[np.int64]
    scores: NDArray[np.float32]
    relevance: NDArray[np.float32]
    recency: NDArray[np.float32]
    salience: NDArray[np.float32]
    frequency: NDArray[np.float32]
    similarity: NDArray[np.float32]
    matched: int
    live: int
    certified: bool
    bound_met: bool
    plan: str

    def __len__(self) -> int:
        """Return how many rows were found: k, or fewer if fewer match."""
        return len(self.keys)


def _filter_of(*conditions: tuple[str, Any]) -> Filter:
    """Return a filter of those conditions."""
    return Filter(**dict(conditions))


DEFAULT_WEIGHTS: Final = Weights()
_EVERYTHING: Final = _kernels.Predicate()


def predicate_of(where: Filter | None) -> _kernels.Predicate:
    """Return the core's form of a filter; None lets every row pass."""
    if where is None:
        return _EVERYTHING
    if not isinstance(where, Filter):
        got = type(where).__name__
        raise ArgumentTypeError(f"Index: where is no Filter, got {got}, expected one or None")
    return where.predicate


class Asked(NamedTuple):
    """What a search and a batch of them are told alike."""

    now_us: int
    weights: Weights
    where: Filter | None
    ef: int
    exact: bool


def ask(
    core: _kernels.RetentionIndex, rows: NDArray[np.float32] | None, k: int, asked: Asked
) -> tuple[SearchResult, ...]:
    """Return one answer per row; see ``Index.search``."""
    weights = asked.weights
    if not isinstance(weights, Weights):
        got = type(weights).__name__
        raise ArgumentTypeError(f"Index.search: weights is no Weights, got {got}, expected one")
    answers = core.search(
        rows,
        whole("Index.search: k", k, 1, 2**63 - 1),
        now_us=instant("Index.search: now_us", asked.now_us),
        weights=(weights.relevance, weights.recency, weights.salience, weights.frequency),
        where=predicate_of(asked.where),
        ef=whole("Index.search: ef", asked.ef, 1, MOST_EF),
        exact=flag("Index.search: exact", asked.exact),
    )
    return tuple(SearchResult(*answer) for answer in answers)
