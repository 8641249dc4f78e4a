"""``scrubjay ingest``: files and folders in, faults listed, nothing twice."""

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay import Memory
from scrubjay.cli.ingest import FORMATS
from tests.data import missing


def test_counts_turns_and_lists_malformed_lines_without_failing(run, messages, tmp_path):
    directory = tmp_path / "new.memory"
    out = run("ingest", messages, "--dir", directory).stdout
    assert "4 turns stored, 1 malformed" in out
    assert "line 3: " in out
    with Memory.open(directory) as memory:
        assert "turbines" in memory.recall("turbines", 1)[0].content


def test_strict_stops_with_exit_code_2_and_the_line(run, messages, tmp_path):
    result = run("ingest", messages, "--strict", "--dir", tmp_path / "m", code=2)
    assert "line 3" in result.stderr
    assert 1 == len(result.stderr.splitlines())


def test_a_second_run_stores_nothing(run, messages, tmp_path):
    run("ingest", messages, "--dir", tmp_path / "m")
    out = run("ingest", messages, "--dir", tmp_path / "m").stdout
    assert "0 turns stored" in out
    assert "0 turns went into" in out


def test_a_file_that_grew_goes_on_where_it_stopped(run, messages, tmp_path):
    run("ingest", messages, "--dir", tmp_path / "m")
    with messages.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"role": "user", "content": "A late line.", "id": "m6"}) + "\n")
    assert "1 turn stored" in run("ingest", messages, "--dir", tmp_path / "m").stdout


def test_json_reports_every_file_and_problem(run, messages, tmp_path):
    out = run("ingest", messages, "--json", "--dir", tmp_path / "m").stdout
    (report,) = json.loads(out)
    assert (4, 1) == (report["stored"], report["problem_count"])
    assert [3] == [problem["line"] for problem in report["problems"]]


def test_a_folder_means_the_transcripts_in_it(run, messages, tmp_path):
    folder = tmp_path / "many"
    (folder / "deeper").mkdir(parents=True)
    text = messages.read_bytes()
    (folder / "a.jsonl").write_bytes(text)
    with gzip.open(folder / "deeper" / "b.jsonl.gz", "wb") as file:
        file.write(text)
    (folder / "notes.txt").write_text("not a transcript")
    reports = json.loads(run("ingest", folder, "--json", "--dir", tmp_path / "m").stdout)
    assert ["a.jsonl", "b.jsonl.gz"] == [Path(report["path"]).name for report in reports]


def test_a_memory_inside_the_folder_is_not_read_as_a_transcript(run, messages):
    folder = messages.parent
    for _ in range(2):
        result = run("ingest", folder, "--json", "--dir", folder / "scrubjay.memory")
        assert ["talk.jsonl"] == [Path(r["path"]).name for r in json.loads(result.stdout)]
        assert "" == result.stderr


def test_a_file_that_is_not_there_makes_no_memory(run, messages, tmp_path):
    result = run("ingest", messages, tmp_path / "none.jsonl", "--dir", tmp_path / "m", code=3)
    assert "none.jsonl" in result.stderr
    assert not (tmp_path / "m").exists()


def test_one_odd_file_among_several_is_left_out_and_named(run, messages, tmp_path):
    odd = tmp_path / "odd.jsonl"
    odd.write_text("just some notes\n")
    result = run("ingest", odd, messages, "--dir", tmp_path / "m", code=1)
    assert "left out" in result.stderr
    assert "odd.jsonl" in result.stderr
    assert "4 turns went into" in result.stdout
    run("ingest", odd, messages, "--strict", "--dir", tmp_path / "n", code=2)


def test_scope_is_where_the_turns_go(run, messages, tmp_path):
    run("ingest", messages, "--scope", "team/chat", "--dir", tmp_path / "m")
    with Memory.open(tmp_path / "m") as memory:
        assert {"team/chat"} == {hit.engram.scope for hit in memory.recall("turbines")}


@pytest.mark.parametrize("form", FORMATS[1:])
def test_every_named_format_is_known(run, tmp_path, form):
    (tmp_path / "empty.jsonl").write_text("{}\n" if form != "chatgpt" else "[]\n")
    result = run("ingest", tmp_path / "empty.jsonl", "-f", form, "--dir", tmp_path / "m")
    assert "0 turns went into" in result.stdout


def test_an_unknown_format_names_the_known_ones(run, messages, tmp_path):
    result = run("ingest", messages, "--format", "telegram", "--dir", tmp_path / "m", code=2)
    assert "unknown format, got 'telegram'" in result.stderr
    assert "openai" in result.stderr


def test_a_missing_file_is_a_storage_error(run, tmp_path):
    result = run("ingest", tmp_path / "none.jsonl", "--dir", tmp_path / "m", code=3)
    assert "no such file" in result.stderr


def test_an_empty_folder_is_refused(run, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("ingest", tmp_path / "empty", "--dir", tmp_path / "m", code=2)
    assert "holds no transcript" in result.stderr


def test_a_directory_that_is_a_file_is_left_alone(run, messages, tmp_path):
    (tmp_path / "file").write_text("mine")
    result = run("ingest", messages, "--dir", tmp_path / "file", code=3)
    assert "a memory is a directory" in result.stderr
    assert "mine" == (tmp_path / "file").read_text()


def test_a_pipe_sees_no_progress_bar_and_no_colour(messages, tmp_path):
    scrubjay = Path(sys.executable).with_name("scrubjay")
    done = subprocess.run(
        [scrubjay, "ingest", messages, "--dir", tmp_path / "m"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "" == done.stderr
    assert "\x1b" not in done.stdout


def test_a_terminal_sees_rate_and_remaining_time(tmp_path):
    path = tmp_path / "long.jsonl"
    lines = (json.dumps({"role": "user", "content": f"Turn {n}.", "id": n}) for n in range(2000))
    path.write_text("\n".join(lines) + "\n")
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        missing(f"no pseudo-terminal here ({error}); mount devpts to run this test")
    scrubjay = Path(sys.executable).with_name("scrubjay")
    child = subprocess.Popen(
        [scrubjay, "ingest", path, "--dir", tmp_path / "m"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    os.close(ours)
    assert 0 == child.wait(timeout=60)
    text = seen.decode()
    assert "turns/s" in text
    assert "%" in text
    assert "2,000 turns went into" in text
