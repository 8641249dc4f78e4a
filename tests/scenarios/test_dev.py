"""./dev on machines that lack something: it fetches only that, or says what to type."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.rule import ROOT

TOOLS = ("bash", "cat", "cut", "dirname", "env", "find", "mkdir", "rm", "sha256sum", "sort", "tail")

# Answers as a Python does until it is asked for an environment; `-m venv` is where a test ends.
PYTHON_STUB = f"""#!{shutil.which("bash")}
if [[ $1 == -m ]]; then echo "no environment today"; exit 1; fi
exec {sys.executable} "$@"
"""
OLD_PYTHON_STUB = f"""#!{shutil.which("bash")}
if [[ $1 == --version ]]; then echo "Python 3.10.12"; exit 0; fi
exit 1
"""


@pytest.fixture
def machine(tmp_path):
    """A folder with ./dev and a PATH that holds only what a test puts there."""
    shutil.copy(ROOT / "dev", tmp_path / "dev")
    (tmp_path / "bin").mkdir()
    (tmp_path / "cpp").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    put(tmp_path, "id", "#!/bin/sh\necho 0\n")
    put(tmp_path, "python3", PYTHON_STUB)
    return tmp_path


def put(machine: Path, name: str, text: str) -> None:
    path = machine / "bin" / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def dev(machine: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {"PATH": str(machine / "bin"), "HOME": str(machine), "LC_ALL": "C"}
    return subprocess.run(
        [str(machine / "dev"), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_old_python_is_told_what_to_do(machine):
    put(machine, "python3", OLD_PYTHON_STUB)
    done = dev(machine, "demo")
    assert 1 == done.returncode
    assert "needs Python 3.11 or newer, found Python 3.10.12" in done.stderr
    assert "PYTHON=/path/to/python3.12 ./dev demo" in done.stderr


def test_newer_python_beside_an_old_one_is_found(machine):
    put(machine, "python3", OLD_PYTHON_STUB)
    put(machine, "python3.12", PYTHON_STUB)
    put(machine, "c++", "#!/bin/sh\n")
    assert "no environment today" in dev(machine, "demo").stderr


def test_missing_compiler_without_root_prints_the_exact_line(machine):
    put(machine, "id", "#!/bin/sh\necho 1000\n")
    put(machine, "apt-get", "#!/bin/sh\nexit 9\n")
    done = dev(machine, "demo")
    assert 1 == done.returncode
    line = "sudo apt-get update && sudo apt-get install -y --no-install-recommends g++"
    assert line in done.stderr


def test_missing_compiler_without_apt_names_what_is_missing(machine):
    done = dev(machine, "demo")
    assert 1 == done.returncode
    assert "missing: g++" in done.stderr


def test_apt_is_asked_only_for_what_is_missing(machine):
    put(machine, "apt-get", f'#!/bin/sh\necho "$@" >>{machine}/asked\n')
    dev(machine, "demo")
    asked = (machine / "asked").read_text().splitlines()
    assert ["update", "install -y --no-install-recommends g++"] == asked


def test_apt_is_not_called_where_nothing_is_missing(machine):
    put(machine, "apt-get", f'#!/bin/sh\necho "$@" >>{machine}/asked\n')
    put(machine, "c++", "#!/bin/sh\n")
    dev(machine, "demo")
    assert not (machine / "asked").exists()


def test_failing_step_shows_its_end_and_where_the_rest_is(machine):
    put(machine, "c++", "#!/bin/sh\n")
    done = dev(machine, "demo")
    assert 0 != done.returncode
    assert "no environment today" in done.stderr
    assert "failed: making .venv" in done.stderr
    assert "build/logs/making--venv.log" in done.stderr


def test_failing_apt_stops_with_its_words(machine):
    put(machine, "apt-get", "#!/bin/sh\necho no network\nexit 100\n")
    done = dev(machine, "demo")
    assert 0 != done.returncode
    assert "no network" in done.stderr
    assert "environment today" not in done.stderr


def test_unknown_command_is_refused_with_the_usage(machine):
    done = dev(machine, "fly")
    assert 1 == done.returncode
    assert "unknown command: fly" in done.stderr
    assert "usage: ./dev" in done.stderr


def test_dev_stays_one_short_script():
    assert os.access(ROOT / "dev", os.X_OK)
    assert len((ROOT / "dev").read_text().splitlines()) < 200
