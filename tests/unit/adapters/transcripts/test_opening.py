import gzip
import hashlib
import json

import pytest

from scrubjay.adapters.transcripts.opening import open_transcript
from scrubjay.base.errors import InvalidArgumentError, StorageError, TranscriptError


def write(path, count, start=0):
    lines = [
        json.dumps({"role": "user", "content": f"line {n}"}) for n in range(start, start + count)
    ]
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(data)
    return data


def test_an_unknown_format_is_refused_with_the_list(tmp_path):
    write(tmp_path / "x.jsonl", 1)
    with pytest.raises(InvalidArgumentError, match="auto or one of openai, claude_code"):
        open_transcript(tmp_path / "x.jsonl", format="csv")


def test_a_missing_file_or_a_directory_is_a_storage_error(tmp_path):
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(StorageError):
            open_transcript(path)
        with pytest.raises(StorageError):
            open_transcript(str(path), format="plain")


def test_an_empty_file_has_no_format_but_can_be_read_as_one(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b"")
    with pytest.raises(TranscriptError):
        open_transcript(tmp_path / "x.jsonl")
    assert [] == list(open_transcript(tmp_path / "x.jsonl", format="plain"))


def test_positions_end_where_the_file_ends_packed_or_not(tmp_path):
    data = write(tmp_path / "x.jsonl", 3)
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(data))
    plain, packed = (open_transcript(tmp_path / name) for name in ("x.jsonl", "x.jsonl.gz"))
    assert list(plain) == list(packed)
    assert (plain.source, len(data)) == (packed.source, packed.size_bytes)
    assert [len(data) // 3, len(data) // 3 * 2, len(data)] == [one.position for one in plain]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_digest_is_the_hash_of_the_bytes_before_a_position(pack, tmp_path):
    path = tmp_path / "x.jsonl"
    data = write(path, 500)
    path.write_bytes(pack(data))
    transcript = open_transcript(path)
    for record in transcript:
        expected = hashlib.sha256(data[: record.position]).hexdigest()
        assert expected == transcript.digest(record.position)
    for position in (0, 7, 2000, 5, len(data), len(data) + 100):
        assert hashlib.sha256(data[:position]).hexdigest() == transcript.digest(position)


def test_a_file_that_grew_keeps_its_source_and_its_digests(tmp_path):
    path = tmp_path / "x.jsonl"
    write(path, 10)
    before = open_transcript(path)
    records = list(before)
    write(path, 15)
    after = open_transcript(path)
    assert before.source == after.source
    assert records == list(after)[:10]
    assert before.digest(records[-1].position) == after.digest(records[-1].position)


def test_another_file_of_the_same_name_is_another_lineage(tmp_path):
    write(tmp_path / "x.jsonl", 2)
    (tmp_path / "other").mkdir()
    write(tmp_path / "other" / "x.jsonl", 2, start=5)
    sources = {open_transcript(tmp_path / name).source for name in ("x.jsonl", "other/x.jsonl")}
    assert 2 == len(sources)
