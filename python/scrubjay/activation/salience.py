"""Salience: how much something stands out when it arrives, as a sum of small named terms.

The model is a port; the built-in one looks at the words alone: are they new against what just
came, do they bear on what is being worked on, and what do they carry (a request, a commitment, an
error, a warning, a name, a number, a date)? ``Cues`` keeps every term, so that a number can be
explained.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

import msgspec

from scrubjay.base.tokens import query_tokens

__all__ = ["CUE_WEIGHTS", "Cues", "SalienceModel", "SurfaceSalience"]

CUE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "novelty": 0.30,
        "relevance": 0.25,
        "error": 0.35,
        "request": 0.20,
        "rule": 0.25,
        "commitment": 0.20,
        "change": 0.15,
        "date": 0.10,
        "name": 0.08,
        "number": 0.07,
    }
)
"""What each cue adds when it is fully there; the sum is clipped to 1."""

_CHARS_JUDGED = 4096
"""Characters looked at: what matters in a percept is said early, and 50 MB must not stall."""

_SURFACE: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "error": re.compile(
            r"\b(?:error|errors|exception|traceback|fail(?:s|ed|ure)?|fatal|panic|crash(?:ed|es)?"
            r"|timed? ?out|denied|refused|stalled|broken|outage|corrupt(?:ed)?|unreachable)\b",
            re.IGNORECASE,
        ),
        "request": re.compile(
            r"(?:\?\s*$|\b(?:please|can you|could you|would you|i need|help me|let us|let's)\b"
            r"|^(?:add|build|change|check|create|deploy|explain|find|fix|make|move|remove|repair"
            r"|restart|run|send|show|stop|tell|update|write)\b)",
            re.IGNORECASE,
        ),
        "rule": re.compile(
            r"\b(?:never|always|must(?: not)?|do not|don't|from now on|no exceptions?|only ever"
            r"|under no circumstances|i prefer|remember)\b",
            re.IGNORECASE,
        ),
        "commitment": re.compile(
            r"\b(?:i will|i'll|we will|we'll|i promise|remind me|by (?:mon|tues|wednes|thurs|fri"
            r"|satur|sun)day|deadline|due)\b",
            re.IGNORECASE,
        ),
        "change": re.compile(
            r"\b(?:migrat(?:e|ed|ing|ion)|mov(?:ed|ing)|switch(?:ed|ing)|chang(?:ed|es)|now"
            r"|no longer|instead|anymore|replac(?:e|ed|ing)|renamed)\b",
            re.IGNORECASE,
        ),
        "date": re.compile(
            r"(?:\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}\b|\b(?:today|tomorrow|yesterday|tonight"
            r"|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|\b(?:january|february|march|april"
            r"|june|july|august|september|october|november|december)\b)",
            re.IGNORECASE,
        ),
        "name": re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+\b|\b\w+[-_/.@]\w+"),
        "number": re.compile(r"\b\d[\d.,]*\b"),
    }
)


class Cues(msgspec.Struct, frozen=True, kw_only=True):
    """Salience in [0, 1] and the weighted terms it is the clipped sum of."""

    salience: float
    terms: dict[str, float]

    def why(self) -> str:
        """Return the terms in words, largest first.

        >>> Cues(salience=0.5, terms={"novelty": 0.3, "error": 0.2}).why()
        'salience 0.50 = novelty 0.30 + error 0.20'
        """
        parts = sorted(self.terms.items(), key=lambda item: (-item[1], item[0]))
        named = " + ".join(f"{name} {value:.2f}" for name, value in parts)
        return f"salience {self.salience:.2f} = {named or 'nothing'}"


class SalienceModel(Protocol):
    """Judges how much a percept stands out."""

    def judge(self, text: str, *, recent: Sequence[str], working: Sequence[str]) -> Cues:
        """Return the salience of ``text`` given what came before and what is in mind."""
        ...


class SurfaceSalience:
    """The built-in model: words only, deterministic, tens of microseconds.

    >>> model = SurfaceSalience()
    >>> calm = model.judge("ok thanks", recent=("ok thanks",), working=())
    >>> alarm = model.judge("The deploy of api failed: disk full on web-3", recent=(), working=())
    >>> calm.salience < 0.1 < 0.5 < alarm.salience
    True
    """

    def __init__(self, weights: Mapping[str, float] = CUE_WEIGHTS) -> None:
        """Use ``weights`` for the cues; a cue without a weight counts nothing."""
        self._weights = weights

    def judge(self, text: str, *, recent: Sequence[str], working: Sequence[str]) -> Cues:
        """Return the salience of ``text`` and its terms."""
        head = text[:_CHARS_JUDGED]
        words = _words_of(head)
        strength = {
            name: 1.0 if pattern.search(head) else 0.0 for name, pattern in _SURFACE.items()
        }
        strength["novelty"] = _novelty(words, recent)
        strength["relevance"] = max((_overlap(words, _words_of(w)) for w in working), default=0.0)
        terms = {
            name: self._weights[name] * value
            for name, value in strength.items()
            if value > 0.0 and self._weights.get(name, 0.0) > 0.0
        }
        return Cues(salience=min(1.0, sum(terms[name] for name in sorted(terms))), terms=terms)


def _novelty(words: frozenset[str], recent: Sequence[str]) -> float:
    """Return 1 minus the largest share of the words that one recent percept already had."""
    if not words:
        return 0.0
    return 1.0 - max((len(words & _words_of(r)) / len(words) for r in recent), default=0.0)


def _overlap(words: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the smaller word set that is in both."""
    smaller = min(len(words), len(other))
    return len(words & other) / smaller if smaller else 0.0


@lru_cache(maxsize=512)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(query_tokens(text[:_CHARS_JUDGED]))
