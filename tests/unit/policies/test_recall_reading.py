"""Texts read directly score as BM25 defines it, alone and with their neighbours."""

import math
from collections import Counter

import numpy as np
import pytest

from scrubjay.policies.recall.reading import Page, Reading


def page(key, words, position=None, group=("main", "s")):
    return Page(key, group, key if position is None else position, Counter(words.split()))


def by_key(reading, tokens):
    words, context = reading.scores(tokens)
    return {key: (words[n], context[n]) for n, key in enumerate(reading.keys.tolist())}


def test_no_pages_and_no_words_give_no_scores():
    assert Reading([]).scores(["a"])[0].shape == (0,)
    words, context = Reading([page(1, "a b")]).scores([])
    assert words.tolist() == context.tolist() == [0.0]


def test_every_word_once_in_a_row_of_average_length_is_one():
    scores = by_key(Reading([page(1, "a b", group=None), page(2, "c d", group=None)]), ["a", "b"])
    assert scores[1] == pytest.approx((1.0, 1.0))
    assert scores[2] == (0.0, 0.0)


def test_words_equal_the_definition_of_bm25():
    texts = {1: "a a b", 2: "a c", 3: "b b b d e f"}
    reading = Reading(page(key, words, group=None) for key, words in texts.items())
    mean = sum(len(words.split()) for words in texts.values()) / 3
    size = 1024

    def idf(word):
        held = sum(word in words.split() for words in texts.values())
        return math.log1p((size - held + 0.5) / (held + 0.5))

    for key, words in texts.items():
        said = words.split()
        norm = 1.2 * (0.25 + 0.75 * len(said) / mean)
        total = sum(
            idf(word) * said.count(word) * 2.2 / (said.count(word) + norm) for word in "abz"
        )
        expected = total / sum(idf(word) for word in "abz")
        assert by_key(reading, ["a", "b", "z"])[key][0] == pytest.approx(expected)


def test_context_reaches_two_back_and_one_ahead_inside_a_conversation():
    reading = Reading(
        [page(n, "x" if n == 3 else "filler") for n in range(1, 7)]
        + [page(9, "filler", group=("main", "other"))]
    )
    scores = by_key(reading, ["x"])
    assert [key for key, (_, context) in scores.items() if context > 0] == [2, 3, 4, 5]
    assert [key for key, (words, _) in scores.items() if words > 0] == [3]


def test_neighbours_follow_position_not_key():
    reading = Reading([page(1, "x", 5), page(2, "y", 4), page(3, "z", 9)])
    assert by_key(reading, ["x"])[2][1] > 0


def test_rows_without_a_conversation_stand_alone():
    reading = Reading([page(1, "x", group=None), page(2, "y", group=None)])
    assert by_key(reading, ["x"])[2] == (0.0, 0.0)


def test_a_row_gains_nothing_from_a_word_asked_twice():
    reading = Reading([page(1, "a b"), page(2, "c")])
    assert np.array_equal(reading.scores(["a", "a"])[0], reading.scores(["a"])[0])
