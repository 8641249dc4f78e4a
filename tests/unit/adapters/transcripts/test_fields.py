import msgspec
import pytest

from scrubjay.adapters.transcripts.fields import (
    CallNames,
    FunctionLine,
    MalformedError,
    Part,
    ToolCallLine,
    check_text,
    decode_reason,
    json_text,
    moment_of,
    name_of,
    role_of,
    text_of_parts,
    tool_calls_of,
)
from scrubjay.base.limits import MAX_CONTENT_BYTES, MAX_NAME_CHARS
from scrubjay.base.provenance import Role
from scrubjay.base.trace import ToolCall


def test_names_are_bounded_as_everywhere():
    name_of("a name", "x" * MAX_NAME_CHARS)
    with pytest.raises(MalformedError):
        name_of("a name", "x" * (MAX_NAME_CHARS + 1))


def test_roles_of_every_api_are_known_and_others_refused():
    known = {"developer": Role.SYSTEM, "function": Role.TOOL, "human": Role.USER}
    assert known == {name: role_of(name) for name in known}
    for name in ("", "User", "moderator"):
        with pytest.raises(MalformedError, match="unknown role"):
            role_of(name)


def test_text_that_a_memory_cannot_hold_is_malformed():
    assert "é" * 1000 == check_text("é" * 1000)
    assert "x" * MAX_CONTENT_BYTES == check_text("x" * MAX_CONTENT_BYTES)
    for text in (
        "a\0b",
        "\ud800",
        "x" * (MAX_CONTENT_BYTES + 1),
        "é" * (MAX_CONTENT_BYTES // 2 + 1),
    ):
        with pytest.raises(MalformedError):
            check_text(text)


def test_the_first_name_that_is_there_is_taken():
    assert "7" == name_of("an id", None, "", 7, "other")
    assert "" == name_of("an id", None, "")
    with pytest.raises(MalformedError):
        name_of("an id", "  ")


def test_a_time_before_1970_is_malformed_and_none_is_none():
    assert moment_of(None, None) is None
    assert 1_000_000 == moment_of(None, 1.0, 2.0).us
    for value in (-1, "1969-12-31T23:59:59Z", "soon"):
        with pytest.raises(MalformedError):
            moment_of(value)


def test_parts_without_text_are_shown_by_a_placeholder():
    parts = msgspec.json.decode(
        b"""["plain", null, {"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}},
            {"type": "output_text", "text": {"value": "b"}}, {"type": "refusal", "refusal": "no"},
            {"type": "thinking", "thinking": "hm"}, {"content_type": "image_asset_pointer"},
            {"type": "input_audio"}, {"type": "hologram"}, {}]""",
        type=list[str | Part | None],
    )
    expected = "plain a [image] b no [image] [audio] [hologram] [part]"
    assert expected.replace(" ", "\n") == text_of_parts(parts)


def test_arguments_stay_the_text_that_was_sent():
    assert '{"a":  1}' == json_text(msgspec.Raw(b'"{\\"a\\":  1}"'))
    assert '{"a":  1}' == json_text(msgspec.Raw(b'{"a":  1}'))
    assert "not json" == json_text(msgspec.Raw(b'"not json"'))
    assert ["{}"] * 2 == [json_text(msgspec.Raw(raw)) for raw in (b"null", b'""')]


def test_calls_are_read_with_the_single_call_of_older_logs():
    line = ToolCallLine(function=FunctionLine(name="ls"), id="c1")
    calls = tool_calls_of([line], FunctionLine(name="cat", arguments=msgspec.Raw(b'"{}"')))
    assert (("c1", "ls"), ("", "cat")) == tuple((call.call_id, call.name) for call in calls)
    assert () == tool_calls_of(None)


def test_names_of_calls_are_remembered_within_bounds():
    names = CallNames()
    names.learn(tuple(ToolCall(call_id=str(n), name=f"t{n}", arguments="") for n in range(10_001)))
    assert ("", "t1", "t10000", "") == (
        names.of("0"),
        names.of("1"),
        names.of("10000"),
        names.of("x"),
    )


def test_a_reason_never_quotes_content():
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(b'{"secret')
    assert decode_reason(caught.value).startswith("not JSON: ")
    assert "secret" not in decode_reason(caught.value)
    assert "JSON nested too deeply" == decode_reason(RecursionError())
    assert "as it is" == decode_reason(MalformedError("as it is"))
