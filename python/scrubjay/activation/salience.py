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
from typing import NamedTuple, Protocol

import msgspec

from scrubjay.base.stems import STOP_WORDS
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

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+\b|\w[-_/.@]\w")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d:\d\d")
_NUMBER = re.compile(r"\d")


class _Marks(NamedTuple):
    """What shows a cue: a word, a phrase, or a first word."""

    words: frozenset[str]
    phrases: tuple[str, ...] = ()
    openings: frozenset[str] = frozenset()


def _words_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MARKS: Mapping[str, _Marks] = MappingProxyType(
    {
        "error": _Marks(
            _words_in(
                "error errors exception traceback fail fails failed failure fatal panic crash "
                "crashed crashes timeout denied refused stalled broken outage corrupt corrupted "
                "unreachable"
            ),
            ("timed out", "time out"),
        ),
        "request": _Marks(
            _words_in("please"),
            ("can you", "could you", "would you", "i need", "help me", "let us", "let's"),
            _words_in(
                "add build change check create deploy explain find fix make move remove repair "
                "restart run send show stop tell update write"
            ),
        ),
        "rule": _Marks(
            _words_in("never always must don't don\u2019t remember"),
            ("do not", "from now on", "no exception", "only ever", "under no circum", "i prefer"),
        ),
        "commitment": _Marks(
            _words_in("i'll we'll i\u2019ll we\u2019ll deadline due"),
            ("i will", "we will", "i promise", "remind me", "by mon", "by tue", "by fri"),
        ),
        "change": _Marks(
            _words_in(
                "migrate migrated migrating migration moved moving switched switching changed "
                "changes now instead anymore replace replaced replacing renamed"
            ),
            ("no longer",),
        ),
        "date": _Marks(
            _words_in(
                "today tomorrow yesterday tonight monday tuesday wednesday thursday friday "
                "saturday sunday january february march april june july august september "
                "october november december"
            )
        ),
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
        strength = _surface(head)
        strength["novelty"] = _novelty(words, recent)
        strength["relevance"] = max((_overlap(words, _words_of(w)) for w in working), default=0.0)
        terms = {
            name: self._weights[name] * value
            for name, value in strength.items()
            if value > 0.0 and self._weights.get(name, 0.0) > 0.0
        }
        return Cues(salience=min(1.0, sum(terms[name] for name in sorted(terms))), terms=terms)


def _surface(text: str) -> dict[str, float]:
    """Return 1 for every surface cue that is there; how often does not matter."""
    low = text.lower()
    listed = _WORD.findall(low)
    words = set(listed)
    opening = listed[0] if listed else ""
    seen = {
        name: not words.isdisjoint(marks.words)
        or opening in marks.openings
        or any(phrase in low for phrase in marks.phrases)
        for name, marks in _MARKS.items()
    }
    seen["request"] = seen["request"] or low.rstrip().endswith("?")
    seen["date"] = seen["date"] or _DATE.search(text) is not None
    seen["name"] = _NAME.search(text) is not None
    seen["number"] = _NUMBER.search(text) is not None
    return {name: float(there) for name, there in seen.items()}


def _novelty(words: frozenset[str], recent: Sequence[str]) -> float:
    """Return 1 minus the largest share of the words that one recent percept already had."""
    if not words:
        return 0.0
    most = max((len(words & _words_of(r)) for r in recent), default=0)
    return 1.0 - most / len(words)


def _overlap(words: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the smaller word set that is in both."""
    smaller = min(len(words), len(other))
    return len(words & other) / smaller if smaller else 0.0


@lru_cache(maxsize=512)
def _words_of(text: str) -> frozenset[str]:
    """Return the words of a text; scripts without spaces need the tokeniser."""
    head = text[:_CHARS_JUDGED]
    if not head.isascii():
        return frozenset(query_tokens(head))
    words = frozenset(_WORD.findall(head.lower()))
    return words - STOP_WORDS or words
