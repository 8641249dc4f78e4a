"""The door: checks that every public call shares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, UnitError
from scrubjay.policies import door


@given(st.text())
def test_content_is_kept_to_the_letter_or_refused(text):
    try:
        assert text == door.check_content("t", text)
    except InvalidArgumentError:
        assert not text.strip() or "\0" in text or any("\ud800" <= c <= "\udfff" for c in text)


@given(st.text(st.characters(), min_size=1))
def test_a_query_is_never_refused_for_its_characters(text):
    try:
        checked = door.check_query("t", text)
    except InvalidArgumentError:
        assert not text.replace("\0", " ").strip()
    else:
        checked.encode()
        assert "\0" not in checked


@pytest.mark.parametrize("name", ["*", "%", "a' OR '1'='1", "..", "a b", "ключ", "🦜"])
def test_i14_names_are_taken_literally(name):
    assert name == door.check_scope("t", name)


@pytest.mark.parametrize("path", ["", "/", "a/", "/a", "a//b", " ", "x" * 501])
def test_i14_paths_with_holes_are_refused(path):
    with pytest.raises(InvalidArgumentError, match="scope"):
        door.check_scope("t", path)


def test_numbers_are_numbers_and_flags_are_not():
    assert 0.5 == door.check_fraction("t", "x", 0.5)
    for bad, error in ((True, ArgumentTypeError), ("1", ArgumentTypeError), (-0.1, UnitError)):
        with pytest.raises(error, match="x"):
            door.check_fraction("t", "x", bad)
    with pytest.raises(ArgumentTypeError, match="n"):
        door.check_count("t", "n", 1.0, at_least=0, at_most=2)


def test_an_unknown_member_is_answered_with_all_known_ones():
    with pytest.raises(InvalidArgumentError, match="red, green"):
        door.check_member("t", "colour", "blue", ["red", "green"])


def test_a_text_is_not_a_list_of_its_letters():
    with pytest.raises(ArgumentTypeError, match="iterable"):
        door.check_listed("t", "ids", "abc")
