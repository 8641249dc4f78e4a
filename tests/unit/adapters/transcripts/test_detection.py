import gzip
import json

import pytest

from scrubjay.adapters.transcripts.detection import FORMATS, detect
from scrubjay.base.errors import StorageError, TranscriptError

HELLO = {"role": "user", "content": "hello"}
SAMPLES = {
    "openai": [
        [{**HELLO, "tool_calls": []}],
        [{**HELLO, "timestamp": "2026-01-01T00:00:00Z"}],
        [{"messages": [HELLO]}],
        [{"role": "tool", "content": "x", "tool_call_id": "c"}],
        [HELLO, {"role": "user", "content": [{"type": "text", "text": "x"}]}],
        [{"role": "assistant", "content": None, "tool_calls": []}],
    ],
    "plain": [[HELLO], [{**HELLO, "time": 5}], [{**HELLO, "session": "s"}]],
    "claude_code": [
        [{"type": "summary", "summary": "x", "leafUuid": "u"}],
        [{"type": "file-history-snapshot", "snapshot": {}}],
        [{"type": "user", "sessionId": "s", "message": {"role": "user", "content": "x"}}],
    ],
}
ARRAYS = {
    "chatgpt": [
        [{"title": "x", "mapping": {}, "current_node": "a"}],
        [{"mapping": {"a": {}}}],
    ],
    "locomo": [
        [{"qa": [{"question": "x", "evidence": ["D1:1"]}], "conversation": {}}],
        [{"conversation": {"session_1": [{"dia_id": "D1:1"}]}}],
    ],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_line_formats_are_told_by_their_keys(name, tmp_path):
    for index, lines in enumerate(SAMPLES[name]):
        path = tmp_path / f"{index}.txt"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert name == detect(path)
        packed = tmp_path / f"{index}.bin"
        packed.write_bytes(gzip.compress(b"\xef\xbb\xbf\r\n" + path.read_bytes()))
        assert name == detect(packed)


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("indent", [None, 2])
def test_array_formats_are_told_also_as_one_object(name, indent, tmp_path):
    for index, array in enumerate(ARRAYS[name]):
        path = tmp_path / f"{index}.json"
        path.write_text(json.dumps(array, indent=indent))
        assert name == detect(path)
    (tmp_path / "one.json").write_text(json.dumps(ARRAYS[name][0][0], indent=indent))
    assert name == detect(tmp_path / "one.json")


def test_a_damaged_first_line_does_not_hide_the_format(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"role": "us\n' + json.dumps(HELLO) + "\n")
    assert "plain" == detect(path)


@pytest.mark.parametrize(
    "data",
    [b"", b"\n\n", b"\x00\x01\x02\xff" * 100, b"hello\n", b"[1, 2]", b'{"a": 1}\n', b"[" * 9000],
)
def test_what_fits_nothing_is_refused_with_the_list_of_formats(data, tmp_path):
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(TranscriptError, match=", ".join(FORMATS)):
        detect(path)


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError):
        detect(tmp_path / "absent.jsonl")
