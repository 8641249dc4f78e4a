"""What holds for every format: nothing raises, everything is accounted for, twice is the same."""

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.adapters.transcripts import FORMATS, open_transcript
from scrubjay.adapters.transcripts.reading import derived_id, read
from scrubjay.adapters.transcripts.records import Problem, Record

GOOD = b'{"role": "user", "content": "kept"}'
BAD_LINES = {
    "truncated": b'{"role": "user", "content": "cut',
    "wrong type": b'{"role": "user", "content": {"a": 1}}',
    "an array": b'["role", "user"]',
    "a number": b"42",
    "lone surrogate": b'{"role": "user", "content": "\\ud800"}',
    "second half alone": b'{"role": "user", "content": "\\udc00 x"}',
    "not UTF-8": b'{"role": "user", "content": "\xff\xfe"}',
    "NUL": b'{"role": "user", "content": "a\\u0000b"}',
    "binary": bytes(range(256)).replace(b"\n", b""),
    "too deep": b'{"role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "too long": b'{"role": "user", "content": "' + b"x" * 2_000_000 + b'"}',
    "long name": b'{"role": "user", "content": "x", "name": "' + b"n" * 600 + b'"}',
    "number out of range": b'{"role": "user", "content": "x", "time": 1e999}',
}


@pytest.mark.parametrize("name", BAD_LINES)
@pytest.mark.parametrize("format_", ["openai", "plain"])
def test_a_bad_line_is_a_problem_with_its_number_between_good_ones(name, format_, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join([GOOD, BAD_LINES[name], GOOD]))
    first, bad, last = open_transcript(path, format=format_)
    assert ["kept", "kept"] == [record.observation.content for record in (first, last)]
    assert bad.observation is None
    assert 2 == bad.problem.line
    assert bad.problem.reason
    assert "cut" not in bad.problem.reason
    assert first.position < bad.position < last.position == path.stat().st_size


def samples(path):
    hello = {"role": "user", "content": "hello"}
    tree = {
        "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}}}}
    }
    turns = {"session_1": [{"speaker": "Ida", "text": "hi"}] * 3}
    event = {"type": "user", "sessionId": "s", "message": {"content": "hi"}}
    texts = {
        "openai": "".join(
            json.dumps(line) + "\n" for line in (hello, {"messages": [hello, hello]})
        ),
        "plain": json.dumps(hello) + "\n" + json.dumps(hello),
        "claude_code": json.dumps(event) + "\n" + json.dumps(event) + "\n",
        "chatgpt": json.dumps([tree, tree]),
        "locomo": json.dumps([{"sample_id": "a", "conversation": turns}, {"conversation": turns}]),
    }
    for name, text in texts.items():
        (path / name).write_text(text)
    return texts


@pytest.mark.parametrize("format_", FORMATS)
def test_b15_reading_twice_gives_the_same_ids_at_the_same_places(format_, tmp_path):
    samples(tmp_path)
    transcript = open_transcript(tmp_path / format_, format=format_)
    first, second = list(transcript), list(transcript)
    assert first == second
    assert len(first) >= 2
    ids = [(o.scope, o.session, o.message_id or o.position) for o, *_ in first]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("format_", FORMATS)
def test_positions_grow_strictly_and_stay_inside_the_file(format_, tmp_path):
    samples(tmp_path)
    transcript = open_transcript(tmp_path / format_, format=format_)
    positions = [record.position for record in transcript]
    assert sorted(set(positions)) == positions
    assert 0 < positions[0]
    assert positions[-1] <= transcript.size_bytes


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_cut_anywhere_gives_only_records(format_, tmp_path):
    text = samples(tmp_path)[format_].encode()
    path = tmp_path / "cut"
    for size in range(0, len(text), 3):
        path.write_bytes(text[:size])
        for observation, problem, *_ in open_transcript(path, format=format_):
            assert (observation is None) != (problem is None)


@given(data=st.binary(max_size=300), packed=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_bytes_give_only_records(data, packed, tmp_path):
    path = tmp_path / "any"
    path.write_bytes(gzip.compress(data) if packed else data)
    for format_ in FORMATS:
        for record in open_transcript(path, format=format_):
            assert isinstance(record, Record)


def test_a_reader_that_fails_on_an_item_loses_that_item(tmp_path):
    class Failing:
        split = staticmethod(lambda _: iter([_item(1), _item(2)]))
        title = "t"

        def parse(self, item, data):
            if item.number == 1:
                raise RecursionError
            return ["a", "b"]

    def _item(number):
        from scrubjay.adapters.transcripts.stream import Item

        return Item(number, number * 10, number * 10 + 9, b"x")

    assert [
        Record(None, Problem(1, "JSON nested too deeply"), 19, 1),
        Record(None, Problem(2, "a"), 21, 2),
        Record(None, Problem(2, "b"), 29, 2),
    ] == list(read(None, Failing()))


def test_a_derived_id_tells_place_and_line():
    assert derived_id(5, b"x") == derived_id(5, b"x")
    assert 3 == len({derived_id(5, b"x"), derived_id(6, b"x"), derived_id(5, b"y")})
