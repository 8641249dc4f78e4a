"""Patterns about people: where they live and work, who they are and whose."""

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
from scrubjay.policies.consolidation.lexicon import word_set

__all__ = ["RULES"]

_ADV = r"(?:(?:currently|now|still|also|just|recently|really|all|actually)\s+)*"
_KIN = (
    r"wife|husband|partner|girlfriend|boyfriend|fianc\u00e9e?|brother|sister|mother|mom|mum|father|dad"
    r"|son|daughter|cousin|aunt|uncle|grandmother|grandma|grandfather|grandpa|boss|manager"
    r"|best\s+friend|roommate|flatmate|dog|cat|puppy|kitten"
)
_ROLE = (
    r"(?P<o>an?\s+(?:[\w-]+\s+){0,3}?(?:\w+(?:er|or|ist|ian|eer|ant|ician)|nurse|cook|chef|coach"
    r"|judge|student|clerk|pilot|guide|analyst|lead|intern|architect))"
)
_NOT_ROLES = word_set(
    "number player winner fan user member lover reader minor major matter error factor flavor "
    "favor other another better longer over never ever under after either"
)


def _works_as(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    subject, role = subject_of(match["s"], speaker), object_of(match["o"])
    if subject and role and role.split()[-1].casefold() not in _NOT_ROLES:
        yield Finding(subject, "works_as", re.sub(r"^an?\s+", "", role, flags=re.IGNORECASE))


def _moved(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    """Read "I moved (from X) to Y"; a place has a capital, "a new team" is no place."""
    subject, place = subject_of(match["s"], speaker), object_of(match["o"])
    we = match["s"].casefold() == "we"
    if not subject or not place or not place[0].isupper() or we:
        return
    yield Finding(subject, "lives_in", place, Tense.CHANGE)
    left = object_of(match["x"]) if match["x"] else None
    if left and left[0].isupper():
        yield Finding(subject, "lives_in", left, Tense.CHANGE, negated=True)


def _employer(tense: Tense, *, negated: bool = False) -> Rule:
    verbs = {
        Tense.STATE: r"(?:am\s+|is\s+|are\s+)?work(?:s|ing)?\s+(?:at|for)",
        Tense.CHANGE: r"(?:have\s+|has\s+)?(?:joined|start(?:ed|ing)?\s+"
        r"(?:a\s+(?:new\s+)?job\s+|work(?:ing)?\s+|to\s+work\s+)?(?:at|for|with)|got\s+a\s+job\s+(?:at|with))",
        Tense.PAST: r"(?:used\s+to\s+work|worked)\s+(?:at|for)",
    }[tense]
    if negated:
        verbs = (
            r"(?:have\s+|has\s+|am\s+|is\s+)?(?:left|quit|resign(?:ed|ing)\s+from|leaving|quitting)"
        )

    def read(match: re.Match[str], speaker: str) -> Iterable[Finding]:
        subject, firm = subject_of(match["s"], speaker), object_of(match["o"])
        if subject and firm and (firm[0].isupper() or firm.split()[0].casefold() == "the"):
            yield Finding(subject, "works_at", firm, tense, negated)

    return said_of(rf"{_ADV}{verbs}\s+(?P<o>.+)", read)


def _kin_name(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    owner = subject_of(f"my {match['k']}", speaker)
    name = object_of(match["o"])
    if owner and name and name[0].isupper():
        yield Finding(owner, "name", name)


def _own_name(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    name = object_of(match["o"])
    if name and name[0].isupper():
        yield Finding(speaker, "name", name)


def _owns(match: re.Match[str], speaker: str) -> Iterable[Finding]:
    subject, thing = subject_of(match["s"], speaker), object_of(match["o"])
    if subject and thing:
        yield Finding(subject, "has", thing)


RULES: tuple[Rule, ...] = (
    said_of(
        rf"{_ADV}(?:(?:am|is|are)\s+)?{_ADV}(?:live|lives|living|reside|resides|residing|based)\s+in\s+"
        r"(?P<o>.+)",
        claim("lives_in"),
    ),
    said_of(r"(?:have|has)\s+(?:been\s+living|lived)\s+in\s+(?P<o>.+)", claim("lives_in")),
    said_of(
        r"(?:used\s+to\s+(?:live|reside)|lived|was\s+living|was\s+based)\s+in\s+(?P<o>.+)",
        claim("lives_in", Tense.PAST),
    ),
    said_of(
        rf"{_ADV}(?:(?:am|is|are|have|has)\s+)?{_ADV}(?:moved|relocated|move|moving|relocate|relocating)"
        r"\s+(?:back\s+)?(?:from\s+(?P<x>.+?)\s+)?to\s+(?P<o>.+)",
        _moved,
    ),
    _employer(Tense.STATE),
    said_of(
        r"(?:have|has)\s+(?:been\s+working|worked)\s+(?:at|for)\s+(?P<o>.+)", claim("works_at")
    ),
    _employer(Tense.CHANGE),
    _employer(Tense.PAST),
    _employer(Tense.CHANGE, negated=True),
    said_of(
        rf"{_ADV}(?:am|is|are|work|works|working)\s+(?:as\s+)?{_ROLE}(?:\s+(?:at|for|in|with)\s+.+)?",
        _works_as,
    ),
    rule(r"(?:hi,?\s+|hello,?\s+)?my\s+name\s+is\s+(?P<o>.+)", _own_name),
    rule(r"(?:you\s+can\s+)?call\s+me\s+(?P<o>.+)", _own_name),
    rule(
        rf"my\s+(?P<k>(?:older\s+|younger\s+|little\s+|big\s+)?(?:{_KIN}))(?:'s\s+name)?\s+is\s+"
        r"(?:called\s+|named\s+)?(?P<o>(?-i:[A-Z][\w'\u2019-]+(?:\s+[A-Z][\w'\u2019-]+)?))",
        _kin_name,
    ),
    rule(
        r"(?P<s>my)\s+birthday\s+is\s+(?:on\s+)?(?P<o>.+)",
        lambda match, speaker: (
            [Finding(speaker, "birth_date", value)] if (value := object_of(match["o"])) else []
        ),
    ),
    said_of(r"(?:am|is)\s+married\s+to\s+(?P<o>.+)", claim("married_to")),
    said_of(r"(?:am|is)\s+(?P<o>\d{1,3})\s+years\s+old", claim("age")),
    said_of(r"(?:am|is|are)\s+(?:originally\s+)?from\s+(?P<o>(?-i:[A-Z]).*)", claim("comes_from")),
    said_of(r"(?:was|were)\s+born\s+in\s+(?P<o>(?-i:[A-Z]).*)", claim("born_in")),
    said_of(r"grew\s+up\s+in\s+(?P<o>(?-i:[A-Z]).*)", claim("grew_up_in")),
    said_of(r"(?:speak|speaks)\s+(?P<o>(?-i:[A-Z])\w+)(?:\s+fluently)?", claim("speaks")),
    said_of(r"(?:am|is|are)\s+allergic\s+to\s+(?P<o>.+)", claim("allergic_to")),
    said_of(
        rf"(?:have|has|own|owns|got|adopted|bought)\s+(?P<o>(?:an?|two|three|four|\d+)\s+(?:[\w-]+\s+)?"
        rf"(?:{_KIN}|car|bike|boat|house|flat|apartment|kids?|children|dogs|cats|brothers|sisters"
        r"|sons|daughters|motorcycle|guitar|piano)\b.*)",
        _owns,
    ),
)
