"""When two names are one, and which predicates hold one value."""

import pytest

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.systems.semantic.terms import (
    MAX_TERM_CHARS,
    check_term,
    is_functional,
)


def test_a_declaration_wins_over_the_default():
    assert [True, False, True, False] == [
        is_functional("lives in", {}),
        is_functional("lives_in", {"lives_in": False}),
        is_functional("prefers:weekly report", {}),
        is_functional("prefers", {}),
    ]


def test_t9_a_name_of_nine_kilobytes_is_refused():
    with pytest.raises(InvalidArgumentError, match="9216 characters"):
        check_term("remember", "subject", "x" * 9216)


@pytest.mark.parametrize("value", ["", "   ", "a\0b", "x" * (MAX_TERM_CHARS + 1)])
def test_what_is_no_name_is_refused(value):
    with pytest.raises(InvalidArgumentError, match="check: subject is not a name"):
        check_term("check", "subject", value)


def test_another_type_is_refused():
    with pytest.raises(ArgumentTypeError, match="got int"):
        check_term("check", "subject", 3)
