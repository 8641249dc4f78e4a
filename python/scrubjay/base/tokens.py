"""Words of any script, as the text index and every lexical comparison see them.

One function makes the tokens of what is stored, one those of a question; both normalise the same
way, so that equal words meet. Tokens are lower-case and never hold white space.

1. Text is NFKC-normalised and case-folded; accents and Hebrew vowel points are dropped.
2. A word joined by ``- _ . / : @ + # '`` (an identifier, a path, a date, an address) is kept whole
   *and* in parts; so is ``camelCase``.
3. English inflections are reduced by suffix rules and a table of irregular forms.
4. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese are written in characters and pairs of
   neighbouring characters, since they put no spaces between words (or glue particles to them).
5. Arabic loses vowel signs, letter variants and the article with its prefixes.

Nothing here raises: any ``str`` has tokens, perhaps none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from scrubjay.base.stems import STOP_WORDS, stem

__all__ = ["MAX_QUERY_TOKENS", "normalise", "query_tokens", "tokenize"]

MAX_QUERY_TOKENS = 64
"""Distinct tokens of a question that are looked up; the rest of a longer one is ignored."""

_MAX_TOKEN_CHARS = 128
_MAX_WORD_CHARS = 256
_MAX_PARTS = 16
_EDGE_PIECES = 2
"""More borders of letters and digits than one mean a hash or a code, which has no parts."""

_JOINERS = r"[-_.:/@+#'\u2019]"

# ``\w`` leaves out vowel signs and other marks, which would cut Hindi, Thai or Hebrew words apart.
_LETTERS = (
    r"\w\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u06d6-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0966-\u096f\u0971-\u0df3"
    r"\u0e30-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84\u102b-\u103e\u1056-\u108f"
    r"\u17b4-\u17d3\u200c\u200d"
)
_WORD = re.compile(rf"[{_LETTERS}]+(?:{_JOINERS}[{_LETTERS}]+)*[+#]*")
_PART = re.compile(rf"(?:(?!_)[{_LETTERS}])+")
_SEGMENT = re.compile(r"[/:@#.]")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DIGIT_EDGE = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_APOSTROPHES = re.compile(r"['\u2019]")
_MARKS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7]")  # accents, Hebrew points

# Scripts without spaces, and Hangul, whose particles are glued to the noun.
_UNSPACED = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # han
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3"  # thai lao burmese khmer
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")

_ARABIC = re.compile(r"[\u0621-\u064a]")
_ARABIC_SIGNS = re.compile(r"[\u0640\u064b-\u065f\u0670]")
_ARABIC_LETTERS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه"})
_ARABIC_PREFIX = re.compile(r"^(?:وال|بال|كال|فال|لل|ال)(?=\w{2})")


def normalise(text: str) -> str:
    """Return the form in which texts are compared: NFKC, case-folded; idempotent.

    >>> normalise("Ｃafé Straße")
    'café strasse'
    """
    if text.isascii():
        return text.lower()
    for _ in range(3):  # Folding may undo normal form and the reverse; three rounds settle it.
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        if folded == text:
            break
        text = folded
    return text


def tokenize(text: str) -> list[str]:
    """Return the tokens of ``text`` in order, repeats included.

    Never raises. Cost: linear, about 1 µs a word once the word has been seen.

    >>> tokenize("Melanie's painting, order_id A-17")
    ['melani', 'paint', 'order_id', 'order', 'id', 'a-17', 'a', '17']
    >>> tokenize("我喜欢猫")
    ['我', '喜', '欢', '猫', '我喜', '喜欢', '欢猫']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    out: list[str] = []
    for word in _words(text):
        out.extend(_tokens_of(word))
    return out


