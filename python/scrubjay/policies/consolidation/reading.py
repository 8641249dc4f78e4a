"""Reading: from one clause to dated findings, with hedges and denials told apart from claims."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrubjay.base.trace import Precision
from scrubjay.policies.consolidation import patterns_people, patterns_tastes, patterns_things
from scrubjay.policies.consolidation.dates import Bounds, Tense, When, bounds_of, find_when
from scrubjay.policies.consolidation.findings import Finding, Rule
from scrubjay.policies.consolidation.sentences import Sentence, clauses

__all__ = ["Reading", "read_sentence"]

RULES: tuple[Rule, ...] = (
    *patterns_tastes.RULES,
    *patterns_people.RULES,
    *patterns_things.RULES,
)

_OPENING = re.compile(
    r"^(?:(?:well|yes|yeah|yep|no|nope|so|and|oh|ah|hey|hi|hello|actually|also|ok|okay|right|sure|great"
    r"|good|thanks|thank\s+you|by\s+the\s+way|btw|fyi|for\s+the\s+record|to\s+be\s+honest|honestly"
    r"|unfortunately|fortunately|luckily|sadly|understood|noted|correct|exactly|anyway|wow|haha|true"
    r"|as\s+you\s+know|you\s+know|i\s+mean|it\s+turns\s+out(?:\s+that)?|good\s+news)\s*[,:!.\u2013-]+\s*"
    r"|(?:please\s+)?(?:remember|note|keep\s+in\s+mind)\s*(?:that\s+|:\s*)"
    r"|(?:so|and|also|but|then)\s+)",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(
    r"(?:,?\s*\b(?:from\s+now\s+on(?:wards?)?|from\s+here\s+on|going\s+forward|starting\s+now"
    r"|effective\s+immediately|as\s+of\s+now|henceforth)\b,?\s*)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?:if|unless|suppose|imagine|assuming|when(?:ever)?|once|in\s+case|would|could|should|can|let)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:might(?:\s+be)?|may\s+be|may(?=\s+[a-z])|maybe|perhaps|probably|possibly|likely"
    r"|(?:am|is|are)\s+(?:thinking\s+(?:of|about)|considering|planning\s+(?:on|to)|going\s+to"
    r"|tempted\s+to|not\s+sure(?:\s+if|\s+whether)?)"
    r"|(?:think|thinks|thought)\s+about|(?:consider|considers|considered)(?=\s+\w+ing)"
    r"|(?:plan|plans|intend|intends)\s+to|would(?=\s+(?:prefer|rather))|will(?:\s+be)?|shall)\b\s*",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:want(?:s|ed)?|wish(?:es)?|hop(?:e|es|ing)|need(?:s|ed)?|would\s+(?:like|love)|like)\s+to\b"
    r"|\b(?:could|should|would(?!\s+(?:prefer|rather)))\b",
    re.IGNORECASE,
)
"""A wish, a request or a condition says how things should be, not how they are or may become."""

_DOUBT = re.compile(
    r"^(?:i|we)\s+(?:think|guess|suppose|believe|assume|feel|am\s+not\s+sure|hear|heard|doubt)"
    r"(?:\s+that)?\s+",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:(?:do|does|did)\s+not(?:\s+ever)?|no\s+longer|never|(?<=\bam\s)not|(?<=\bis\s)not"
    r"|(?<=\bare\s)not|(?<=\bwas\s)not|(?<=\bhave\s)not|(?<=\bhas\s)not)\b\s*",
    re.IGNORECASE,
)
_STAND = re.compile(r"\bcan\s+not\s+stand\b", re.IGNORECASE)

_DOES_NOT = re.compile(r"\bdoes\s+not\s+(?:ever\s+)?(\w+)", re.IGNORECASE)
_CUE = re.compile(
    r"\b(?:liv(?:e|es|ed|ing)|resid\w*|based|located|sits?|mov(?:e|es|ed|ing)|relocat\w*|migrat\w*"
    r"|switch\w*|chang(?:e|es|ed|ing)|transition\w*|port(?:s|ed|ing)?|convert\w*|upgrad\w*"
    r"|replac\w*|us(?:e|es|ed|ing)|adopt\w*|abandoned|dropped|retired|rid|runs?|running|hosted"
    r"|deployed|stored?|kept|keeps?|saved?|archived?|through|owns?|owned|maintains?|manages?"
    r"|responsible|renamed|now|became|turned|work\w*|join\w*|start\w*|began|job|left|quit\w*|leaving"
    r"|resign\w*|name|call|birthday|married|years\s+old|from|born|grew|speaks?|allergic|has|have|got"
    r"|bought|loves?|adores?|likes?|enjoys?|hates?|detests?|loathes?|dislikes?|stand|prefers?"
    r"|favourite|expires?|out|valid|(?:am|is|are|as)\s+an?)\b",
    re.IGNORECASE,
)
"""Every rule needs one of these; a clause without them is passed over at once."""

SURE = 0.9
HEDGED = 0.4


class Reading(NamedTuple):
    """One dated statement of a speaker."""

    finding: Finding
    from_us: int | None
    to_us: int | None
    precision: Precision
    hedged: bool
    confidence: float


def read_sentence(
    sentence: Sentence, *, speaker: str, event_us: int, offset_min: int = 0
) -> list[Reading]:
    """Return what a sentence states; questions, conditions and quotations state nothing.

    Deterministic; cost is some tens of microseconds a clause.

    >>> [
    ...     (r.finding.predicate, r.finding.object)
    ...     for r in read_sentence(
    ...         Sentence("I live in Oslo, but I work at Acme"), speaker="p", event_us=0
    ...     )
    ... ]
    [('lives_in', 'Oslo'), ('works_at', 'Acme')]
    """
    if sentence.asked:
        return []
    out: list[Reading] = []
    for clause in clauses(sentence.text):
        out.extend(_read_clause(clause, speaker, event_us, offset_min))
    return [_doubted(reading) for reading in out] if sentence.doubted else out


def _doubted(reading: Reading) -> Reading:
    return reading._replace(hedged=True, confidence=HEDGED)


def _read_clause(clause: str, speaker: str, event_us: int, offset_min: int) -> list[Reading]:
    bare = _opened(clause)
    if not bare or _CONDITION.match(bare):
        return []
    if not _CUE.search(bare):
        return []
    from_now = _FROM_NOW.search(bare)
    if from_now:
        bare = " ".join(_FROM_NOW.sub(" ", bare).split())
    dated = _first(patterns_things.DATED_RULES, bare, speaker)
    if dated:
        return [_dated(f, None, from_now=False, hedged=False, event_us=event_us) for f in dated]
    if _WISH.search(bare):
        return []
    when, rest = find_when(bare, event_us=event_us, offset_min=offset_min)
    doubted = _DOUBT.sub("", rest)
    hedged = doubted != rest or bool(_HEDGE.search(doubted))
    plain = " ".join(_HEDGE.sub("", doubted).split())
    denied = bool(_DENIAL.search(plain)) or " anymore" in f" {plain}"
    if denied and not _STAND.search(plain):
        agreeing = _DOES_NOT.sub(r"\1s", plain)
        plain = " ".join(_DENIAL.sub("", agreeing).split())
    findings = _first(RULES, plain, speaker)
    return [
        _dated(
            _denied(f) if denied else f,
            when,
            from_now=bool(from_now),
            hedged=hedged,
            event_us=event_us,
        )
        for f in findings
    ]


def _dated(
    finding: Finding, when: When | None, *, from_now: bool, hedged: bool, event_us: int
) -> Reading:
    tense = Tense.CHANGE if finding.negated else finding.tense
    bounds = bounds_of(when, tense, event_us=event_us)
    if from_now:
        bounds = Bounds(event_us, None, Precision.INSTANT)
    confidence = HEDGED if hedged else SURE
    return Reading(
        finding,
        bounds.from_us,
        bounds.to_us,
        bounds.precision,
        hedged=hedged,
        confidence=confidence,
    )


def _denied(finding: Finding) -> Finding:
    if finding.predicate.startswith("feels_about:"):
        return patterns_tastes.opposite_feeling(finding)
    return finding._replace(negated=not finding.negated)


def _first(rules: tuple[Rule, ...], clause: str, speaker: str) -> list[Finding]:
    for pattern, read in rules:
        match = pattern.match(clause)
        if match is not None:
            found = list(read(match, speaker))
            if found:
                return found
    return []


def _opened(clause: str) -> str:
    """Take off what only opens a clause: "well,", "note that", "and"."""
    bare = clause.strip()
    while (shorter := _OPENING.sub("", bare).strip()) != bare:
        bare = shorter
    return bare
