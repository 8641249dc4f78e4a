"""``export`` and ``import``: the same bytes out, the same answers in."""

import json
import os
from pathlib import Path


def rows_of(file):
    """Return what was exported apart from the directory's own header, journal and seal."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [line for line in lines if line["type"] not in {"scrubjay", "journal", "end"}]


def test_an_export_comes_back_as_it_was(run, small, tmp_path):
    file, copy = tmp_path / "a.jsonl", tmp_path / "copy.memory"
    assert "written to" in run("export", file, "--dir", small).stdout
    run("import", file, "--dir", copy)
    again = tmp_path / "b.jsonl"
    run("export", again, "--dir", copy)
    assert rows_of(file) == rows_of(again)
    answers = [
        json.loads(run("recall", "metrics store", "--json", "--dir", where).stdout)["hits"]
        for where in (small, copy)
    ]
    assert [h["content"] for h in answers[0]] == [h["content"] for h in answers[1]]


def test_exporting_twice_gives_the_same_bytes(run, small, tmp_path):
    for name in ("a", "b"):
        run("export", tmp_path / name, "--dir", small)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_memory_with_rows_takes_no_import(run, small, tmp_path):
    run("export", tmp_path / "a", "--dir", small)
    result = run("import", tmp_path / "a", "--dir", small, code=2)
    assert "holds memories already" in result.stderr


def test_a_file_that_is_no_export_is_refused(run, tmp_path):
    (tmp_path / "x").write_text("hello\n")
    result = run("import", tmp_path / "x", "--dir", tmp_path / "m", code=3)
    assert 1 == len(result.stderr.splitlines())


def test_a_missing_file_and_an_impossible_target_are_storage_errors(run, small, tmp_path):
    run("import", tmp_path / "none", "--dir", tmp_path / "m", code=3)
    run("export", tmp_path / "no" / "such" / "folder", "--dir", small, code=3)
    assert not (tmp_path / "m").exists()


def test_a_dash_is_a_pipe(run, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("export", "a.jsonl", "--dir", small)
    piped = run("export", "-", "--dir", small)
    assert Path("a.jsonl").read_text() == piped.stdout
    assert "written to -" in piped.stderr
    assert not Path("-").exists()
    run("import", "-", "--dir", "copy.memory", input=piped.stdout)
    run("export", "b.jsonl", "--dir", "copy.memory")
    assert rows_of(Path("a.jsonl")) == rows_of(Path("b.jsonl"))


def test_what_is_not_a_file_is_not_replaced_by_an_export(run, small, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    result = run("export", tmp_path / "pipe", "--dir", small, code=3)
    assert "cannot write there" in result.stderr
    assert (tmp_path / "pipe").is_fifo()
