"""Disks that fill up and power that goes: what was acknowledged is there, the rest is not."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.base.errors import StorageError
from scrubjay.base.trace import RowFilter, State
from scrubjay.store import verify
from tests.faults import FullDisk
from tests.rows import NOW_US, add_all, open_at

ROOT = Path(__file__).parents[2]
ALL = RowFilter(states=tuple(State))


@pytest.fixture(scope="module")
def full_disk():
    """A file system that can be filled at will."""
    return FullDisk()


def fill(store):
    """Add rows until something gives way."""
    for n in range(200):
        add_all(store, [f"more {n} " + "x" * 5000 for _ in range(10)])


@pytest.mark.parametrize("writes", [0, 1, 2, 3, 5, 8, 13, 40])
def test_i10_a_full_disk_is_told_and_nothing_is_lost(tmp_path, full_disk, writes):
    full_disk.writes_left = None
    store = open_at(tmp_path / "m", vfs="full-disk")
    kept = add_all(store, [f"kept {n}" for n in range(20)])
    before = list(store.export_lines())
    full_disk.writes_left = writes
    with pytest.raises(StorageError, match="free some space"):
        fill(store)
    assert {row.id for row in kept} <= {row.id for row in store.engrams()}
    full_disk.writes_left = None
    committed = store.last_seq()
    assert before[1:21] == list(store.export_lines())[1:21]
    assert () == verify(store, None).findings
    add_all(store, ["room again"])
    assert committed + 1 == store.last_seq()
    store.close()
    reopened = open_at(tmp_path / "m")
    assert 20 + 10 * (committed - 1) + 1 == len(list(reopened.engrams()))
    assert () == verify(reopened, None).findings


def test_i10_a_disk_that_is_full_at_the_first_opening(tmp_path, full_disk):
    full_disk.writes_left = 0
    with pytest.raises(StorageError, match="free some space"):
        open_at(tmp_path / "m", vfs="full-disk")
    full_disk.writes_left = None
    store = open_at(tmp_path / "m", vfs="full-disk")
    add_all(store, ["works"])
    assert () == verify(store, None).findings


def test_i10_an_archive_that_does_not_fit_leaves_its_rows_hot(tmp_path):
    store = open_at(tmp_path / "m")
    rows = add_all(store, [os.urandom(2_000).hex() for _ in range(40)])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    import pyarrow.parquet  # noqa: F401 - loaded before files are limited

    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(StorageError, match="raise the limit"), store.write(now_us=1) as tx:
            tx.archive(rows)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert [row.id for row in rows] == [row.id for row in store.engrams()]
    assert () == verify(store, None).findings


POWER_CUT = """
import os, sys
from pathlib import Path
from tests.faults import PowerCut
from tests.rows import NOW_US, add, add_all, open_at
root, durability, writes = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
power = PowerCut(on_cut=lambda: os._exit(9))
store = open_at(root, durability=durability, vfs="power-cut")
rows = add_all(store, [f"base {n}" for n in range(50)])
os.write(1, b"".join(f"base {n}\\n".encode() for n in range(50)))
power.writes_left = writes
for n in range(400):
    with store.write(now_us=NOW_US) as tx:
        contents = [f"{n}.{k} " + "y" * 300 for k in range(n % 4 + 1)]
        for content in contents: add(tx, content)
    os.write(1, "".join(content + "\\n" for content in contents).encode())
    if n % 37 == 36: store._writer._database.checkpoint(truncate=True)
power.lose_unsynced()
os._exit(9)
"""


@pytest.mark.parametrize("durability", ["commit", "batch"])
@pytest.mark.parametrize("writes", [0, 7, 60, 333, 1_500, 100_000])
def test_i17_a_power_cut_loses_nothing_acknowledged_under_commit(tmp_path, durability, writes):
    done = subprocess.run(
        [sys.executable, "-c", POWER_CUT, str(tmp_path / "m"), durability, str(writes)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert 9 == done.returncode, done.stderr
    acknowledged = done.stdout.splitlines()
    assert 50 <= len(acknowledged)
    store = open_at(tmp_path / "m", durability=durability)
    found = [row.content for row in store.engrams()]
    assert len(found) == len(set(found))
    assert () == verify(store, None).findings
    if durability == "commit":
        assert set(acknowledged) <= set(found)
    else:
        assert acknowledged[: len(found)] == found
        assert len(found) < len(acknowledged), "the cut lost nothing, so it proves nothing"
    add_all(store, ["afterwards"])
    assert () == verify(store, None).findings


def test_f5_a_crash_between_the_segment_and_the_commit_leaves_each_row_once(tmp_path, monkeypatch):
    store = open_at(tmp_path / "m")
    rows = add_all(store, [f"fact {n}" for n in range(10)])
    # The process dies after the file is durable and before the database commits: the file stays.
    monkeypatch.setattr(store.folder, "remove", lambda name: None)
    with pytest.raises(KeyboardInterrupt), store.write(now_us=NOW_US) as tx:
        raise_after(tx.archive, rows)
    store.close()
    assert 1 == len(list((tmp_path / "m").rglob("*.parquet")))
    store = open_at(tmp_path / "m")
    assert [row.id for row in rows] == [row.id for row in store.engrams(where=ALL)]
    assert [] == list(store.search_archive(where=RowFilter(), limit=99))
    assert [] == list((tmp_path / "m").rglob("*.parquet"))
    assert () == verify(store, None).findings


def test_f5_a_crash_between_the_commit_and_the_tidying_leaves_each_row_once(tmp_path, monkeypatch):
    store = open_at(tmp_path / "m")
    rows = add_all(store, [f"fact {n}" for n in range(10)])
    with store.write(now_us=NOW_US) as tx:
        tx.archive(rows)
    monkeypatch.setattr(store.folder, "remove", lambda name: None)
    with store.write(now_us=NOW_US) as tx:
        tx.erase([rows[0].id])
    store.close()
    assert 2 == len(list((tmp_path / "m").rglob("*.parquet")))
    store = open_at(tmp_path / "m")
    found = [hit.engram.content for hit in store.search_archive(where=RowFilter(), limit=99)]
    assert sorted(f"fact {n}" for n in range(1, 10)) == sorted(found)
    assert 1 == len(list((tmp_path / "m").rglob("*.parquet")))
    assert () == verify(store, None).findings


def raise_after(act, *arguments):
    """Do something, then be interrupted."""
    act(*arguments)
    raise KeyboardInterrupt
