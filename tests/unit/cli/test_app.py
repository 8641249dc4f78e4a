"""The entry point: quick to come up, polite when it fails, the same in a pipe and on a terminal."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer

from scrubjay import Memory
from scrubjay.cli.app import app

SCRUBJAY = Path(sys.executable).with_name("scrubjay")
COMMANDS = sorted(typer.main.get_command(app).commands)


def scrubjay(*arguments, **kwargs):
    return subprocess.run(
        [SCRUBJAY, *arguments], capture_output=True, text=True, timeout=60, check=False, **kwargs
    )


def test_help_loads_nothing_heavy():
    code = (
        "import sys\n"
        "from scrubjay.cli.app import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "heavy = {'numpy', 'apsw', 'pyarrow', 'pydantic', 'msgspec', 'rich.console', 'mcp'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "[]" == done.stderr.strip()
    assert "recall" in done.stdout


def test_help_answers_within_300_ms():
    import resource

    def cpu_s() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert 0 == scrubjay("--help").returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(cpu_s() for _ in range(5)) < 0.3


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_an_example_in_80_columns(run, command):
    out = run(command, "--help").stdout
    assert f"  scrubjay {command}" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_list_of_commands_is_not_cut(run):
    out = run("--help").stdout
    assert "..." not in out.split("Commands:")[1]
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_promised_commands_are_there():
    promised = "demo ingest recall remember sleep due facts skills stats doctor forget export"
    assert set((promised + " import reembed mcp").split()) <= set(COMMANDS)


def test_version_is_printed(run):
    assert run("--version").stdout.startswith("scrubjay ")


def test_a_storage_error_is_one_line_and_exit_code_3(tmp_path):
    (tmp_path / "file").write_text("")
    done = scrubjay("stats", "--dir", str(tmp_path / "file"))
    assert (3, "") == (done.returncode, done.stdout)
    assert 1 == len(done.stderr.splitlines())
    assert done.stderr.startswith("scrubjay: error: ")


def test_a_request_error_is_exit_code_2(tmp_path):
    done = scrubjay("stats", "--dir", str(tmp_path / "none"))
    assert (2, "") == (done.returncode, done.stdout)


def test_the_directory_may_come_from_the_environment(small, monkeypatch):
    import os

    done = scrubjay("facts", env=os.environ | {"SCRUBJAY_DIR": str(small)})
    assert "ClickHouse" in done.stdout


@pytest.mark.parametrize("command", ["recall metrics --json --full", "export -"])
def test_a_reader_that_leaves_early_is_no_error(small, command):
    import os

    more_than_a_pipe_holds = "z" * 300_000
    with Memory.open(small) as memory:
        memory.observe(f"metrics {more_than_a_pipe_holds}")
    env = os.environ | {"SCRUBJAY_DIR": str(small)}
    line = f"{SCRUBJAY} {command} | head -n 1 | cut -c 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        env=env,
        timeout=60,
        check=False,
    )
    assert (0, "{") == (done.returncode, done.stdout.strip())
    assert "" == done.stderr


def test_the_page_of_commands_is_fresh():
    """docs/cli.md is written by docs/generate.py; ./dev docs writes it anew."""
    import importlib.util

    docs = Path(__file__).parents[3] / "docs"
    spec = importlib.util.spec_from_file_location("generate_pages", docs / "generate.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    assert (docs / "cli.md").read_text(encoding="utf-8") == pages.cli_page()


def test_a_terminal_without_the_letters_gets_question_marks_and_whole_json(small):
    import json
    import os

    poor = {"PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}
    env = os.environ | poor | {"SCRUBJAY_DIR": str(small)}
    assert (
        0
        == scrubjay(
            "remember", "heron heißt Reiher", env=os.environ | {"SCRUBJAY_DIR": str(small)}
        ).returncode
    )
    assert "hei?t" in scrubjay("recall", "Reiher", "-k", "1", env=env).stdout
    answer = json.loads(scrubjay("recall", "Reiher", "-k", "1", "--json", env=env).stdout)
    assert "heron heißt Reiher" == answer["hits"][0]["content"]


def test_another_tenant_is_made_only_on_request(run, small):
    result = run("remember", "Apart.", "--tenant", "other", "--dir", small, code=2)
    assert "--create-tenant" in result.stderr
    run("remember", "Apart.", "--tenant", "other", "--create-tenant", "--dir", small)
    assert "Apart." in run("recall", "apart", "--tenant", "other", "--dir", small).stdout
    assert "Apart." not in run("recall", "apart", "--dir", small).stdout
