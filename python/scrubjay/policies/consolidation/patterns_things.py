"""Patterns about things: what uses what, where it runs and is kept, what replaced what."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubjay.policies.consolidation.dates import Tense
from scrubjay.policies.consolidation.findings import (
    Finding,
    Rule,
    claim,
    object_of,
    rule,
    said_of,
    subject_of,
)

__all__ = ["RULES"]

_ADV = r"(?:(?:currently|now|still|also|just|recently|already|finally|all|only|mainly|mostly)\s+)*"
_SHIFT = (
    r"(?:migrat(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|switch(?:es|ed|ing)?"
    r"|transition(?:s|ed|ing)?|port(?:s|ed|ing)?|upgrad(?:e|es|ed|ing))"
)
_CHANGE = r"(?:chang(?:e|es|ed|ing)|convert(?:s|ed|ing)?)"
_DONE = r"(?:(?:have|has|had|was|were|am|is|are|got|been)\s+)*"
_THING = (
    r"(?P<t>(?:the|our|my|all)\s+[\w'\u2019./ -]{2,60}?|(?-i:[A-Z][\w.-]*(?:\s+[A-Z][\w.-]*){0,2}))"
)


def _replaced(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read "(we moved) T from X to Y": T uses Y now, and X no longer."""
    groups = match.groupdict()
    subject = subject_of(groups.get("t") or match["s"], speaker)
    new = object_of(match["o"])
    old = object_of(match["x"]) if groups.get("x") else None
    if not subject or not new or (match["s"] == "I" and not groups.get("t")):
        return
    yield Finding(subject, "uses", new, Tense.CHANGE)
    if old:
        yield Finding(subject, "uses", old, Tense.CHANGE, negated=True)


def _changed(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read "T changed from X to Y": T is Y now, and X no longer."""
    subject, new, old = (
        subject_of(match["s"], speaker),
        object_of(match["o"]),
        object_of(match["x"]),
    )
    if subject and new and match["s"].casefold() not in {"i", "we"}:
        yield Finding(subject, "is_now", new, Tense.CHANGE)
        if old:
            yield Finding(subject, "is_now", old, Tense.CHANGE, negated=True)


def _uses(tense: Tense, *, negated: bool = False) -> Rule:
    verbs = {
        Tense.STATE: r"(?:(?:am|is|are|have\s+been|has\s+been)\s+)?(?:use|uses|using)",
        Tense.CHANGE: r"(?:have\s+|has\s+)?(?:adopt(?:s|ed)?|started\s+using|began\s+using)",
        Tense.PAST: r"(?:used\s+to\s+use|were\s+using|was\s+using)",
    }[tense]
    if negated:
        verbs = (
            r"(?:have\s+|has\s+)?(?:stopped\s+using|abandoned|dropped|moved\s+off"
            r"|got\s+rid\s+of|retired)"
        )
    plain = claim("uses", tense, negated=negated)

    def reader(match: re.Match[str], speaker: str) -> Iterable[Finding]:
        """Read what is used; "my influence" is no tool."""
        if not re.match(r"(?:my|your|his|her|their|our)\b", match["o"], re.IGNORECASE):
            yield from plain(match, speaker)

    return said_of(rf"{_ADV}{verbs}\s+(?P<o>.+?)(?:\s+(?:for|to)\s+.+)?", reader)


def _is_now(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    subject, value = subject_of(match["s"], speaker), object_of(match["o"])
    if subject and value and not re.match(r"(?:on|in|at|using|running|going|\w+ing)\b", value):
        yield Finding(subject, "is_now", value, Tense.CHANGE)


def _kept(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    thing, place = subject_of(match["t"], speaker), object_of(match["o"])
    if thing and place:
        yield Finding(thing, "kept_in", place)


def _passes(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read by what a thing goes; people who go through fields go for a walk."""
    if match["s"].casefold() not in {"i", "we"}:
        yield from claim("goes_through")(match, speaker)


def _expires(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    subject = subject_of(match["s"], speaker)
    if subject:
        yield Finding(subject, "expires_on", " ".join(match["o"].split()))


RULES: tuple[Rule, ...] = (
    said_of(rf"{_ADV}{_DONE}{_ADV}{_CHANGE}\s+from\s+(?P<x>.+?)\s+to\s+(?P<o>.+)", _changed),
    said_of(
        rf"{_ADV}{_DONE}{_ADV}{_SHIFT}\s+(?:over\s+)?from\s+(?P<x>.+?)\s+to\s+(?P<o>.+)", _replaced
    ),
    said_of(
        rf"{_ADV}{_DONE}{_ADV}{_SHIFT}\s+{_THING}\s+(?:over\s+)?(?:from\s+(?P<x>.+?)\s+)?(?:to|onto)\s+"
        r"(?P<o>.+)",
        _replaced,
    ),
    said_of(
        rf"{_ADV}{_DONE}{_ADV}replac(?:e|es|ed|ing)\s+(?P<x>.+?)\s+(?:with|by)\s+(?P<o>.+)",
        _replaced,
    ),
    said_of(
        r"(?:is|are)\s+now\s+(?:on|using|running\s+on|powered\s+by)\s+(?P<o>.+)",
        claim("uses", Tense.CHANGE),
    ),
    _uses(Tense.STATE),
    _uses(Tense.CHANGE),
    _uses(Tense.PAST),
    _uses(Tense.CHANGE, negated=True),
    said_of(
        rf"{_ADV}(?:(?:is|are)\s+)?{_ADV}(?:run|runs|running|hosted|deployed)\s+(?:on|in|at)\s+(?P<o>.+)",
        claim("runs_on"),
    ),
    said_of(
        rf"{_ADV}(?:(?:is|are)\s+)?{_ADV}(?:live|lives|located|sit|sits)\s+(?:on|at)\s+(?P<o>.+)",
        claim("located_on"),
    ),
    said_of(r"(?:is|are)\s+located\s+in\s+(?P<o>.+)", claim("located_on")),
    said_of(
        rf"{_ADV}(?:is|are)\s+{_ADV}(?:stored|kept|saved|archived)\s+(?:in|on|at)\s+(?P<o>.+)",
        claim("kept_in"),
    ),
    rule(
        rf"(?:i|we)\s+{_ADV}(?:keep|store|save|archive)\s+{_THING}\s+(?:in|on|at)\s+(?P<o>.+)",
        _kept,
    ),
    said_of(rf"{_ADV}(?:go|goes)\s+through\s+(?P<o>.+)", _passes),
    said_of(r"(?:is|are)\s+owned\s+by\s+(?P<o>.+)", claim("owned_by")),
    said_of(
        rf"{_ADV}(?:own|owns|maintain|maintains|manage|manages)\s+(?P<o>(?:the|our)\s+.+)",
        claim("responsible_for"),
    ),
    said_of(r"(?:is|am|are)\s+responsible\s+for\s+(?P<o>.+)", claim("responsible_for")),
    said_of(r"(?:has|have)\s+been\s+renamed\s+(?:to\s+)?(?P<o>.+)", claim("is_now", Tense.CHANGE)),
    said_of(r"(?:is|are)\s+now\s+(?P<o>.+)", _is_now),
    said_of(r"(?:became|changed\s+to|turned\s+into)\s+(?P<o>.+)", _is_now),
)
"""Tried in order on a clause without its date; the first that finds something wins."""

DATED_RULES: tuple[Rule, ...] = (
    said_of(
        r"(?:expires?|runs?\s+out|is\s+valid\s+until)\s+(?:on\s+|in\s+)?(?P<o>.*\d.*)", _expires
    ),
)
"""Tried before the date is taken off, since the date is what they say."""
