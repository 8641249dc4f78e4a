"""``remember``, ``facts`` and ``skills``: what holds, with its dates, and what is known how."""

import json

import pytest

from scrubjay import Memory


def test_facts_show_what_holds_now(run, small):
    out = run("facts", "--about", "metrics store", "--dir", small).stdout
    assert "ClickHouse" in out
    assert "PostgreSQL" not in out


def test_history_shows_what_held_before_with_its_end(run, small):
    out = run("facts", "--about", "metrics store", "--history", "--dir", small).stdout
    assert "PostgreSQL" in out
    assert "2026-03-20" in out


def test_as_of_answers_for_a_day(run, small):
    out = run("facts", "--about", "metrics store", "--as-of", "2026-03-01", "--dir", small).stdout
    assert "PostgreSQL" in out
    assert "ClickHouse" not in out


def test_facts_as_json_carry_instants_and_support(run, small):
    facts = json.loads(run("facts", "--about", "metrics store", "--json", "--dir", small).stdout)
    (now,) = [fact for fact in facts if fact["object"] == "ClickHouse"]
    assert "2026-03-20T09:46:40Z" == now["valid_from"]
    assert now["valid_to"] is None
    assert now["id"] in now["support"]
    assert ("user", "user_explicit") == (now["plane"], now["authority"])


def test_facts_fit_80_columns_and_lose_nothing(run, small):
    long = "a name that goes on and on " * 6
    with Memory.open(small, scope="ops") as memory:
        memory.remember(subject="long thing", predicate="is_called", object=long.strip())
    out = run("facts", "--about", "long thing", "--dir", small).stdout
    assert max(len(line) for line in out.splitlines()) <= 80
    assert 6 == out.count("goes")


def test_no_facts_is_said(run, small):
    assert "nothing is believed" in run("facts", "--about", "weather", "--dir", small).stdout
    assert [] == json.loads(run("facts", "--about", "weather", "--json", "--dir", small).stdout)


def test_before_the_first_sleep_it_says_where_beliefs_come_from(run, tmp_path):
    Memory.open(tmp_path / "m").close()
    assert "scrubjay sleep" in run("facts", "--dir", tmp_path / "m").stdout
    assert "scrubjay sleep" not in run("facts", "--about", "x", "--dir", tmp_path / "m").stdout


def test_remember_creates_the_memory_and_keeps_the_fact(run, tmp_path):
    directory = tmp_path / "new.memory"
    fact = ("--subject", "heron", "--predicate", "runs_on", "--object", "four nodes")
    answer = json.loads(run("remember", *fact, "--json", "--dir", directory).stdout)
    facts = json.loads(run("facts", "--json", "--dir", directory).stdout)
    assert [(answer["id"], "four nodes")] == [(f["id"], f["object"]) for f in facts]


def test_remember_takes_words_and_dates(run, tmp_path):
    directory = tmp_path / "m"
    run("remember", "Heron is the staging cluster.", "--dir", directory)
    fact = ("--subject", "heron", "--predicate", "owned_by", "--object", "platform")
    run("remember", *fact, "--from", "2024", "--to", "2025-03", "--dir", directory)
    args = ("facts", "--about", "heron", "--history", "--json", "--dir", directory)
    (fact,) = json.loads(run(*args).stdout)
    assert "2024-01-01T00:00:00Z" == fact["valid_from"]
    assert "2025-03-01T00:00:00Z" == fact["valid_to"]


def test_an_invariant_is_pinned(run, tmp_path):
    run("remember", "Never restart billing by day.", "--invariant", "--dir", tmp_path / "m")
    with Memory.open(tmp_path / "m") as memory:
        engram = memory.recall("billing", 1)[0].engram
    assert ("INVARIANT", True) == (engram.category.name, engram.pinned)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "nothing to remember"),
        (("--subject", "a", "--object", "b"), "subject, predicate and object"),
        (("x", "--from", "2026-02-31"), "--from: not a date"),
        (
            ("--subject", "a", "--predicate", "b", "--object", "c", "--from", "3", "--to", "2"),
            "--from: not a date",
        ),
        (("  ",), "content is empty"),
    ],
)
def test_what_cannot_be_remembered_is_refused(run, tmp_path, arguments, complaint):
    result = run("remember", *arguments, "--dir", tmp_path / "m", code=2)
    assert complaint in result.stderr
    assert 1 == len(result.stderr.splitlines())


def test_skills_of_an_empty_memory(run, small):
    assert "no skills yet" in run("skills", "--dir", small).stdout
    assert "no skill fits" in run("skills", "anything", "--dir", small).stdout
    assert [] == json.loads(run("skills", "--json", "--dir", small).stdout)
