"""Every public call with impossible input: a typed error that says what to do, nothing changed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay import Memory, Observation
from scrubjay.base.clock import DAY_US, MAX_US
from scrubjay.base.errors import (
    ArgumentTypeError,
    AuthorityError,
    ClockError,
    ClosedError,
    InvalidArgumentError,
    NotFoundError,
    ScrubjayError,
    StorageError,
    TranscriptError,
    UnitError,
)
from scrubjay.base.provenance import Channel

BIG = "x" * (50 * 1024 * 1024)
NAIVE = datetime(2000, 1, 1)  # noqa: DTZ001 - a naive time is what is being refused

Call = Callable[[Memory], object]

CALLS: dict[str, tuple[Call, type[ScrubjayError], str]] = {
    "observe: bytes": (lambda m: m.observe(b"x"), ArgumentTypeError, "expected str"),
    "observe: None": (lambda m: m.observe(None), ArgumentTypeError, "expected str"),
    "observe: empty": (lambda m: m.observe(""), InvalidArgumentError, "empty"),
    "observe: blank": (lambda m: m.observe(" \n\t"), InvalidArgumentError, "empty"),
    "observe: 50 MB": (lambda m: m.observe(BIG), InvalidArgumentError, "too long"),
    "observe: 2 MB of three-byte characters": (
        lambda m: m.observe("猫" * 700_000),
        InvalidArgumentError,
        "too long",
    ),
    "observe: lone surrogate": (lambda m: m.observe("a\ud800"), InvalidArgumentError, "surrogate"),
    "observe: NUL": (lambda m: m.observe("a\0b"), InvalidArgumentError, "NUL"),
    "observe: role": (lambda m: m.observe("x", role="wizard"), InvalidArgumentError, "unknown"),
    "observe: modality": (
        lambda m: m.observe("x", modality="smell"),
        InvalidArgumentError,
        "unknown modality",
    ),
    "observe: empty session": (
        lambda m: m.observe("x", session=""),
        InvalidArgumentError,
        "session",
    ),
    "observe: session type": (lambda m: m.observe("x", session=3), ArgumentTypeError, "session"),
    "observe: scope hole": (lambda m: m.observe("x", scope="a//b"), InvalidArgumentError, "empty"),
    "observe: scope type": (lambda m: m.observe("x", scope=7), ArgumentTypeError, "scope"),
    "observe: naive time": (lambda m: m.observe("x", event_time=NAIVE), ClockError, "time zone"),
    "observe: negative time": (lambda m: m.observe("x", event_time=-1), ClockError, "1970"),
    "observe: future time": (
        lambda m: m.observe("x", event_time=datetime(2001, 1, 1, tzinfo=UTC)),
        ClockError,
        "future",
    ),
    "observe: time type": (
        lambda m: m.observe("x", event_time="yesterday"),
        ArgumentTypeError,
        "microseconds",
    ),
    "observe: bool time": (lambda m: m.observe("x", event_time=True), ArgumentTypeError, "int"),
    "observe: tool call type": (
        lambda m: m.observe("x", tool_calls=[{"name": "ls"}]),
        ArgumentTypeError,
        "ToolCall",
    ),
    "observe: tool result type": (
        lambda m: m.observe("x", tool_result="ok"),
        ArgumentTypeError,
        "ToolResult",
    ),
    "observe_many: not observations": (
        lambda m: m.observe_many(["x"]),
        ArgumentTypeError,
        "item 0",
    ),
    "observe_many: second item empty": (
        lambda m: m.observe_many([Observation(content="fine"), Observation(content="")]),
        InvalidArgumentError,
        "item 1",
    ),
    "observe_many: position": (
        lambda m: m.observe_many([Observation(content="x", position=-1)]),
        InvalidArgumentError,
        "position",
    ),
    "observe_many: not iterable": (lambda m: m.observe_many(5), ArgumentTypeError, "iterable"),
    "recall: type": (lambda m: m.recall(5), ArgumentTypeError, "expected str"),
    "recall: empty": (lambda m: m.recall(""), InvalidArgumentError, "empty"),
    "recall: only NUL": (lambda m: m.recall("\0"), InvalidArgumentError, "empty"),
    "recall: 50 MB": (lambda m: m.recall(BIG), InvalidArgumentError, "too long"),
    "recall: k = 0": (lambda m: m.recall("x", 0), UnitError, "expected 1"),
    "recall: k type": (lambda m: m.recall("x", 2.5), ArgumentTypeError, "int"),
    "recall: k bool": (lambda m: m.recall("x", k=True), ArgumentTypeError, "int"),
    "recall: empty prefix": (lambda m: m.recall("x", under=""), InvalidArgumentError, "scope"),
    "recall: scope type": (lambda m: m.recall("x", scope=[3]), ArgumentTypeError, "scope"),
    "recall: kind": (
        lambda m: m.recall("x", kinds=["dream"]),
        InvalidArgumentError,
        "unknown kind",
    ),
    "recall: kinds type": (lambda m: m.recall("x", kinds=3), ArgumentTypeError, "kinds"),
    "recall: naive since": (lambda m: m.recall("x", since=NAIVE), ClockError, "time zone"),
    "recall: until before since": (lambda m: m.recall("x", since=5, until=4), ClockError, "until"),
    "recall: min_score": (lambda m: m.recall("x", min_score=1.5), UnitError, "min_score"),
    "recall: weights": (lambda m: m.recall("x", weights=(1, 0)), ArgumentTypeError, "Weights"),
    "recall: unknown argument": (
        lambda m: m.recall("x", limit=3),
        ArgumentTypeError,
        "limit",
    ),
    "observe: unknown argument": (
        lambda m: m.observe("x", user="ada"),
        ArgumentTypeError,
        "principal",
    ),
    "remember: unknown argument": (
        lambda m: m.remember("x", pinned=True),
        ArgumentTypeError,
        "pin",
    ),
    "recall: cursor": (lambda m: m.recall("x", cursor="?"), InvalidArgumentError, "cursor"),
    "used: unknown id": (lambda m: m.used([b"\0" * 16]), NotFoundError, "got"),
    "used: type": (lambda m: m.used([5]), InvalidArgumentError, "id"),
    "remember: nothing": (lambda m: m.remember(), InvalidArgumentError, "nothing"),
    "remember: empty": (lambda m: m.remember(""), InvalidArgumentError, "empty"),
    "remember: half a triple": (
        lambda m: m.remember(subject="a", predicate="b"),
        InvalidArgumentError,
        "all three",
    ),
    "remember: empty object": (
        lambda m: m.remember(subject="a", predicate="b", object=""),
        InvalidArgumentError,
        "all three",
    ),
    "remember: 9 KB subject (T9)": (
        lambda m: m.remember(subject="a" * 9000, predicate="b", object="c"),
        InvalidArgumentError,
        "subject",
    ),
    "remember: confidence": (
        lambda m: m.remember("x", confidence=1.5),
        UnitError,
        "confidence",
    ),
    "remember: NaN confidence": (
        lambda m: m.remember("x", confidence=float("nan")),
        UnitError,
        "confidence",
    ),
    "remember: ends before it starts": (
        lambda m: m.remember(subject="a", predicate="b", object="c", valid_from=10, valid_to=10),
        ClockError,
        "valid_to",
    ),
    "remember: validity without a fact": (
        lambda m: m.remember("x", valid_from=10),
        InvalidArgumentError,
        "subject",
    ),
    "remember: invariant from a tool": (
        lambda m: m.remember("x", invariant=True, role="tool"),
        AuthorityError,
        "user",
    ),
    "remember: pin over MCP": (
        lambda m: m.remember("x", pin=True, channel=Channel.MCP),
        AuthorityError,
        "user",
    ),
    "remind: empty": (lambda m: m.remind("", 10), InvalidArgumentError, "empty"),
    "remind: naive": (lambda m: m.remind("x", NAIVE), ClockError, "time zone"),
    "remind: past the calendar": (lambda m: m.remind("x", MAX_US + 1), ClockError, "9999"),
    "remind: expires before": (
        lambda m: m.remind("x", 10, expires=5),
        InvalidArgumentError,
        "expire",
    ),
    "forget: nothing": (lambda m: m.forget(), InvalidArgumentError, "expected ids"),
    "forget: malformed id": (lambda m: m.forget("zz"), InvalidArgumentError, "32 hex"),
    "forget: unknown id": (lambda m: m.forget("0" * 32), NotFoundError, "got"),
    "forget: number": (lambda m: m.forget(7), ArgumentTypeError, "ids"),
    "forget: empty scope": (lambda m: m.forget(scope=""), InvalidArgumentError, "scope"),
    "ingest: missing file": (lambda m: m.ingest("no-such-file.jsonl"), StorageError, "no such"),
    "ingest: directory": (lambda m: m.ingest("."), StorageError, "directory"),
    "ingest: type": (lambda m: m.ingest(3), ArgumentTypeError, "path"),
    "ingest: format": (
        lambda m: m.ingest(__file__, format="morse"),
        (InvalidArgumentError, TranscriptError),
        "format",
    ),
    "ingest: not a transcript": (lambda m: m.ingest(__file__), TranscriptError, "format"),
    "export: into nowhere": (lambda m: m.export("no/such/dir/x"), StorageError, "cannot write"),
    "export: type": (lambda m: m.export(None), ArgumentTypeError, "path"),
    "import: missing": (lambda m: m.import_("no-such-file"), StorageError, "no such"),
    "engram: malformed": (lambda m: m.engram("q"), InvalidArgumentError, "32 hex"),
    "engram: unknown": (lambda m: m.engram("0" * 32), NotFoundError, "got"),
    "working: salience": (
        lambda m: m.working.encode("x", salience=1.5),
        UnitError,
        "salience",
    ),
    "working: NaN salience": (
        lambda m: m.working.encode("x", salience=float("nan")),
        UnitError,
        "salience",
    ),
    "working: modality": (
        lambda m: m.working.encode("x", "smell"),
        InvalidArgumentError,
        "modality",
    ),
    "working: unknown chunk": (lambda m: m.working.rehearse(99), NotFoundError, "chunk"),
    "sensory: modality": (
        lambda m: m.sensory.perceive("x", "smell"),
        InvalidArgumentError,
        "modality",
    ),
    "short-term: unknown item": (lambda m: m.short_term.retrieve(99), NotFoundError, "item"),
    "skills: unknown": (lambda m: m.skills.get("fly"), NotFoundError, "fly"),
    "intentions: cancel unknown": (
        lambda m: m.intentions.cancel("0" * 32),
        NotFoundError,
        "intention",
    ),
    "beliefs: naive as_of": (lambda m: m.beliefs.facts(as_of=NAIVE), ClockError, "time zone"),
    "beliefs: type": (lambda m: m.beliefs.facts(5), ArgumentTypeError, "expected str"),
}


@pytest.fixture
def lived(memory, tmp_path, monkeypatch):
    """A memory with a row, in a working directory of its own."""
    monkeypatch.chdir(tmp_path)
    memory.observe("The kettle is on.", message_id="m1")
    return memory


def test_impossible_input_is_refused_by_name_and_changes_nothing(lived):
    before = (lived.stats(), [row.id for row in lived.engrams()])
    failures = []
    for name, (call, error, words) in CALLS.items():
        try:
            call(lived)
        except error as caught:
            if words not in str(caught):
                failures.append(f"{name}: the text misses {words!r}: {caught}")
            if len(str(caught)) > 600:
                failures.append(f"{name}: the text is {len(str(caught))} characters long")
        except Exception as caught:  # noqa: BLE001 - what else was raised is the finding
            failures.append(f"{name}: raised {type(caught).__name__}: {caught}")
        else:
            failures.append(f"{name}: was accepted")
    assert [] == failures
    after = (lived.stats(), [row.id for row in lived.engrams()])
    assert before == after


def test_errors_are_the_builtins_they_resemble(lived):
    with pytest.raises(ValueError, match="empty"):
        lived.observe("")
    with pytest.raises(TypeError, match="str"):
        lived.observe(3)
    with pytest.raises(KeyError, match="got"):
        lived.engram("0" * 32)
    with pytest.raises(OSError, match="no such"):
        lived.ingest("nowhere")
    with pytest.raises(PermissionError, match="user"):
        lived.remember("x", invariant=True, role="tool")


def test_a_closed_memory_says_so_and_closing_twice_is_harmless(lived):
    lived.close()
    lived.close()
    for call in (
        lambda: lived.observe("x"),
        lambda: lived.recall("x"),
        lived.sleep,
        lived.due,
        lived.beliefs.facts,
        lived.stats,
    ):
        with pytest.raises(ClosedError, match="closed"):
            call()


def test_times_at_the_ends_of_the_calendar_are_exact(lived, clock):
    intention = lived.remind("end of days", MAX_US)
    assert MAX_US == lived.intentions.all()[0].due_us
    assert [] == lived.due()
    past = lived.remind("long overdue", datetime(1, 1, 1, tzinfo=UTC))
    assert past.id == lived.due()[0].intention.id
    assert intention.id != past.id


def test_an_event_up_to_a_day_ahead_is_a_clock_that_runs_fast(lived, clock):
    id_ = lived.observe("from a fast clock", event_time=clock.now_us() + DAY_US)
    assert clock.now_us() + DAY_US == lived.engram(id_).event_us


def test_offsets_are_kept_and_instants_are_utc(lived):
    from datetime import timezone

    at = datetime(1999, 12, 31, 12, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    row = lived.engram(lived.observe("noon in Pune", event_time=at))
    assert 330 == row.event_offset_min
    assert at == datetime.fromtimestamp(row.event_us / 1e6, tz=UTC)
