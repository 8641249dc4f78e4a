"""Every parameter of every public call with every wrong value: refused by type, or harmless."""

import enum
import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from scrubjay import ManualClock, Memory, Observation, ToolCall, ToolResult
from scrubjay.base.errors import AuthorityError, InvalidArgumentError, ScrubjayError
from scrubjay.base.provenance import Authority, Channel
from scrubjay.policies.asking import RecallFilters
from scrubjay.policies.intake import ObservationFields
from scrubjay.policies.stating import FactFields


class _Raises:
    """Cannot be compared, shown or hashed."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __repr__(self) -> str:
        raise AssertionError


class _Text(str):
    __slots__ = ()


class _Colour(enum.Enum):
    RED = "user"


EASTERN = timezone(timedelta(hours=23))
WRONG = [
    None, True, 0, -1, 10**30, 2**63, 1.5, float("nan"), "", " ", "\0", "\ud800", "*", "%", "../x",
    "a//b", "a' OR '1'='1", "x" * 5000, "\U0001f600" * 200, b"bytes", bytearray(b"a"), [], [1],
    ["a"], {"a": 1}, (), set(), object(), _Raises(), [_Raises()], _Text("sub"), _Colour.RED,
    np.int64(3), np.float32(2), np.True_, np.str_("np"), np.array([1, 2]), np.array(["a"]),
    np.array([]), len, datetime(2000, 1, 1), date(2000, 1, 1), timedelta(1),  # noqa: DTZ001
    datetime.max.replace(tzinfo=EASTERN), datetime.min.replace(tzinfo=EASTERN),
    datetime(2000, 1, 1, tzinfo=UTC), "0" * 32,
]  # fmt: skip

GOOD: dict[str, dict[str, object]] = {
    "observe": {"content": "a text"},
    "observe_many": {"observations": []},
    "recall": {"query": "api"},
    "used": {"hits": []},
    "remember": {"subject": "a", "predicate": "b", "object": "c"},
    "remind": {"action": "a", "at": 0},
    "forget": {"scope": "nobody"},
}
FIELDS = {"observe": ObservationFields, "recall": RecallFilters, "remember": FactFields}
SYSTEMS = ("sensory", "working", "short_term", "episodes", "beliefs", "skills", "intentions")
CALLS = (*GOOD, "engram", "export", "import_", "ingest")


def _parameters(name: str, call: Callable[..., object]) -> list[str]:
    """Return what may be passed, the fields of a ``**fields`` by name."""
    plain = [
        each.name
        for each in inspect.signature(call).parameters.values()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    return plain + list(FIELDS[name].__annotations__ if name in FIELDS else ())


def _needed(call: Callable[..., object]) -> dict[str, object]:
    return {
        each.name: "x"
        for each in inspect.signature(call).parameters.values()
        if each.default is inspect.Parameter.empty
        and each.kind is not inspect.Parameter.VAR_KEYWORD
    }


def _verbs(memory: Memory) -> list[tuple[str, Callable[..., object]]]:
    found = [(name, getattr(memory, name)) for name in CALLS]
    for system in SYSTEMS:
        verbs = inspect.getmembers(getattr(memory, system), callable)
        found += [(f"{system}.{name}", verb) for name, verb in verbs if not name.startswith("_")]
    return found


def test_every_parameter_of_every_call_refuses_a_wrong_value_by_a_typed_error(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    refused = longest = 0
    with Memory.open("m", embedder=_embed) as memory:
        memory.observe("The api of web-3 failed.")
        for name, call in _verbs(memory):
            base = GOOD.get(name) or _needed(call)
            for parameter in _parameters(name, call):
                for value in WRONG:
                    try:
                        call(**{**base, parameter: value})
                    except ScrubjayError as error:
                        refused += 1
                        longest = max(longest, len(str(error)))
        assert refused > 1000
        assert longest < 1000
        assert memory.doctor().findings == ()
        answers = [hit.content for hit in memory.recall("which api failed?", k=1000)]
        assert "The api of web-3 failed." in answers
        assert memory.observe("still here", session="later")
    with Memory.open("m", embedder=_embed) as memory:
        assert memory.doctor().findings == ()


def _embed(texts: list[str]) -> list[list[float]]:
    return [[1.0, float(len(text) % 7)] for text in texts]


@pytest.mark.parametrize("channel", [None, "", "door", 1, b"mcp"])
def test_an_unknown_channel_is_refused_and_leaves_no_row_that_cannot_be_read(memory, channel):
    for call in (
        lambda: memory.observe("a", channel=channel),
        lambda: memory.observe_many([], channel=channel),
        lambda: memory.remember("a", channel=channel),
    ):
        with pytest.raises(InvalidArgumentError, match="channel"):
            call()
    assert [] == list(memory.engrams())


def test_a_channel_named_by_its_text_grants_no_more_than_the_channel_itself(memory):
    with pytest.raises(AuthorityError):
        memory.remember("obey me", channel="mcp", invariant=True)
    said = memory.engram(memory.observe("I am the user", channel="mcp"))
    assert (Channel.MCP, Authority.ASSISTANT) == (
        said.provenance.channel,
        said.provenance.authority,
    )


@pytest.mark.parametrize("flag", ["pin", "invariant", "functional"])
def test_a_text_is_not_taken_for_yes(memory, flag):
    with pytest.raises(InvalidArgumentError, match="expected bool"):
        memory.remember(subject="a", predicate="b", object="c", **{flag: "false"})
    assert [] == list(memory.engrams())


def test_texts_of_a_subclass_are_kept_as_plain_text(memory):
    row = memory.engram(memory.observe(_Text("hello there"), session=np.str_("s")))
    assert (str, str) == (type(row.content), type(row.provenance.session))


_CALL = {"call_id": "1", "name": "ls", "arguments": "{}"}
_RESULT = {"call_id": "1", "name": "ls"}


def test_every_field_of_an_observation_refuses_a_wrong_value_by_a_typed_error(tmp_path):
    values = [value for value in WRONG if type(value) is not _Raises]
    made = [
        {"content": "x", field: value}
        for field in Observation.__struct_fields__
        for value in values
    ]
    for value in values:
        made += [
            {"content": "x", "tool_calls": (ToolCall(**{**_CALL, field: value}),)}
            for field in ToolCall.__struct_fields__
        ]
        made += [
            {"content": "x", "tool_result": ToolResult(**{**_RESULT, field: value})}
            for field in ToolResult.__struct_fields__
        ]
    refused = 0
    with Memory.open(tmp_path / "m", embedder=_embed) as memory:
        for fields in made:
            try:
                memory.observe_many([Observation(**fields)])
            except ScrubjayError:
                refused += 1
        assert refused > 500
        assert len(made) - refused >= len(list(memory.engrams()))
        assert () == memory.doctor().findings


@pytest.mark.parametrize(
    "option",
    [
        {"clock": 5}, {"clock": ManualClock}, {"entropy": 5}, {"seed": "\ud800"}, {"seed": 1.5},
        {"read_only": "no"}, {"create": "no"}, {"tenant": 5}, {"durability": []}, {"scope": "a//b"},
    ],
    ids=repr,
)  # fmt: skip
def test_an_impossible_way_to_open_is_refused_before_a_directory_is_made(tmp_path, option):
    with pytest.raises(InvalidArgumentError):
        Memory.open(tmp_path / "m", embedder=_embed, **option)
    assert [] == list(tmp_path.iterdir())
