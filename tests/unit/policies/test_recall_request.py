"""Requests are refused before anything is read; scopes are taken literally."""

import pytest

from scrubjay.base.errors import InvalidArgumentError, UnitError
from scrubjay.base.trace import State
from scrubjay.policies.recall.request import Cursor, RecallRequest, checked
from scrubjay.policies.recall.scopes import reach_of

SCOPES = {"org": 1, "org/a": 2, "org/a/x": 3, "org/ab": 4, "*": 5, "%": 6}


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_below_one_is_a_value_error(k):
    with pytest.raises(UnitError, match=rf"recall: k is out of range, got {k}, expected"):
        checked(RecallRequest(query="x", k=k))


@pytest.mark.parametrize("query", ["", "  ", "\n\t"])
def test_a_blank_question_is_refused(query):
    with pytest.raises(InvalidArgumentError, match="query is empty"):
        checked(RecallRequest(query=query))


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_bound_that_is_no_number_is_refused(score):
    with pytest.raises(UnitError, match="min_score"):
        checked(RecallRequest(query="x", min_score=score))


@pytest.mark.parametrize("names", [{"scope": ("",)}, {"under": ("a", "")}])
def test_an_empty_scope_name_never_widens(names):
    with pytest.raises(InvalidArgumentError, match="scope name is empty"):
        checked(RecallRequest(query="x", **names))


@pytest.mark.parametrize(
    "text", ["", "7", "a:b", "7:-1", "7:1:2", "-99999999999999999999:5", "٣:٤", "5:9" + "9" * 5000]
)
def test_a_false_cursor_is_refused(text):
    with pytest.raises(InvalidArgumentError, match="not a cursor"):
        Cursor.parse(text)


@pytest.mark.parametrize(
    ("names", "ids", "unknown"),
    [
        ({}, None, ()),
        ({"scope": ("org/a",)}, (2,), ()),
        ({"under": ("org/a",)}, (2, 3), ()),
        ({"under": ("org",)}, (1, 2, 3, 4), ()),
        ({"scope": ("org/ab",), "under": ("org/a",)}, (2, 3, 4), ()),
        ({"scope": ("*",)}, (5,), ()),
        ({"under": ("%",)}, (6,), ()),
        ({"scope": ("nowhere", "org")}, (1,), ("nowhere",)),
        ({"under": ("or",)}, (), ("or",)),
        ({"scope": ()}, (), ()),
    ],
)
def test_scopes_resolve_to_exactly_what_was_asked(names, ids, unknown):
    reach = reach_of(RecallRequest(query="x", **names), SCOPES)
    assert ids == reach.where.scope_ids
    assert unknown == reach.unknown


def test_only_a_question_about_an_instant_sees_superseded_beliefs():
    assert reach_of(RecallRequest(query="x"), {}).where.states == (State.HOT,)
    past = reach_of(RecallRequest(query="x", as_of_us=5), {})
    assert State.SUPERSEDED in past.where.states


def test_the_event_window_ends_where_the_first_bound_says():
    assert RecallRequest(query="x").event_end_us is None
    assert RecallRequest(query="x", event_to_us=9, as_of_us=4).event_end_us == 5
    assert RecallRequest(query="x", event_to_us=3, as_of_us=4).event_end_us == 3
