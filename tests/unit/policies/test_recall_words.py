"""Words kept in memory score as BM25 defines it, alone and with their neighbours."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.policies.recall.words import Page, WordIndex


def page(key, words, position=None, group=("main", "s")):
    return Page(key, group, key if position is None else position, words.split())


def by_key(index, tokens, keys):
    words, context = index.scores(tokens, np.array(keys, np.int64))
    return {key: (words[n], context[n]) for n, key in enumerate(keys)}


def test_nothing_held_and_nothing_asked_score_nought():
    assert by_key(WordIndex(), ["a"], [1]) == {1: (0.0, 0.0)}
    assert by_key(WordIndex([page(1, "a b")]), [], [1]) == {1: (0.0, 0.0)}


def test_every_word_once_in_a_row_of_average_length_is_one():
    index = WordIndex([page(1, "a b", group=None), page(2, "c d", group=None)])
    scores = by_key(index, ["a", "b"], [1, 2])
    assert scores[1] == pytest.approx((1.0, 1.0))
    assert scores[2] == (0.0, 0.0)


def test_words_equal_the_definition_of_bm25():
    texts = {1: "a a b", 2: "a c", 3: "b b b d e f"}
    index = WordIndex(page(key, words, group=None) for key, words in texts.items())
    mean = sum(len(words.split()) for words in texts.values()) / 3

    def idf(word):
        held = sum(word in words.split() for words in texts.values())
        return math.log((1024 - held + 0.5) / (held + 0.5))

    for key, words in texts.items():
        said = words.split()
        norm = 1.2 * (0.25 + 0.75 * len(said) / mean)
        total = sum(
            idf(word) * said.count(word) * 2.2 / (said.count(word) + norm) for word in "abz"
        )
        expected = total / sum(idf(word) for word in "abz")
        assert by_key(index, ["a", "b", "z"], [key])[key][0] == pytest.approx(expected)


def test_context_reaches_two_back_and_one_ahead_inside_a_conversation():
    pages = [page(n, "x" if n == 3 else "filler") for n in range(1, 7)]
    index = WordIndex([*pages, page(9, "filler", group=("main", "other"))])
    scores = by_key(index, ["x"], [1, 2, 3, 4, 5, 6, 9])
    assert [key for key, (_, context) in scores.items() if context > 0] == [2, 3, 4, 5]
    assert [key for key, (words, _) in scores.items() if words > 0] == [3]


def test_neighbours_follow_position_not_key():
    index = WordIndex([page(1, "x", 5), page(2, "y", 4), page(3, "z", 9)])
    assert by_key(index, ["x"], [2])[2][1] > 0


def test_rows_without_a_conversation_stand_alone():
    index = WordIndex([page(1, "x", group=None), page(2, "y", group=None)])
    assert by_key(index, ["x"], [2])[2] == (0.0, 0.0)


def test_a_word_asked_twice_counts_once():
    index = WordIndex([page(1, "a b"), page(2, "c")])
    assert by_key(index, ["a", "a"], [1]) == by_key(index, ["a"], [1])


def test_a_replaced_row_answers_to_its_new_words_only():
    index = WordIndex([page(1, "old"), page(2, "other")])
    index.put([page(1, "new")])
    assert by_key(index, ["old"], [1, 2]) == {1: (0.0, 0.0), 2: (0.0, 0.0)}
    assert by_key(index, ["new"], [1])[1][0] > 0


CHANGES = st.lists(
    st.tuples(
        st.integers(1, 8),
        st.one_of(
            st.none(),
            st.tuples(
                st.text("abc ", max_size=6), st.integers(0, 5), st.sampled_from([None, "s", "t"])
            ),
        ),
    ),
    max_size=40,
)


@given(CHANGES)
def test_any_changes_leave_what_a_fresh_index_of_the_same_rows_holds(changes):
    index, held = WordIndex(), {}
    for key, row in changes:
        if row is None:
            held.pop(key, None)
            index.drop([key])
        else:
            text, position, session = row
            held[key] = page(key, text, position, session and ("main", session))
            index.put([held[key]])
        index.scores(["a"], np.array([key]))
    keys = np.arange(1, 9)
    fresh = WordIndex(held.values())
    assert len(index) == len(held)
    for asked in (["a"], ["a", "b", "z"]):
        for mine, theirs in zip(index.scores(asked, keys), fresh.scores(asked, keys), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_many_rows_come_and_go_without_growing():
    index = WordIndex()
    for start in range(0, 10_000, 100):
        index.put(page(key, "a b") for key in range(start, start + 100))
        index.drop(range(start, start + 100))
    assert len(index) == 0
    assert index._top < 1000
