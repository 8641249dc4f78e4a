"""``scrubjay mcp``: the extra that is missing is named with the line that installs it."""

import sys

import pytest


def test_a_missing_extra_names_the_line_that_installs_it(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.setitem(sys.modules, "mcp.server.context", None)
    monkeypatch.delitem(sys.modules, "scrubjay.serve.mcp", raising=False)
    result = run("mcp", "--dir", tmp_path / "m", code=2)
    assert "pip install 'scrubjay[mcp]'" in result.stderr
    assert 1 == len(result.stderr.splitlines())
    assert not (tmp_path / "m").exists()


def test_a_client_that_hangs_up_ends_the_server_quietly(tmp_path):
    import subprocess
    from pathlib import Path

    pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
    done = subprocess.run(
        [Path(sys.executable).with_name("scrubjay"), "mcp", "--dir", tmp_path / "m"],
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (0, b"") == (done.returncode, done.stdout)
