"""``stats``, ``doctor`` and ``reembed``: counting, checking, changing the embedder."""

import json


def test_stats_count_what_is_there(run, small):
    stats = json.loads(run("stats", "--json", "--dir", small).stdout)
    assert "default" == stats["tenant"]
    assert stats["index_rows"] > 0
    assert stats["embedder"] in run("stats", "--dir", small).stdout.replace("\n", "")


def test_a_sound_memory_has_nothing_wrong(run, small):
    report = json.loads(run("doctor", "--json", "--dir", small).stdout)
    assert report["ok"] is True
    assert "yes" in run("doctor", "--dir", small).stdout


def test_doctor_finds_a_damaged_file(run, small):
    (database,) = small.rglob("memory.sqlite")
    whole = bytearray(database.read_bytes())
    for offset in range(4096 * 3, len(whole), 4096):
        whole[offset + 100] ^= 0xFF
    database.write_bytes(bytes(whole))
    for side in ("-wal", "-shm"):
        database.with_name(database.name + side).unlink(missing_ok=True)
    result = run_any(run, "doctor", "--dir", small)
    assert result.exit_code in {1, 3}
    assert "Traceback" not in result.stderr


def run_any(run, *arguments):
    """Run a command of which only the kind of exit code is known."""
    from typer.testing import CliRunner

    from scrubjay.cli.app import app

    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_a_memory_that_is_not_there_is_not_made_by_looking(run, tmp_path):
    for command in ("stats", "doctor", "due", "facts", "skills", "sleep"):
        result = run(command, "--dir", tmp_path / "none", code=2)
        assert "there is no memory here" in result.stderr
    assert not (tmp_path / "none").exists()


def test_another_embedder_is_refused_and_reembed_changes_it(run, small, monkeypatch):
    monkeypatch.setenv("SCRUBJAY_EMBEDDER", "static")
    out = run("reembed", "--embedder", "static", "--dir", small).stdout
    assert "embedded with static" in out
    assert "ClickHouse" in run("recall", "metrics store database", "--dir", small).stdout
