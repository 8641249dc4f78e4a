"""Relevance: how far a memory speaks to a question, in [0, 1] and comparable across questions.

Three signals are added, each in units that do not depend on the question:

    evidence = 0.5 * words + 2 * context + 2.5 * meaning

``words`` is the BM25 of the row alone, ``context`` that of the row with two predecessors and one
successor, both divided by the sum of the inverse document frequencies of all words asked for, known
or not: 1 stands for every word once in a row of average length. ``meaning`` is gain times cosine.
Then

    relevance = evidence^2 / (evidence^2 + 1.5^2),

a fixed logistic of the logarithm of the evidence: 0 for none, 1/2 at 1.5. A memory without a word
in common, however short, may still be near in meaning: where the bare cosine exceeds what unrelated
texts reach by chance (the noise of the embedder), relevance is at least

    0.12 + 0.38 * (cosine - noise) / (1 - noise).

Below 0.12 a memory does not count as an answer. All constants are measured by cross-validation over
conversations: docs/decisions/0002-recall-fusion.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.ports import Embedder

__all__ = [
    "DEFAULT_NOISE",
    "K1",
    "RELEVANCE_FLOOR",
    "B",
    "Signals",
    "idf_mass",
    "idf_of",
    "noise_of",
    "relevance_of",
    "shares_of",
]

K1 = 1.2
B = 0.75
"""The two constants of BM25, which FTS5 fixes."""

_WORDS_WEIGHT = 0.5
_CONTEXT_WEIGHT = 2.0
_MEANING_WEIGHT = 2.5
_HALF = 1.5

RELEVANCE_FLOOR = 0.12
"""A memory less relevant than this is no answer."""

_MEANING_CEILING = 0.5
"""The relevance of a cosine of 1 without a word in common."""

DEFAULT_NOISE = 0.35
"""The cosine that unrelated texts hardly exceed, for an embedder that does not tell its own."""

_LEAST_IDF = 1e-6
"""FTS5 gives this to words that more than half of the rows hold."""

Signals = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""words, context and meaning of the same rows."""


def noise_of(embedder: Embedder) -> float:
    """Return the cosine that unrelated texts hardly exceed under this embedder."""
    return float(getattr(embedder, "noise_cosine", None) or DEFAULT_NOISE)


def idf_of(rows: int, frequency: int) -> float:
    """Return the inverse document frequency of a word, as FTS5 defines it; always positive."""
    odds = (rows - frequency + 0.5) / (frequency + 0.5)
    return max(_LEAST_IDF, math.log(odds)) if odds > 0 else _LEAST_IDF


def idf_mass(rows: int, frequencies: Sequence[int]) -> float:
    """Return the sum of the inverse document frequencies of words.

    >>> round(idf_mass(1000, [10, 0]), 3)
    12.148
    """
    return math.fsum(idf_of(rows, frequency) for frequency in frequencies)


def relevance_of(
    signals: Signals, cosine: NDArray[np.float64], *, noise: float
) -> NDArray[np.float64]:
    """Return the relevance of n rows; all arrays of shape (n,), negative meaning counts as none."""
    words, context, meaning = signals
    evidence = (
        _WORDS_WEIGHT * words
        + _CONTEXT_WEIGHT * context
        + _MEANING_WEIGHT * np.maximum(meaning, 0.0)
    )
    squared = evidence * evidence
    fused = squared / (squared + _HALF * _HALF)
    ramp = (_MEANING_CEILING - RELEVANCE_FLOOR) / (1.0 - noise)
    near = RELEVANCE_FLOOR + ramp * (cosine - noise)
    return np.where(cosine >= noise, np.maximum(fused, near), fused)


def shares_of(words: float, context: float, meaning: float, relevance: float) -> list[float]:
    """Return how much of a relevance is owed to words, context and meaning; they sum to it.

    What the fused evidence does not explain is owed to meaning alone.
    """
    parts = [
        _WORDS_WEIGHT * words,
        _CONTEXT_WEIGHT * context,
        _MEANING_WEIGHT * max(0.0, meaning),
    ]
    evidence = math.fsum(parts)
    if evidence <= 0.0:
        return [0.0, 0.0, relevance]
    fused = min(relevance, evidence**2 / (evidence**2 + _HALF**2))
    shares = [fused * part / evidence for part in parts]
    shares[2] += relevance - fused
    return shares