def query_tokens(text: str) -> list[str]:
    """Return the distinct tokens to look up for a question, at most ``MAX_QUERY_TOKENS``.

    Stop words are dropped unless nothing else is left; of unspaced scripts only the pairs are
    used where a run has more than one character. Never raises.

    >>> query_tokens("When did she go to the museums?")
    ['go', 'museum']
    >>> query_tokens("To be or not to be")
    ['to', 'be', 'or', 'not']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    kept: dict[str, None] = {}
    stops: dict[str, None] = {}
    for word in _words(text):
        bare = _POSSESSIVE.sub("", word.lower())
        where = stops if bare in STOP_WORDS else kept
        where.update(dict.fromkeys(_tokens_of(word, as_query=True)))
        if len(kept) >= MAX_QUERY_TOKENS:
            break
    return list(kept or stops)[:MAX_QUERY_TOKENS]


def _words(text: str) -> list[str]:
    """Return the joined words of a text; a chain longer than an identifier comes in its parts."""
    words = _WORD.findall(text)
    if all(len(word) <= _MAX_WORD_CHARS for word in words):
        return words
    return [
        piece
        for word in words
        for piece in ((word,) if len(word) <= _MAX_WORD_CHARS else _pieces(word))
    ]


def _pieces(word: str) -> Iterator[str]:
    """Yield the parts of a chain; a run of unspaced script is cut where the limit falls."""
    for part in _PART.findall(word):
        for start in range(0, len(part), _MAX_WORD_CHARS):
            yield part[start : start + _MAX_WORD_CHARS]


@lru_cache(maxsize=1 << 16)
def _tokens_of(word: str, *, as_query: bool = False) -> tuple[str, ...]:
    """Return the tokens of one joined word."""
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return (stem(word.lower()[:_MAX_TOKEN_CHARS]),)
    if _UNSPACED_CHAR.search(word):
        return _mixed(word, as_query=as_query)
    return _spaced(word)


def _spaced(word: str) -> tuple[str, ...]:
    """Return the whole word and its parts, for scripts that separate words."""
    word = _APOSTROPHES.sub("", _POSSESSIVE.sub("", word))
    found = {stem(_plain(word)): None}
    for segment in _SEGMENT.split(word) if _SEGMENT.search(word) else (word,):
        found[stem(_plain(segment))] = None
        for part in _PART.findall(segment):
            for camel in _CAMEL.split(part):
                found.update((stem(_plain(piece)), None) for piece in (part, *_edges(camel)))
        if len(found) > _MAX_PARTS:
            break
    found.pop("", None)
    return tuple(found)[:_MAX_PARTS]


def _edges(part: str) -> list[str]:
    """Split at the one border of letters and digits, if there is just one."""
    pieces = _DIGIT_EDGE.split(part)
    return [part, *pieces] if len(pieces) == _EDGE_PIECES else [part]


def _plain(text: str) -> str:
    """Return the comparable form of one piece: folded, without accents, at most 128 characters."""
    text = normalise(text[:_MAX_TOKEN_CHARS])
    if text.isascii():
        return text
    if _ARABIC.search(text):
        text = _ARABIC_SIGNS.sub("", text).translate(_ARABIC_LETTERS)
        return _ARABIC_PREFIX.sub("", text)
    bare = _MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def _mixed(word: str, *, as_query: bool) -> tuple[str, ...]:
    """Return the tokens of a word that holds unspaced script: runs in characters and pairs."""
    out: list[str] = []
    end = 0
    for run in _UNSPACED_RUN.finditer(word):
        out.extend(_spaced_words(word[end : run.start()]))
        units = _units(normalise(run.group()))
        if not as_query or len(units) == 1:
            out.extend(units)
        out.extend(a + b for a, b in pairwise(units))
        end = run.end()
    out.extend(_spaced_words(word[end:]))
    return tuple(out)


def _spaced_words(text: str) -> list[str]:
    """Return the tokens of the stretch between two unspaced runs."""
    return [token for word in _WORD.findall(text) for token in _spaced(word)]


def _units(run: str) -> list[str]:
    """Return the characters of a run, each with the marks that follow it."""
    units: list[str] = []
    for char in run:
        if units and unicodedata.category(char).startswith("M"):
            units[-1] += char
        else:
            units.append(char)
    return units
