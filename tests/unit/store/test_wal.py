"""A log damaged on disk is told from one that a crash cut short."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.base.errors import CorruptionError
from scrubjay.store.wal import commits_behind_damage
from tests.rows import open_at

ROOT = Path(__file__).parents[3]
COMMITS = 12
WRITER = """
import os, sys
from tests.rows import add_all, open_at
store = open_at(sys.argv[1])
for number in range(12):
    add_all(store, [f"row {number}"])
os.kill(os.getpid(), 9)
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory) -> dict[str, bytes]:
    """The files of a store whose writer was killed after twelve commits."""
    root = tmp_path_factory.mktemp("killed") / "m"
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(root)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
        timeout=120,
    )
    assert -signal.SIGKILL == done.returncode
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    }


@pytest.fixture
def copy(tmp_path, killed) -> Path:
    """A copy of that store, to be damaged."""
    for name, data in killed.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return tmp_path


def _database(root: Path) -> Path:
    return root / "tenants/default/memory.sqlite"


def _flip(root: Path, offset: int) -> None:
    path = _database(root).with_name("memory.sqlite-wal")
    data = bytearray(path.read_bytes())
    data[offset] ^= 4
    path.write_bytes(data)


def test_a_sound_log_has_nothing_behind_damage_and_opens_whole(copy):
    assert 0 == commits_behind_damage(_database(copy))
    store = open_at(copy)
    assert COMMITS == len(list(store.engrams()))
    store.close()


@pytest.mark.parametrize("where", ["header", "salt", "page"])
def test_i15_a_flipped_bit_in_the_log_is_refused_under_commit(copy, where):
    _flip(copy, {"header": 26, "salt": 32 + 9, "page": 32 + 24 + 700}[where])
    before = _database(copy).read_bytes()
    for read_only in (False, True):
        with pytest.raises(CorruptionError, match="the log is damaged"):
            open_at(copy, durability="commit", read_only=read_only)
    assert before == _database(copy).read_bytes()


def test_i15_what_a_damaged_log_costs_is_journalled_where_it_is_accepted(copy):
    size = _database(copy).with_name("memory.sqlite-wal").stat().st_size
    _flip(copy, size // 2)
    lost = commits_behind_damage(_database(copy))
    assert 2 <= lost < COMMITS
    store = open_at(copy, durability="batch")
    events = [(event.event, event.detail) for event in store.journal_events(after_seq=0)]
    assert ("log.damaged", f'{{"commits":{lost}}}') in events
    assert 0 < len(list(store.engrams())) < COMMITS
    store.close()


@pytest.mark.parametrize("kept", [0, 20, 31, 32, 60, 5_000])
def test_a_log_cut_short_has_no_commit_behind_its_end(copy, kept):
    path = _database(copy).with_name("memory.sqlite-wal")
    path.write_bytes(path.read_bytes()[:kept])
    assert 0 == commits_behind_damage(_database(copy))


def test_damage_to_the_newest_commit_looks_like_a_write_cut_short(copy):
    _flip(copy, _database(copy).with_name("memory.sqlite-wal").stat().st_size - 1)
    assert 1 >= commits_behind_damage(_database(copy))
    store = open_at(copy)
    assert COMMITS - 1 == len(list(store.engrams()))
    store.close()
