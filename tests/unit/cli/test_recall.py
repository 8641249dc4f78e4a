"""``scrubjay recall``: ranked answers in words and as JSON, in a pipe and in 80 columns."""

import json

import pytest

from scrubjay.cli.app import app


def test_the_best_answer_comes_first_with_its_source(run, small):
    out = run("recall", "what does the metrics store use?", "-k", "1", "--dir", small).stdout
    assert "ClickHouse" in out
    assert "of operator in" in out
    assert "1 hit" in out


def test_json_is_complete(run, small):
    answer = json.loads(run("recall", "stalled worker", "--json", "--dir", small).stdout)
    assert "stalled worker" == answer["query"]
    hit = answer["hits"][0]
    assert {"words", "context", "meaning", "recency", "salience", "frequency"} == set(hit["terms"])
    assert hit["score"] == pytest.approx(sum(hit["terms"].values()), abs=1e-6)
    assert 32 == len(hit["id"])


def test_json_is_not_cut_however_long_the_memory(run, small_with_long_memory):
    directory, text = small_with_long_memory
    answer = json.loads(run("recall", "zebra", "-k", "1", "--json", "--dir", directory).stdout)
    assert text == answer["hits"][0]["content"]


def test_explain_shows_the_terms_of_the_score(run, small):
    out = run("recall", "metrics store", "-k", "1", "--explain", "--dir", small).stdout
    assert "words" in out
    assert "recency" in out
    assert "user_explicit" in out


def test_nothing_is_wider_than_80_columns_or_coloured_in_a_pipe(run, small):
    out = run("recall", "metrics", "--explain", "--dir", small).stdout
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "\x1b" not in out


def test_a_nonsense_question_is_answered_with_nothing(run, small):
    result = run("recall", "qzxv wvut", "--dir", small)
    assert "no memory speaks to this question" in result.stdout
    answer = json.loads(run("recall", "qzxv wvut", "--json", "--dir", small).stdout)
    assert ([], True) == (answer["hits"], answer["abstained"])


def test_a_scope_nobody_wrote_to_is_named(run, small):
    result = run("recall", "metrics", "--scope", "nowhere", "--dir", small)
    assert "nothing was ever written in nowhere" in result.stdout


def test_scopes_and_kinds_restrict(run, small):
    args = ("--kind", "belief", "--scope", "ops", "--json", "--dir", small)
    answer = json.loads(run("recall", "metrics store", *args).stdout)
    assert {"belief"} == {hit["kind"] for hit in answer["hits"]}


def test_tool_output_is_labelled(run, small):
    out = run("recall", "disk_pct", "--kind", "tool_result", "--dir", small).stdout
    assert "untrusted tool_result of" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("x", "-k", "0"), "k is out of range, got 0"),
        (("",), "query is empty"),
        (("x", "--as-of", "soon"), "--as-of: not a date, got 'soon'"),
        (("x", "--since", "2026-03-01T10:00"), "--since: the time has no offset"),
        (("x", "--since", "2026-04", "--until", "2026-03"), "until must lie after since"),
        (("x", "--kind", "dream"), "unknown kind, got 'dream'"),
        (("x", "--scope", "a//b"), "scope has an empty component"),
        (("x", "--min-score", "7"), "min_score is out of range"),
        (("x", "--embedder", "psychic"), "psychic"),
    ],
)
def test_an_impossible_request_is_one_line_and_exit_code_2(run, small, arguments, complaint):
    result = run("recall", *arguments, "--dir", small, code=2)
    assert complaint in result.stderr
    assert 1 == len(result.stderr.splitlines())
    assert "" == result.stdout


def test_app_is_registered():
    assert "recall" in {command.name for command in app.registered_commands}


def test_a_cursor_goes_on_where_the_answer_was_cut(run, small):
    ask = ("recall", "the metrics store and the backups through heron", "--json", "--dir", small)
    whole = json.loads(run(*ask).stdout)["hits"]
    first = json.loads(run(*ask, "-k", "1").stdout)
    assert first["truncated"]
    second = json.loads(run(*ask, "-k", "1", "--cursor", first["cursor"]).stdout)
    assert [hit["id"] for hit in whole[:2]] == [first["hits"][0]["id"], second["hits"][0]["id"]]


def test_a_cursor_that_is_none_is_refused(run, small):
    result = run("recall", "metrics", "--cursor", "nonsense", "--dir", small, code=2)
    assert "cursor" in result.stderr
