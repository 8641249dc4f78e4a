"""English word forms meet in one stem; everything else passes unchanged."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.stems import STOP_WORDS, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("paint", "paints", "painted", "painting"),
        ("study", "studies", "studied", "studying"),
        ("plan", "plans", "planned", "planning"),
        ("make", "makes", "made", "making"),
        ("go", "goes", "went", "gone", "going"),
        ("box", "boxes"),
        ("child", "children"),
        ("class", "classes"),
        ("quick", "quickly"),
    ],
)
def test_forms_of_one_word_share_a_stem(forms):
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("bus", "bu"), ("glass", "glas"), ("sing", "s"), ("red", "r"), ("painter", "paint")],
)
def test_different_words_stay_apart(one, other):
    assert stem(one) != stem(other)


@given(st.text(alphabet=string.ascii_lowercase, min_size=1, max_size=30))
def test_a_stem_is_never_empty_nor_longer_than_its_word_by_much(word):
    assert 1 <= len(stem(word)) <= len(word) + 3


@pytest.mark.parametrize("word", ["straße", "книгу", "a17", "c++", "order_id"])
def test_words_of_other_letters_pass_unchanged(word):
    assert stem(word) == word


def test_stop_words_are_lower_case_words():
    assert all(word == word.lower() and word.strip() for word in STOP_WORDS)
