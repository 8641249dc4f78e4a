"""A writer killed at any instant loses nothing it has acknowledged."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from scrubjay.base.trace import RowFilter, State
from scrubjay.store import verify
from tests.rows import SPACE, open_at

ROOT = Path(__file__).parents[2]
ALL = RowFilter(states=tuple(State))
KILLS_OF_A_STORE = 20
"""A check reads the whole store, so a store that grew for ever would make the last ones slow."""


class Expected:
    """What the writers have acknowledged so far."""

    def __init__(self):
        self.stored, self.doubtful, self.erased = set(), set(), set()

    def take(self, line):
        """Take in one line of a writer."""
        {"+": self.stored, "?": self.doubtful, "-": self.erased}[line[0]].add(line[1:])


def kill_once(writers, path, seed, expected):
    """Let a writer run for a moment that ``seed`` gives, kill it, and take in what it said."""
    draw = random.Random(seed)
    writers.stdin.write(f"{path} {seed}\n")
    writers.stdin.flush()
    pid = int(writers.stdout.readline().removeprefix("pid "))
    for _ in range(draw.randint(0, 12)):
        expected.take(writers.stdout.readline().strip())
    timer = threading.Timer(draw.uniform(0, 0.01), os.kill, (pid, signal.SIGKILL))
    timer.start()
    while (line := writers.stdout.readline().strip()) != "dead":
        expected.take(line)
    timer.join()


def check(path, expected):
    """Compare the store with what was acknowledged."""
    store = open_at(path, create=False)
    found = Counter(row.id.hex() for row in store.engrams(where=ALL))
    assert set(found.values()) <= {1}
    assert expected.stored - expected.doubtful <= set(found)
    assert not expected.erased & set(found)
    assert set(found) <= expected.stored | unacknowledged(found, expected)
    cold = Counter(
        hit.engram.id.hex() for hit in store.search_archive(where=RowFilter(), limit=9**9)
    )
    live = {row.id.hex() for row in store.engrams()}
    assert cold + Counter(live) == found
    locals_ = {local for _, local, dropped in store.changes_since(0) if not dropped}
    assert locals_ == set(store.index_rows(space=SPACE).local.tolist())
    report = verify(store, locals_)
    store.close()
    assert () == report.findings


def unacknowledged(found, expected):
    """Return at most one batch: the commit that was made and not yet told."""
    extra = set(found) - expected.stored
    assert len(extra) <= 3
    expected.stored |= extra
    return extra


@pytest.mark.parametrize(
    "kills", [20, pytest.param(200, marks=pytest.mark.slow)], ids=["quick", "whole"]
)
def test_i8_a_writer_killed_at_any_instant_loses_nothing_acknowledged(tmp_path, kills):
    stored = 0
    with subprocess.Popen(
        [sys.executable, "-m", "tests.scenarios.killed_writer"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writers:
        for first in range(0, kills, KILLS_OF_A_STORE):
            path, expected = tmp_path / f"m{first}", Expected()
            open_at(path).close()
            for seed in range(first, first + KILLS_OF_A_STORE):
                kill_once(writers, path, seed, expected)
                check(path, expected)
            stored += len(expected.stored)
        writers.stdin.close()
    assert kills < stored
