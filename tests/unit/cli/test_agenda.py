"""``remind`` and ``due``: what was planned comes up when its time has come."""

import json


def test_what_is_past_is_due_and_late(run, tmp_path):
    run("remind", "water the plant", "--at", "2020-01-01T09:00+01:00", "--dir", tmp_path / "m")
    (item,) = json.loads(run("due", "--json", "--dir", tmp_path / "m").stdout)
    assert ("water the plant", "2020-01-01T08:00:00Z") == (item["action"], item["due"])
    assert item["late_us"] > 0


def test_looking_twice_shows_it_twice(run, tmp_path):
    run("remind", "water the plant", "--at", "2020-01-01", "--dir", tmp_path / "m")
    for _ in range(2):
        assert "water the plant" in run("due", "--dir", tmp_path / "m").stdout


def test_what_is_done_does_not_come_again(run, tmp_path):
    run("remind", "water the plant", "--at", "2020-01-01", "--dir", tmp_path / "m")
    (item,) = json.loads(run("due", "--json", "--dir", tmp_path / "m").stdout)
    out = run("due", "--done", item["id"], "--dir", tmp_path / "m").stdout
    assert "done: water the plant" in out
    assert "nothing is due" in run("due", "--dir", tmp_path / "m").stdout


def test_the_id_that_done_takes_is_told(run, tmp_path):
    out = run("remind", "water the plant", "--at", "2020-01-01", "--dir", tmp_path / "m").stdout
    arguments = out.rsplit("scrubjay ", 1)[1].split()
    assert "--done ID" in run("due", "--dir", tmp_path / "m").stdout
    out = run(*arguments, "--dir", tmp_path / "m").stdout
    assert "done: water the plant" in out
    assert "--done" not in out


def test_what_is_not_due_cannot_be_done(run, tmp_path):
    run("remind", "water the plant", "--at", "9000-01-01", "--dir", tmp_path / "m")
    result = run("due", "--done", "0" * 32, "--dir", tmp_path / "m", code=2)
    assert "not due" in result.stderr


def test_the_future_waits(run, tmp_path):
    run("remind", "celebrate", "--at", "9000-01-01", "--dir", tmp_path / "m")
    assert "nothing is due" in run("due", "--dir", tmp_path / "m").stdout


def test_a_time_without_offset_is_refused(run, tmp_path):
    result = run("remind", "x", "--at", "2027-01-01T09:00", "--dir", tmp_path / "m", code=2)
    assert "--at: the time has no offset" in result.stderr
    assert not (tmp_path / "m").exists()
