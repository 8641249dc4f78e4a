"""Folding: memories that say the same in the same words appear once, with their count.

Only case, punctuation, inflection and words that carry nothing may differ. Numbers, names, the
order of words and every negation must agree, so that "likes cyan" and "likes purple", or "do" and
"do not", never fold. So must scope, kind, plane and speaker: whose statement it is belongs to it.
"""

from __future__ import annotations

import re

from scrubjay.base.stems import STOP_WORDS, stem
from scrubjay.base.tokens import normalise
from scrubjay.base.trace import Engram

__all__ = ["Signature", "signature_of"]

_WORD = re.compile(r"\w[\w'.:/-]*\w|\w")
_NEGATIONS = frozenset(
    {"no", "nor", "not", "can't", "couldn't", "didn't", "doesn't", "don't", "hadn't", "hasn't"}
    | {"haven't", "isn't", "aren't", "aren", "shouldn't", "wasn't", "weren't", "won't", "wouldn't"}
)
_LOCATING = frozenset(
    {"above", "after", "before", "below", "down", "during", "from", "in", "into", "off", "on"}
    | {"out", "over", "through", "to", "under", "until", "up", "against", "between", "again"}
    | {"all", "any", "both", "each", "few", "more", "most", "only", "once", "some", "than"}
    | {"i", "me", "my", "you", "your", "he", "him", "his", "she", "her", "we", "our", "us"}
    | {"they", "them", "their", "can", "could", "should", "will", "would", "was", "were", "had"}
)
_EMPTY = STOP_WORDS - _NEGATIONS - _LOCATING

Signature = tuple[str, str, int, int, tuple[str, ...]]


def signature_of(engram: Engram) -> Signature:
    """Return what two memories have in common exactly when one restates the other."""
    text = normalise(engram.content).replace("\u2019", "'")
    words = tuple(stem(word) for word in _WORD.findall(text) if word not in _EMPTY)
    source = engram.provenance
    return (engram.scope, source.principal, int(source.plane), int(engram.kind), words or (text,))
