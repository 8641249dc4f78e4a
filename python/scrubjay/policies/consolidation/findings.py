"""Findings: what a pattern reads out of one clause, and the vocabulary all patterns share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from scrubjay.policies.consolidation.dates import Tense
from scrubjay.policies.consolidation.lexicon import word_set

__all__ = ["Finding", "Rule", "claim", "object_of", "rule", "said_of", "subject_of"]

SUBJECT = (
    r"(?P<s>I|[Ww]e|(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]his|[Aa]ll)\s+(?:[\w'\u2019./-]+\s+){0,4}?[\w'\u2019./-]+"
    r"|(?:[Pp]roject|[Ss]ervice|[Tt]eam|[Hh]ost)\s+[\w.-]+|[A-Z][\w.-]*(?:\s+[A-Z][\w.-]*){0,3}"
    r"|[a-z][\w]*(?:[-_./]\w+)+|[a-z]+s)"
)
"""A speaker, a named thing, a described one, or a plural; pronouns for others are not resolved."""

_PRONOUNS = word_set(
    "he she it they them him her you your this that these those there here who what which "
    "everyone someone nobody anybody everything something nothing one ones so yes no and but or "
    "then how when where why as if is was does this's all thanks always never"
)
_NOT_IN_SUBJECTS = _PRONOUNS | word_set(
    "me us is are am was were be been being has have had do did done like likes love loves "
    "make makes made get gets got their its every each any some many "
    "most few sounds looks seems feels not"
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:now|nowadays|currently|these\s+days|at\s+the\s+moment|right\s+now|too|as\s+well"
    r"|again|already|anymore|though|actually|instead|please|by\s+the\s+way|for\s+now|so\s+far"
    r"|recently|lately|still|just|either|also|anyway|honestly|since\s+then|a\s+lot|so\s+much"
    r"|in\s+(?:the\s+)?(?:spring|summer|autumn|fall|winter)"
    r"|very\s+much|more\s+than\s+anything|again\s+and\s+again))+$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s+(?:that|which|who|where|when|if|because|so\s+that|so|and\s+then|in\s+order\s+to|with\s+(?:my"
    r"|the|a|our|his|her)|and\s+(?:so|it|they|then|now)|after|before|even|than)\b.*$"
    r"|,\s+(?-i:[a-z]).*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+(?=\S)")
_OBJECT_STARTS = word_set(
    "it that this there here them him her you to how what when where why if because so not very "
    "really quite just also for in on at with of off from by as and or your their his its myself "
    "yourself me us doing being"
)

_DANGLING = re.compile(
    r"\s+(?:to|of|in|on|at|for|with|from|by|and|or|up|out|about)$", re.IGNORECASE
)

MAX_OBJECT_WORDS = 8
MAX_OBJECT_CHARS = 80


class Finding(NamedTuple):
    """One thing a clause says, before it is dated and signed."""

    subject: str
    predicate: str
    object: str
    tense: Tense = Tense.STATE
    negated: bool = False


class Rule(NamedTuple):
    """A pattern over a whole clause and what its match means to a speaker."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], str], Iterable[Finding]]


def rule(pattern: str, read: Callable[[re.Match[str], str], Iterable[Finding]]) -> Rule:
    """Return a rule for clauses that match ``pattern`` from end to end, in any case."""
    return Rule(re.compile(rf"^(?i:{pattern})$"), read)


def said_of(pattern: str, read: Callable[[re.Match[str], str], Iterable[Finding]]) -> Rule:
    """Return a rule for clauses with a subject (group ``s``) that go on like ``pattern``.

    Only the subject minds capitals: they tell a name from a word.
    """
    return Rule(re.compile(rf"^{SUBJECT}\s+(?i:{pattern})$"), read)


def claim(
    predicate: str, tense: Tense = Tense.STATE, *, negated: bool = False
) -> Callable[[re.Match[str], str], Iterable[Finding]]:
    """Return a reader that says ``predicate`` of the subject ``s`` with the object ``o``."""

    def read(match: re.Match[str], speaker: str) -> Iterable[Finding]:
        subject, value = subject_of(match["s"], speaker), object_of(match["o"])
        if subject is not None and value is not None:
            yield Finding(subject, predicate, value, tense, negated)

    return read


def subject_of(text: str, speaker: str) -> str | None:
    """Return who or what a subject phrase means; None if it points elsewhere.

    >>> subject_of("I", "priya"), subject_of("my brother", "priya"), subject_of("our API", "priya")
    ('priya', "priya's brother", 'API')
    >>> subject_of("we", "priya"), subject_of("she", "priya")
    ("priya's team", None)
    """
    words = text.split()
    if not words:
        return None
    head = words[0].casefold()
    if head == "i":
        return speaker if len(words) == 1 else None
    if head == "we":
        return f"{speaker}'s team" if len(words) == 1 else None
    if head == "my":
        named = len(words) > 1 and not any(w.casefold() in _NOT_IN_SUBJECTS for w in words[1:])
        return f"{speaker}'s {' '.join(words[1:])}" if named else None
    if head in {"our", "the", "this", "all"}:
        words = words[1:]
    if not words or any(word.casefold() in _NOT_IN_SUBJECTS for word in words):
        return None
    return " ".join(words)


def object_of(text: str) -> str | None:
    """Return an object phrase without side remarks and fillers; None if it is not a name.

    >>> object_of("Oslo now, by the way"), object_of("it very much")
    ('Oslo', None)
    """
    bare = _CUT.sub("", text.strip())
    while (shorter := _DANGLING.sub("", _TAIL.sub("", bare)).strip(" ,.;:!?-")) != bare:
        bare = shorter
    bare = _ARTICLE.sub("", bare)
    words = bare.split()
    if not words or len(words) > MAX_OBJECT_WORDS or len(bare) > MAX_OBJECT_CHARS:
        return None
    if words[0].casefold() in _OBJECT_STARTS or not re.search(r"\w", bare) or '""' in bare:
        return None
    return bare
