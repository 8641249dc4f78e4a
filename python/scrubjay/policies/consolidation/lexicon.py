"""Lexicon: word lists of the patterns, written as lines of words."""

from __future__ import annotations

__all__ = ["word_list", "word_set"]


def word_list(text: str) -> list[str]:
    """Return the words of a text in order.

    >>> word_list("red green")
    ['red', 'green']
    """
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """Return the distinct words of a text."""
    return frozenset(text.split())
