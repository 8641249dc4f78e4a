"""What the tests of the command line share: a runner, and a small memory that nobody changes."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scrubjay import Memory
from scrubjay.base.trace import ToolResult
from scrubjay.cli.app import app

LONG = "zebra " + "x" * 5000 + " end"


@pytest.fixture
def run(monkeypatch):
    """Run a command in this process, checking its exit code; no terminal, 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("SCRUBJAY_DIR", raising=False)

    def go(*arguments: object, code: int = 0, input: str = "") -> Result:
        result = CliRunner().invoke(app, [str(a) for a in arguments], input=input)
        detail = f"{result.stderr}\n{result.exception!r}"
        assert code == result.exit_code, detail
        return result

    return go


@pytest.fixture(scope="session")
def _small(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("cli") / "small.memory"
    with Memory.open(directory, scope="ops") as memory:
        memory.observe("The backups go through heron.", principal="operator")
        memory.observe("A queue worker is stalled on queue-5.", principal="operator")
        memory.observe(
            '{"host": "queue-2", "disk_pct": 71}',
            role="tool",
            principal="host_vitals",
            tool_result=ToolResult(call_id="c1", name="host_vitals", exit_code=0),
        )
        memory.sleep()
        for value, day in (("PostgreSQL", 1_770_000_000), ("ClickHouse", 1_774_000_000)):
            memory.remember(
                subject="metrics store",
                predicate="uses",
                object=value,
                valid_from=day * 1_000_000,
                functional=True,
                principal="operator",
            )
    return directory


@pytest.fixture
def small(_small, tmp_path) -> Path:
    """A copy of a small memory: two turns, a reading, a belief that changed."""
    return Path(shutil.copytree(_small, tmp_path / "small.memory"))


@pytest.fixture
def small_with_long_memory(small) -> tuple[Path, str]:
    """The small memory with one long memory in it."""
    with Memory.open(small, scope="ops") as memory:
        memory.observe(LONG)
    return small, LONG


@pytest.fixture
def messages(tmp_path) -> Path:
    """A file of five messages, of which the third line is broken."""
    path = tmp_path / "talk.jsonl"
    lines = [
        json.dumps({"role": "user", "content": f"Line {n} about turbines.", "id": f"m{n}"})
        for n in range(1, 6)
    ]
    lines[2] = '{"role": "user", "content": '
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
