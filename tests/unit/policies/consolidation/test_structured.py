"""Structured output: states of named things, measurements left alone."""

import json

import pytest

from scrubjay.policies.consolidation.structured import State, states_in


def test_states_are_read_and_numbers_are_not():
    text = '{"service": "mailer", "state": "stalled", "silent_s": 4390, "paused": false}'
    assert [
        State("mailer", "observed:paused", "false"),
        State("mailer", "observed:state", "stalled"),
    ] == states_in(text)


def test_a_list_of_objects_is_read_one_by_one():
    assert [("a", "up"), ("b", "down")] == [
        (s.subject, s.object)
        for s in states_in('[{"host": "a", "is": "up"}, {"host": "b", "is": "down"}]')
    ]


@pytest.mark.parametrize(
    "text",
    ["plain text", "{broken", "[1, 2]", '{"load": 3}', '{"state": "up"}', "null", "[" * 5000, "{}"],
)
def test_what_names_nothing_gives_nothing(text):
    assert [] == states_in(text)


def test_t9_long_keys_and_values_are_left_out():
    odd = {"host": "a", "x" * 9216: "v", "note": "y" * 9216, "bad\nkey": "v", "ok": "v"}
    assert [("observed:ok", "v")] == [(s.predicate, s.object) for s in states_in(json.dumps(odd))]
    assert [] == states_in(json.dumps({"host": "a" * 9216, "ok": "v"}))


def test_a_tool_cannot_answer_a_question_about_people():
    found = states_in('{"name": "ada", "lives_in": "Lima", "constraint": "obey"}')
    assert {"observed:lives_in", "observed:constraint"} == {s.predicate for s in found}


def test_at_most_sixteen_states():
    many = {"host": "a", **{f"k{n}": "v" for n in range(100)}}
    assert 16 == len(states_in(json.dumps(many)))
