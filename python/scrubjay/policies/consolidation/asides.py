"""Asides: doubt that a speaker casts on a whole sentence from beside it.

"Not sure, but the queue uses Kafka", "the queue uses Kafka, I think", "the queue uses Kafka. Not
sure though." An aside stands in a clause, a bracket or a sentence of its own, so splitting loses
it; it is taken off first, and what it stood beside is doubted as a whole.
"""

from __future__ import annotations

import re

__all__ = ["without_asides"]

_ASIDE = (
    r"(?:"
    r"(?:(?:i|we)\s+(?:am\s+|are\s+)?|but\s+)?not\s+(?:(?:so|quite|entirely|very|too|really|at\s+all"
    r"|completely|absolutely|100\s?%)\s+)?(?:sure|certain|positive)(?:\s+(?:though|yet|about\s+that))?"
    r"|(?:i|we)\s+(?:think|guess|suppose|believe|assume|reckon|hear|heard|presume|gather)"
    r"(?:\s+so)?(?:\s+anyway)?"
    r"|if\s+(?:i|we)\s+(?:am|are)\s+not\s+(?:mistaken|wrong)"
    r"|unless\s+(?:i|we)\s+(?:am|are)\s+(?:mistaken|wrong)"
    r"|if\s+(?:i|we)\s+(?:recall|remember)(?:\s+(?:correctly|rightly|right|well))?|iirc|afaik"
    r"|(?:as|so)\s+far\s+as\s+(?:i|we)\s+(?:know|remember|recall|can\s+tell)"
    r"|to\s+(?:the\s+best\s+of\s+)?(?:my|our)\s+knowledge"
    r"|(?:or\s+)?so\s+(?:(?:i|we)\s+(?:hear|heard|think|believe|(?:was|were|am|are)\s+told)"
    r"|they\s+say|it\s+seems)"
    r"|(?:but\s+)?(?:i|we)\s+(?:could|may|might)\s+be\s+(?:wrong|mistaken)(?:\s+(?:there|about\s+that))?"
    r"|do\s+not\s+quote\s+me(?:\s+on\s+(?:that|this|it))?"
    r"|(?:allegedly|supposedly|apparently|presumably|reportedly|conceivably|seemingly)"
    r"|no\s+guarantees?|unconfirmed|to\s+be\s+confirmed|tbc"
    r")"
)
_BEFORE = re.compile(
    rf"^{_ASIDE}(?:\s*[,:;\u2013\u2014-]+\s*(?:but\s+|though\s+)?|\s+but\s+)(?=\S)", re.IGNORECASE
)
_ADVERB_BEFORE = re.compile(
    r"^(?:allegedly|supposedly|apparently|presumably|reportedly|conceivably|seemingly)\s+(?=\S)",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"\s*[(\[]\s*(?:but\s+)?{_ASIDE}\s*[)\]]", re.IGNORECASE)
_AFTER = re.compile(
    rf"(?:\s*[,;\u2013\u2014-]+\s*|\s+)(?:but\s+|though\s+)?{_ASIDE}\s*(?=[.!?\u2026]*$)",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^(?:but\s+|though\s+)?{_ASIDE}[\s.!\u2026]*$", re.IGNORECASE)
_MARKER = re.compile(
    r"\b(?:not|think|guess|suppose|believe|assume|reckon|hear|heard|presume|gather|unless|if|far"
    r"|knowledge|iirc|afaik|so|wrong|mistaken|quote|guarantees?|unconfirmed|confirmed|tbc"
    r"|allegedly|supposedly|apparently|presumably|reportedly|conceivably|seemingly)\b",
    re.IGNORECASE,
)


def without_asides(sentence: str) -> tuple[str, bool]:
    """Return a sentence, its contractions spelled out, without its asides, and whether it had any.

    What is nothing but an aside comes back empty: it is about the sentence before it.

    >>> without_asides("I am not sure but the queue uses Kafka.")
    ('the queue uses Kafka.', True)
    >>> without_asides("The queue uses Kafka, I think.")
    ('The queue uses Kafka.', True)
    >>> without_asides("Not sure though.")
    ('', True)
    >>> without_asides("I think about moving to Oslo.")
    ('I think about moving to Oslo.', False)
    """
    if not _MARKER.search(sentence):
        return sentence, False
    if _ALONE.match(sentence):
        return "", True
    plain = sentence
    for pattern in (_WITHIN, _BEFORE, _ADVERB_BEFORE, _AFTER):
        plain = pattern.sub("", plain)
    return plain, plain != sentence
