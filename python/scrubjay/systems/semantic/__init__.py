"""Semantic memory: what is believed, since when, until when, on whose word.

Assertions are immutable; a belief is an interval of the timeline that its live assertions draw.
Nothing is ever overwritten: to undo is to take an assertion away and to draw the line again.
"""

from scrubjay.systems.semantic.beliefs import Beliefs
from scrubjay.systems.semantic.terms import (
    DEFAULT_FUNCTIONAL,
    MAX_TERM_CHARS,
    check_term,
    is_functional,
)
from scrubjay.systems.semantic.timeline import Belief, Holding, superseded, timeline

__all__ = [
    "DEFAULT_FUNCTIONAL",
    "MAX_TERM_CHARS",
    "Belief",
    "Beliefs",
    "Holding",
    "check_term",
    "is_functional",
    "superseded",
    "timeline",
]
