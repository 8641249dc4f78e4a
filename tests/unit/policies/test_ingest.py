"""Transcripts: resumable, idempotent, malformed lines listed. Covers policies.ingest."""

import json

import pytest

from scrubjay import Memory
from scrubjay.base.errors import TranscriptError


def line(content, n, **more):
    return json.dumps({"role": "user", "content": content, "time": 946_000_000 + n, **more})


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_read_twice_is_stored_once(memory, tmp_path):
    file = write(tmp_path / "a.jsonl", [line(f"turn {n}", n) for n in range(600)])
    first = memory.ingest(file)
    again = memory.ingest(file)
    assert (600, 0) == (first.stored, first.problem_count)
    assert (0, 600) == (again.stored, again.skipped)
    assert 600 == sum(1 for _ in memory.engrams())


def test_a_file_that_grew_goes_on_where_it_stopped(memory, tmp_path):
    lines = [line(f"turn {n}", n) for n in range(10)]
    file = write(tmp_path / "a.jsonl", lines)
    memory.ingest(file)
    write(file, [*lines, line("the eleventh", 11)])
    report = memory.ingest(file)
    assert (1, 10) == (report.stored, report.skipped)


def test_a_rewritten_file_is_read_again(memory, tmp_path):
    file = write(tmp_path / "a.jsonl", [line("old words", 1)])
    memory.ingest(file)
    write(file, [line("entirely new words", 1, id="m9"), line("and more", 2, id="m10")])
    report = memory.ingest(file)
    assert 0 == report.skipped
    assert "and more" in [row.content for row in memory.engrams()]


def test_malformed_lines_are_listed_by_number_and_fatal_only_when_strict(memory, tmp_path):
    lines = [line("good", 1), "{broken", line("", 3), line("nul \0", 4), line("late", 9e9)]
    file = write(tmp_path / "a.jsonl", lines)
    report = memory.ingest(file)
    assert 1 == report.stored
    assert [2, 4, 5] == [problem.line for problem in report.problems]
    other = write(tmp_path / "b.jsonl", lines)
    with pytest.raises(TranscriptError, match="line 2"):
        memory.ingest(other, strict=True)


def test_an_interrupted_run_resumes_after_its_last_batch(memory, tmp_path):
    file = write(tmp_path / "a.jsonl", [line(f"turn {n}", n) for n in range(1000)])

    class Stop(BaseException):
        pass

    def stop_after_two(progress):
        if progress.stored >= 512:
            raise Stop

    with pytest.raises(Stop):
        memory.ingest(file, on_progress=stop_after_two)
    report = memory.ingest(file)
    assert (512, 488) == (report.skipped, report.stored)
    assert memory.doctor().ok


def test_progress_is_told_in_bytes_of_the_file(memory, tmp_path):
    file = write(tmp_path / "a.jsonl", [line(f"turn {n}", n) for n in range(600)])
    told = []
    memory.ingest(file, on_progress=told.append)
    assert [p.stored for p in told] == sorted(p.stored for p in told)
    assert file.stat().st_size == told[-1].total_bytes == told[-1].position


def test_scope_of_the_handle_is_where_turns_go(tmp_path):
    file = write(tmp_path / "a.jsonl", [line("hello", 1)])
    with Memory.open(tmp_path / "m", scope="org/a") as memory:
        memory.ingest(file)
        assert ["org/a"] == [row.scope for row in memory.engrams()]
