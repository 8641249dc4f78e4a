"""The values between layers: immutable, with stored numbers that never move."""

import inspect

import msgspec
import pytest

from scrubjay.base import trace

STORED = {
    "Kind": {
        "TURN": 1,
        "TOOL_RESULT": 2,
        "EPISODE": 3,
        "BELIEF": 4,
        "SKILL": 5,
        "INTENTION": 6,
        "NOTE": 7,
    },
    "Category": {"TELEMETRY": 0, "DIALOGUE": 1, "FACT": 2, "INVARIANT": 3, "SKILL": 4},
    "State": {"HOT": 0, "ARCHIVED": 1, "PENDING": 2, "SUPERSEDED": 3},
    "Modality": {
        "TEXTUAL": "textual",
        "AUDITORY": "auditory",
        "VISUAL": "visual",
        "STRUCTURED": "structured",
    },
    "Precision": {
        "INSTANT": "instant",
        "DAY": "day",
        "MONTH": "month",
        "YEAR": "year",
        "UNKNOWN": "unknown",
    },
}

STRUCTS = [
    value
    for name in trace.__all__
    if inspect.isclass(value := getattr(trace, name)) and issubclass(value, msgspec.Struct)
]


@pytest.mark.parametrize(("name", "members"), list(STORED.items()))
def test_stored_values_are_what_they_were(name, members):
    assert members == {member.name: member.value for member in getattr(trace, name)}


@pytest.mark.parametrize("struct", STRUCTS)
def test_values_are_immutable_and_named(struct):
    assert struct.__struct_config__.frozen
    kinds = {item.kind for item in inspect.signature(struct).parameters.values()}
    assert {inspect.Parameter.KEYWORD_ONLY} == kinds


def test_observation_needs_nothing_but_its_content():
    seen = trace.Observation(content="The kettle is on.")
    assert ("user", "textual", None) == (seen.role, seen.modality, seen.event_us)


def test_default_search_sees_what_is_hot():
    assert (trace.State.HOT,) == trace.RowFilter().states


def test_values_survive_json():
    call = trace.ToolCall(call_id="c1", name="tail_log", arguments='{"file":"mailer.log"}')
    seen = trace.Observation(content="", tool_calls=(call,))
    assert seen == msgspec.json.decode(msgspec.json.encode(seen), type=trace.Observation)
