"""``scrubjay demo``: a directory of its own, nothing of anybody else's touched."""

import pytest

from scrubjay.base.errors import InvalidArgumentError
from scrubjay.cli.demo import MARK, prepared


def test_a_new_directory_is_made_and_marked(tmp_path):
    place = prepared(tmp_path / "demo")
    assert (place / MARK).exists()


def test_an_old_demo_is_replaced(tmp_path):
    place = prepared(tmp_path / "demo")
    (place / "memory").mkdir()
    (place / "memory" / "old").write_text("x")
    prepared(tmp_path / "demo")
    assert not (place / "memory").exists()


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_is_not_a_demo_is_left_alone(tmp_path, what):
    path = tmp_path / "mine"
    if what == "folder":
        path.mkdir()
        (path / "letter").write_text("dear")
    else:
        path.write_text("dear")
    with pytest.raises(InvalidArgumentError, match="there is something else here"):
        prepared(path)
    assert "dear" == (path / "letter" if what == "folder" else path).read_text()


def test_a_folder_without_sessions_is_refused(run, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("demo", "--data", tmp_path / "empty", "--dir", tmp_path / "demo", code=2)
    assert "no sessions" in result.stderr
    assert not (tmp_path / "demo").exists()


def test_a_session_that_is_no_message_file_is_refused(run, tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "a.jsonl").write_text("hello\n")
    result = run("demo", "--data", tmp_path / "odd", "--dir", tmp_path / "demo", code=2)
    assert "a.jsonl" in result.stderr
