"""``stats``, ``doctor`` and ``reembed``: counting, checking, changing the embedder."""

import json

import apsw

from scrubjay import Memory


def test_stats_count_what_is_there(run, small):
    stats = json.loads(run("stats", "--json", "--dir", small).stdout)
    assert "default" == stats["tenant"]
    assert stats["index_rows"] > 0
    assert stats["embedder"] in run("stats", "--dir", small).stdout.replace("\n", "")


def test_stats_show_every_count_and_its_example_names_one(run, small):
    stats = json.loads(run("stats", "--json", "--dir", small).stdout)
    out = run("stats", "--dir", small).stdout
    assert {name.replace("_", " ") for name in stats["counts"]} <= {
        line[2:].rsplit("  ", 1)[0].strip() for line in out.splitlines()
    }
    assert "counts: " not in out
    assert "jq .counts.kind_turn" in run("stats", "--help").stdout
    assert 2 == stats["counts"]["kind_turn"]


def test_an_unused_memory_names_no_embedder(run, tmp_path):
    Memory.open(tmp_path / "m").close()
    out = run("stats", "--dir", tmp_path / "m").stdout
    assert ["embedder", "—"] in [line.split() for line in out.splitlines()]


def test_a_sound_memory_has_nothing_wrong(run, small):
    report = json.loads(run("doctor", "--json", "--dir", small).stdout)
    assert report["ok"] is True
    assert "yes" in run("doctor", "--dir", small).stdout


def test_a_row_without_its_vector_is_found_and_exit_code_is_1(run, small):
    (database,) = small.rglob("memory.sqlite")
    connection = apsw.Connection(str(database))
    connection.execute("DELETE FROM vector WHERE local = (SELECT min(local) FROM vector)")
    connection.close()
    result = run("doctor", "--dir", small, code=1)
    assert "1 finding" in result.stdout
    assert "vector" in result.stdout
    report = json.loads(run("doctor", "--json", "--dir", small, code=1).stdout)
    assert report["ok"] is False
    assert 1 == len(report["findings"])


def test_a_torn_database_is_reported_without_a_traceback(run, small):
    (database,) = small.rglob("memory.sqlite")
    database.write_bytes(b"not a database" * 500)
    for side in ("-wal", "-shm"):
        database.with_name(database.name + side).unlink(missing_ok=True)
    result = run("doctor", "--dir", small, code=3)
    assert 1 == len(result.stderr.splitlines())


def test_a_memory_that_is_not_there_is_not_made_by_looking(run, tmp_path):
    for command in ("stats", "doctor", "due", "facts", "skills", "sleep"):
        result = run(command, "--dir", tmp_path / "none", code=2)
        assert "there is no memory here" in result.stderr
    assert not (tmp_path / "none").exists()


def test_another_embedder_is_refused_and_reembed_changes_it(run, small, monkeypatch):
    monkeypatch.setenv("SCRUBJAY_EMBEDDER", "static")
    out = run("reembed", "--embedder", "static", "--dir", small).stdout
    assert "embedded with static" in out
    assert "from now on" not in out
    assert "ClickHouse" in run("recall", "metrics store database", "--dir", small).stdout


def test_after_a_change_it_says_what_the_directory_now_wants(run, small, monkeypatch):
    monkeypatch.setattr(Memory, "reembed_directory", lambda *_, **__: 7)
    out = run("reembed", "--embedder", "minilm", "--dir", small).stdout
    assert "7 memories embedded with minilm" in out
    assert "SCRUBJAY_EMBEDDER=minilm" in out
