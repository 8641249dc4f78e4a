"""A process killed while it saves leaves the old file or the new one, whole."""

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scrubjay.index import Index
from tests.scenarios.killed_saver import rows

ROOT = Path(__file__).parents[2]


def kill_once(savers, path, seed):
    """Let a saver run for a moment that ``seed`` gives, kill it, and return its last save."""
    draw = random.Random(seed)
    savers.stdin.write(f"{path}\n")
    savers.stdin.flush()
    pid = int(savers.stdout.readline().removeprefix("pid "))
    last = int(savers.stdout.readline())
    timer = threading.Timer(draw.uniform(0, 0.05), os.kill, (pid, signal.SIGKILL))
    timer.start()
    while (line := savers.stdout.readline().strip()) != "dead":
        last = int(line)
    timer.join()
    return last


@pytest.mark.parametrize(
    "kills", [15, pytest.param(150, marks=pytest.mark.slow)], ids=["quick", "whole"]
)
def test_i8_a_save_killed_at_any_instant_leaves_a_whole_file(tmp_path, kills):
    path = tmp_path / "index"
    with subprocess.Popen(
        [sys.executable, "-m", "tests.scenarios.killed_saver"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as savers:
        for seed in range(kills):
            acknowledged = kill_once(savers, path, seed)
            found = Index.open(path)
            assert found.watermark in (acknowledged, acknowledged + 1)
            assert rows(found.watermark % 6) == len(found)
        savers.stdin.close()
    # A kill between naming and renaming may leave one complete file with a temporary name.
    assert len(list(tmp_path.iterdir())) <= 1 + kills // 5
