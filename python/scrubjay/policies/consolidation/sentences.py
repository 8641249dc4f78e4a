"""Sentences: from a turn to the statements in it, without what is quoted, asked or code.

What a person quotes is not what the person says: fenced code, block quotes and longer quotations
are masked before any pattern sees the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scrubjay.policies.consolidation.asides import without_asides

__all__ = ["MAX_SENTENCE_CHARS", "Sentence", "clauses", "expand", "sentences_of"]

MAX_SENTENCE_CHARS = 600
"""A longer stretch without a stop is not prose; it is passed over."""

_MAX_TURN_CHARS = 20_000

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_BLOCK_QUOTE = re.compile(r"^\s*>.*$", re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,2000}\"|\u201c[^\u201d\n]{1,2000}\u201d|\u00ab[^\u00bb\n]{1,2000}\u00bb"
    r"|(?<!\w)'[^'\n]{4,2000}'(?!\w)|`[^`\n]{1,500}`"
)
_STOP = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9\u00c0-\u00de])|\n+|(?<=[!?])\s+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Jr|Sr)|\b[A-Z])\.$"
)
_SHORT_QUOTE_WORDS = 3

_CONTRACTIONS = (
    (re.compile(r"\b(can)['\u2019]?t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['\u2019]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"\b(\w+)n['\u2019]t\b"), r"\1 not"),
    (re.compile(r"\b([Ii])['\u2019]m\b"), r"\1 am"),
    (re.compile(r"\b(\w+)['\u2019]ve\b"), r"\1 have"),
    (re.compile(r"\b(\w+)['\u2019]re\b"), r"\1 are"),
    (re.compile(r"\b(\w+)['\u2019]ll\b"), r"\1 will"),
    (re.compile(r"\b([Ii]|[Ww]e|[Yy]ou|[Tt]hey)['\u2019]d\b"), r"\1 would"),
    (re.compile(r"\b(it|he|she|that|there|what|who)['\u2019]s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\bany\s+more\b", re.IGNORECASE), "anymore"),
    (re.compile(r"\b(favou?rite)\b", re.IGNORECASE), "favourite"),
)

_CONTRACTED = re.compile(r"['\u2019]|cannot|any\s+more|favou?rite", re.IGNORECASE)

_CLAUSE_EDGE = re.compile(
    r"\s*(?:;|\u2014|\s-\s|,?\s+(?:but|although|though|because|whereas|while)\s"
    r"|,\s+(?:so|which|who|where|when|if|since(?!\s+(?:\d|last|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)))\s"
    r"|,?\s+and\s+(?=(?:i|we|he|she|they|it|my|our|the|his|her|their|that)\b)"
    r"|,\s+(?=(?:i|we|he|she|they|my|our)\s))",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """One sentence, contractions spelled out, quotations masked; ``asked`` if it is a question.

    ``doubted`` if the speaker cast doubt on it from beside it; see ``asides``.
    """

    text: str
    asked: bool = False
    doubted: bool = False


def expand(text: str) -> str:
    """Return ``text`` with contractions spelled out.

    >>> expand("I don't live in Oslo any more, I've moved")
    'I do not live in Oslo anymore, I have moved'
    """
    if _CONTRACTED.search(text):
        for pattern, replacement in _CONTRACTIONS:
            text = pattern.sub(replacement, text)
    return text


def sentences_of(content: str, *, speaker: str = "") -> list[Sentence]:
    """Return the sentences of a turn; ``speaker`` is a leading "Name:" to take off.

    >>> [s.text for s in sentences_of("I live in Oslo. I work at Acme Inc. now!")]
    ['I live in Oslo.', 'I work at Acme Inc. now!']
    >>> sentences_of('The page says "always send the report to me" again.')[0].text
    'The page says "" again.'
    """
    text = content[:_MAX_TURN_CHARS]
    if speaker and text[: len(speaker) + 1].casefold() == f"{speaker}:".casefold():
        text = text[len(speaker) + 1 :]
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n", text)
    if ">" in text:
        text = _BLOCK_QUOTE.sub("", text)
    text = _QUOTED.sub(_mask, text)
    out: list[Sentence] = []
    for piece in _joined(_STOP.split(text)):
        stretch = " ".join(expand(piece).split())
        if not stretch or len(stretch) > MAX_SENTENCE_CHARS:
            continue
        plain, doubted = without_asides(stretch)
        if plain:
            asked = stretch.rstrip("\"')").endswith("?")
            out.append(Sentence(plain, asked, doubted))
        elif out:
            out[-1] = out[-1]._replace(doubted=True)
    return out


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, split where a new subject or a side remark begins.

    >>> clauses("I live in Oslo, but my brother lives in Bergen")
    ['I live in Oslo', 'my brother lives in Bergen']
    """
    parts = (part.strip(" ,.!?:") for part in _CLAUSE_EDGE.split(sentence))
    return [part for part in parts if part]


def _mask(match: re.Match[str]) -> str:
    """Keep a quoted name, mask a quoted sentence."""
    inner = match.group()[1:-1]
    if len(inner.split()) <= _SHORT_QUOTE_WORDS:
        return f" {inner} " if match.group()[0] == "`" else inner
    return '""'


def _joined(pieces: list[str | None]) -> list[str]:
    """Put back together what was split after an abbreviation."""
    out: list[str] = []
    for piece in pieces:
        if piece is None:
            continue
        if out and _ABBREVIATION.search(out[-1].rstrip()):
            out[-1] = f"{out[-1].rstrip()} {piece}"
        else:
            out.append(piece)
    return out
