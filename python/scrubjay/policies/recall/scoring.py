"""Scoring: from signals and priors to the score S, its terms and the order of an answer.

    S = w_r * relevance + w_t * recency + w_s * salience + w_f * ln(1 + frequency)

Rows that speak too faintly, or score under the bound of the request, are counted and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.policies.recall.answer import TERMS
from scrubjay.policies.recall.relevance import RELEVANCE_FLOOR, relevance_of, shares_of
from scrubjay.policies.recall.request import RecallRequest

__all__ = ["Order", "Place", "Question", "Scored", "Source", "score"]

Source: TypeAlias = Literal["hot", "archive"]
Priors: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request made ready: its tokens, its unit vector (None if it has no meaning), its instant.

    ``noise`` is the cosine that unrelated texts hardly exceed.
    """

    request: RecallRequest
    tokens: Sequence[str]
    vector: NDArray[np.float32] | None
    noise: float
    now_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The rows that passed, in no order.

    Shapes: ``keys``, ``score``, ``relevance`` (n,); ``signals`` (3, n): words, context, meaning;
    ``priors`` (3, n): recency, salience, frequency, weighted. ``filtered`` counts the rows that
    spoke to the question and did not pass; ``complete`` says that no row went unscored.
    """

    keys: NDArray[np.int64]
    score: NDArray[np.float64]
    relevance: NDArray[np.float64]
    signals: NDArray[np.float64]
    priors: NDArray[np.float64]
    filtered: int
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place in the order: its score and the terms that sum to it."""

    score: float
    relevance: float
    terms: dict[str, float]
    source: Source


def score(
    question: Question,
    *,
    keys: NDArray[np.int64],
    signals: NDArray[np.float64],
    cosine: NDArray[np.float64],
    priors: Priors,
    complete: bool,
) -> Scored:
    """Score rows and keep those that pass.

    Args:
        question: What is asked.
        keys: Local keys, (n,).
        signals: words, context and meaning, (3, n).
        cosine: Cosine without gain, (n,).
        priors: Returns the weighted priors (3, m) of m positions.
        complete: Whether every row that could pass is among these.
    """
    request = question.request
    relevance = relevance_of((signals[0], signals[1], signals[2]), cosine, noise=question.noise)
    spoke = (signals[0] > 0) | (signals[1] > 0) | (cosine >= question.noise)
    kept = np.flatnonzero(spoke & (relevance >= RELEVANCE_FLOOR))
    prior = priors(kept)
    total = request.effective_weights.relevance * relevance[kept] + prior.sum(axis=0)
    if request.min_score is not None:
        passed = total >= request.min_score
        kept, prior, total = kept[passed], prior[:, passed], total[passed]
    return Scored(
        keys=keys[kept],
        score=total,
        relevance=relevance[kept],
        signals=signals[:, kept],
        priors=prior,
        filtered=int(spoke.sum()) - len(kept),
        complete=complete,
    )


class Order:
    """The rows of one or two searches in order of score, ties by key. Immutable."""

    def __init__(self, hot: Scored, cold: Scored | None, *, relevance_weight: float) -> None:
        """Order what passed; cost n log n."""
        self._parts = [hot] if cold is None else [hot, cold]
        self._weight = relevance_weight
        scores = np.concatenate([part.score for part in self._parts])
        keys = np.concatenate([part.keys for part in self._parts])
        self._ranked = np.lexsort((keys, -scores))

    def __len__(self) -> int:
        return len(self._ranked)

    def keys(self, first: int, stop: int) -> list[tuple[int, Source]]:
        """Return the local keys of ranks from ``first`` to before ``stop``, and where they are."""
        return [
            (int(part.keys[row]), source)
            for part, row, source in map(self._row, self._ranked[first:stop].tolist())
        ]

    def place(self, rank: int) -> Place:
        """Return the score of one rank with its terms."""
        part, row, source = self._row(int(self._ranked[rank]))
        words, context, meaning = part.signals[:, row].tolist()
        relevance = float(part.relevance[row])
        shares = shares_of(words, context, meaning, relevance)
        values = [self._weight * share for share in shares] + part.priors[:, row].tolist()
        return Place(
            score=float(part.score[row]),
            relevance=relevance,
            terms=dict(zip(TERMS, values, strict=True)),
            source=source,
        )

    def _row(self, at: int) -> tuple[Scored, int, Source]:
        hot = self._parts[0]
        if at < len(hot.keys):
            return hot, at, "hot"
        return self._parts[1], at - len(hot.keys), "archive"
