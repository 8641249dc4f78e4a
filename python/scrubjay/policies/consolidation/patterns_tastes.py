"""Patterns of taste: favourites, likes and dislikes, preferences and what they are preferred to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubjay.policies.consolidation.findings import (
    Finding,
    Rule,
    object_of,
    rule,
    said_of,
    subject_of,
)
from scrubjay.policies.consolidation.lexicon import word_set

__all__ = ["RULES"]

_ADV = r"(?:(?:really|absolutely|still|also|just|actually|always|now|truly|definitely)\s+)*"
_FEELINGS = {
    "love": "loves",
    "adore": "loves",
    "like": "likes",
    "enjoy": "likes",
    "hate": "hates",
    "detest": "hates",
    "loathe": "hates",
    "dislike": "dislikes",
    "stand": "hates",
}
_OPPOSITE = {"loves": "dislikes", "likes": "dislikes", "hates": "likes", "dislikes": "likes"}
_MAX_TASTE_WORDS = 5
_POINTING = re.compile(r"(?:all\s+)?(?:the|this|that|these|those)\s+(?![A-Z])")
"""What is pointed at ("the way it looks") is of the moment, not a taste."""
_NO_TOPICS = word_set("one part thing bit time moment")


def _favourite(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    owner = subject_of(match["s"], speaker) if match["s"] else speaker
    thing, value = object_of(match["t"]), object_of(match["o"])
    if owner and thing and value and thing.split()[0].casefold() not in _NO_TOPICS:
        yield Finding(owner.removesuffix("'s"), f"favourite:{_topic(thing)}", value)


def _feels(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read "loves X" as the answer to one question: how does the subject feel about X?"""
    subject, thing = subject_of(match["s"], speaker), object_of(match["o"])
    if not subject or not thing or len(thing.split()) > _MAX_TASTE_WORDS:
        return
    if not _agrees(match["s"], match["v"]) or _POINTING.match(match["o"]):
        return
    verb = match["v"].casefold().split()[-1]
    stem = next((v for v in _FEELINGS if verb.startswith(v.rstrip("e"))), "like")
    yield Finding(subject, f"feels_about:{_topic(thing)}", _FEELINGS[stem])


def _agrees(subject: str, verb: str) -> bool:
    """Return whether a verb of feeling agrees with its subject; "sounds like" does not."""
    plural = subject.casefold() in {"i", "we"} or subject.casefold().startswith(
        ("my ", "our ", "the ")
    )
    return verb.casefold().split()[-1].endswith("s") or plural


def _prefers(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    subject, value = subject_of(match["s"], speaker), object_of(match["o"])
    if not subject or not value or re.search(r"\b(?:that|which|who)\b", match["o"]):
        return
    yield Finding(subject, "prefers", value)
    other = object_of(match["x"]) if match["x"] else None
    if other:
        yield Finding(subject, "prefers", other, negated=True)


def _prefers_as(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read "the weekly report as a PDF" as one question (the form of the report) and its answer."""
    subject, value = subject_of(match["s"], speaker), object_of(match["o"])
    topic = object_of(match["t"])
    if subject and value and topic:
        yield Finding(subject, f"prefers:{_topic(topic)}", value)


def opposite_feeling(finding: Finding) -> Finding:
    """Return what "does not love X" means: a feeling, and no gap."""
    return finding._replace(object=_OPPOSITE.get(finding.object, finding.object), negated=False)


def _topic(text: str) -> str:
    bare = re.sub(r"^(?:the|my|our|a|an)\s+", "", text.casefold())
    return re.sub(r"\bcolor\b", "colour", bare)


RULES: tuple[Rule, ...] = (
    rule(
        r"(?:my|(?P<s>(?-i:[A-Z])[\w-]*)(?:'s|\u2019s))\s+favourite\s+(?P<t>[\w -]{2,40}?)\s+"
        r"(?:is|are|has\s+always\s+been)\s+(?:now\s+)?(?P<o>.+)",
        _favourite,
    ),
    said_of(
        rf"{_ADV}(?:would\s+)?prefer(?:s)?\s+(?P<t>(?:the|my|our)\s+[\w -]{{2,40}}?)\s+"
        r"(?:as|in|by|via|on|sent\s+(?:as|by|to))\s+(?:the\s+form\s+of\s+)?(?P<o>.+)",
        _prefers_as,
    ),
    said_of(
        rf"{_ADV}(?:would\s+)?prefer(?:s)?\s+(?P<o>.+?)\s+for\s+(?P<t>[\w' -]{{2,40}})", _prefers_as
    ),
    said_of(
        rf"{_ADV}(?:would\s+)?prefer(?:s)?\s+(?P<o>.+?)"
        r"(?:\s+(?:over|to|rather\s+than|instead\s+of)\s+(?P<x>.+))?",
        _prefers,
    ),
    said_of(
        rf"{_ADV}(?P<v>loves?|adores?|likes?|enjoys?|hates?|detests?|loathes?|dislikes?|can\s+not\s+stand)"
        r"\s+(?P<o>.+)",
        _feels,
    ),
)
