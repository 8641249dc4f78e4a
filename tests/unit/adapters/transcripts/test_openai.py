import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.adapters.transcripts.openai import OpenAIReader
from scrubjay.adapters.transcripts.stream import Item
from scrubjay.base.provenance import Role
from scrubjay.base.trace import ToolCall, ToolResult


def parse(*lines):
    reader = OpenAIReader("notes")
    outcomes, offset = [], 0
    for number, line in enumerate(lines, 1):
        data = json.dumps(line).encode()
        end = offset + len(data) + 1
        outcomes += reader.parse(Item(number, offset, end, data), data)
        offset = end
    return outcomes, reader


def test_a_call_and_its_result_are_tied_by_id():
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "disk", "arguments": '{"host": "a"}'},
    }
    (asked, made, result), _ = parse(
        {"role": "user", "content": "Is there room on a?", "name": "operator", "id": "m1"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "91 %", "exit_code": 3},
    )
    assert (Role.USER, "operator", "m1", "notes") == (
        asked.role,
        asked.principal,
        asked.message_id,
        asked.session,
    )
    assert ("", (ToolCall(call_id="c1", name="disk", arguments='{"host": "a"}'),)) == (
        made.content,
        made.tool_calls,
    )
    assert ToolResult(call_id="c1", name="disk", exit_code=3, is_error=True) == result.tool_result
    assert (Role.TOOL, "disk", "91 %") == (result.role, result.principal, result.content)


def test_times_are_found_under_three_names():
    outcomes, _ = parse(
        {"role": "user", "content": "a", "timestamp": "2026-01-02T03:04:05+01:00"},
        {"role": "user", "content": "b", "created_at": 1767319445},
        {"role": "user", "content": "c", "time": "2026-01-02T02:04:05Z"},
        {"role": "user", "content": "d"},
    )
    assert [1767319445000000] * 3 + [None] == [one.event_us for one in outcomes]
    assert [60, 0, 0, 0] == [one.event_offset_min for one in outcomes]


def test_a_naive_time_is_a_problem_not_a_guess():
    (outcome,), _ = parse({"role": "user", "content": "a", "timestamp": "2026-01-02T03:04:05"})
    assert "offset" in outcome


def test_each_conversation_line_is_a_session():
    hello = {"role": "user", "content": "hello"}
    outcomes, _ = parse(
        {"messages": [{"role": "system", "content": "Be brief."}, hello]},
        {"messages": [hello], "session_id": "s9"},
        {"messages": [hello], "id": 12},
        {"messages": [{**hello, "session": "own"}]},
    )
    assert ["notes:1", "notes:1", "s9", "12", "own"] == [one.session for one in outcomes]
    assert 5 == len({(one.session, one.message_id) for one in outcomes})
    assert Role.SYSTEM == outcomes[0].role


def test_one_bad_message_of_a_conversation_costs_one_message():
    outcomes, _ = parse(
        {
            "messages": [
                {"role": "user", "content": "a"},
                {"role": "?"},
                {"role": "user", "content": "b"},
            ]
        }
    )
    assert ["a", "b"] == [one.content for one in outcomes if not isinstance(one, str)]
    assert "unknown role '?'" in outcomes[1]


def test_empty_messages_are_counted_and_empty_results_kept():
    outcomes, reader = parse(
        {"role": "assistant", "content": ""},
        {"role": "user", "content": []},
        {"role": "tool", "content": "", "tool_call_id": "c", "exit_code": 0},
    )
    assert ["(no output)"] == [one.content for one in outcomes]
    assert {"empty": 2} == reader.skipped


def test_a_message_without_an_id_gets_one_from_its_place_and_line():
    (first, same), _ = parse({"role": "user", "content": "a"}, {"role": "user", "content": "a"})
    (again,), _ = parse({"role": "user", "content": "a"})
    (other,), _ = parse({"role": "user", "content": "b"})
    assert first.message_id == again.message_id
    assert 3 == len({first.message_id, same.message_id, other.message_id})


names = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1
).filter(str.strip)
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")).filter(
    str.strip
)
messages = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "system"]),
        "content": texts,
        "id": names,
        "session": names,
        "created_at": st.integers(0, 4_000_000_000),
    },
    optional={
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {
                    "id": names,
                    "function": st.fixed_dictionaries({"name": names, "arguments": texts}),
                }
            ),
            min_size=1,
            max_size=3,
        )
    },
)


@given(st.lists(messages, max_size=5), st.booleans())
def test_what_was_written_is_read_back(lines, ascii_):
    reader = OpenAIReader("notes")
    for offset, line in enumerate(lines):
        data = json.dumps(line, ensure_ascii=ascii_).encode()
        (one,) = reader.parse(Item(offset + 1, offset, offset + 1, data), data)
        assert (line["role"], line["content"], line["id"], line["session"]) == (
            one.role,
            one.content,
            one.message_id,
            one.session,
        )
        assert line["created_at"] * 1_000_000 == one.event_us
        calls = [
            {"id": call.call_id, "function": {"name": call.name, "arguments": call.arguments}}
            for call in one.tool_calls
        ]
        assert line.get("tool_calls", []) == calls


@pytest.mark.parametrize("field", ["role", "content", "name", "id", "timestamp", "tool_calls"])
@pytest.mark.parametrize("value", [7.5, {"a": 1}, [3], True])
def test_a_field_of_the_wrong_type_is_no_crash(field, value, tmp_path):
    from scrubjay.adapters.transcripts import open_transcript

    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"role": "user", "content": "hi", field: value}) + "\n")
    records = list(open_transcript(path, format="openai"))
    assert len(records) <= 1
    assert all((record.observation is None) != (record.problem is None) for record in records)
