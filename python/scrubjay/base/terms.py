"""Terms: the form in which names of entities and predicates are compared.

Two names are one only where their keys are equal: case, spaces, quotes and a leading article do not
count, everything else does. Similar is not equal; nothing here looks at vectors, so two people's
answers to one question can never run together. The store keeps names as they were written and
finds them by key.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.base.tokens import normalise

__all__ = ["entity_key", "predicate_key"]

_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")
_EDGES = " \t\r\n\"'`.,;:!?()[]\u2018\u2019\u201c\u201d\u00ab\u00bb"
_GAP = re.compile(r"[\s_\-]+")


@lru_cache(maxsize=1 << 14)
def entity_key(name: str) -> str:
    """Return the form in which entities are compared; idempotent, never empty for a name.

    >>> entity_key("  The Metrics   Store ") == entity_key("metrics store")
    True
    """
    bare = " ".join(normalise(name).strip(_EDGES).split())
    while (shorter := _ARTICLE.sub("", bare).strip(_EDGES)) != bare:
        bare = shorter
    return bare or " ".join(normalise(name).split())


@lru_cache(maxsize=1 << 12)
def predicate_key(name: str) -> str:
    """Return the form in which predicates are compared: lower case, gaps as ``_``; idempotent.

    >>> predicate_key("Works at")
    'works_at'
    """
    return _GAP.sub("_", normalise(name).strip()).strip("_")
