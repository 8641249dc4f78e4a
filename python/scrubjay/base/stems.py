"""English word forms: stop words, irregular forms and suffix rules.

The stemmer is deliberately light. It joins ``painted``, ``painting`` and ``paints``, ``went`` and
``go``; it leaves derivations (``painter``) alone, since joining too much costs more precision than
it wins recall. Words of other languages in Latin letters pass through the same rules on both
sides, so they still meet themselves.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["STOP_WORDS", "stem"]

_STOP_LINES = """
    a about above after again against all am an and any are aren aren't as at be because been
    before being below between both but by can can't could couldn't did didn't do does doesn't
    doing don't down during each few for from further had hadn't has hasn't have haven't having he
    her here hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd it'll
    its itself just let's ll me more most my myself no nor not now of off on once only or other our
    ours ourselves out over own re s same shall she should shouldn't so some such t than that the
    their theirs them themselves then there these they they're they've this those through to too
    under until up upon us ve very was wasn't we we're we've were weren't what when where which
    while who whom whose why will with won't would wouldn't you you'd you'll you're you've your
    yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_LINES.split())
"""Words of a question that name nothing; compared before stemming."""

_IRREGULAR_LINES = """
    be am are is was were been being
    begin began begun
    break broke broken
    bring brought
    build built
    buy bought
    catch caught
    child children
    choose chose chosen
    come came
    do did done does doing
    draw drew drawn
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feel felt
    fight fought
    find found
    fly flew flown
    foot feet
    forget forgot forgotten
    get got gotten
    give gave given
    go went gone goes going
    grow grew grown
    have has had
    hear heard
    hold held
    keep kept
    know knew known
    lead led
    leave left
    lose lost
    make made
    man men
    mean meant
    meet met
    mouse mice
    pay paid
    person people
    ride rode ridden
    ring rang rung
    run ran
    say said
    see saw seen
    sell sold
    send sent
    sing sang sung
    sit sat
    sleep slept
    speak spoke spoken
    spend spent
    stand stood
    steal stole stolen
    swim swam swum
    take took taken
    teach taught
    tell told
    think thought
    throw threw thrown
    tooth teeth
    understand understood
    wake woke woken
    wear wore worn
    wife wives
    win won
    woman women
    write wrote written
"""
_IRREGULAR = {
    form: forms[0]
    for forms in (line.split() for line in _IRREGULAR_LINES.strip().splitlines())
    for form in forms
}
_VOWELS = frozenset("aeiouy")
_KEEP_DOUBLE = frozenset("lsz")
_MIN_STEMMED = 4
_MIN_ROOT = 3


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; anything but ASCII letters comes back unchanged.

    >>> [stem(w) for w in ("studies", "planned", "making", "went", "quickly", "bus")]
    ['studi', 'plan', 'mak', 'go', 'quick', 'bus']
    """
    if not (word.isascii() and word.isalpha()):
        return word
    word = _IRREGULAR.get(word, word)
    if len(word) < _MIN_STEMMED:
        return word
    word = _without_verb_ending(_singular(word))
    if len(word) > _MIN_STEMMED and word.endswith("ly"):
        word = word[:-2]
    if len(word) >= _MIN_STEMMED and word.endswith("e"):
        word = word[:-1]
    if len(word) >= _MIN_STEMMED and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def _singular(word: str) -> str:
    """Strip the ending of a plural or of the third person."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] in "sxzh":
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    """Strip ``-ing`` and ``-ed`` from a root that can stand, and undouble its last letter."""
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= _MIN_ROOT and not _VOWELS.isdisjoint(root):
            doubled = root[-1] == root[-2] and root[-1] not in _KEEP_DOUBLE
            return root[:-1] if doubled else root
    return word
