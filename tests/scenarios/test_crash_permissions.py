"""Directories that may not be read or written, seen by a process without root's rights."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from scrubjay.store import verify
from tests.rows import add_all, open_at

ROOT = Path(__file__).parents[2]
NOBODY = 65_534

# Everything is imported before the rights go, since nobody may be barred from the sources.
CHILD = """
import os, sys
from pathlib import Path
import pyarrow.parquet
from scrubjay.base.errors import StorageError
from scrubjay.store import verify
from tests.rows import NOW_US, add_all, open_at
if os.getuid() == 0:
    os.setgid({nobody})
    os.setuid({nobody})
root = Path(sys.argv[1])
def tell(act):
    try:
        print("did", act())
    except StorageError as error:
        print(type(error).__name__, error)
{body}
"""


@pytest.fixture
def place():
    """A directory that every user can reach."""
    path = Path(tempfile.mkdtemp(prefix="scrubjay-rights-"))
    path.chmod(0o755)
    yield path
    for below in [path, *path.rglob("*")]:
        if below.is_dir():
            below.chmod(0o755)
    shutil.rmtree(path)


def as_nobody(root, body):
    """Run ``body`` without root's rights and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(nobody=NOBODY, body=body), str(root)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


def hold(place, count=3):
    """Make a memory with some rows and close it."""
    store = open_at(place / "m")
    add_all(store, [f"kept {n}" for n in range(count)])
    store.close()
    return place / "m"


def seal(root, mode_of_files, mode_of_folders):
    """Set the rights of everything below ``root``."""
    for path in [root, *root.rglob("*")]:
        path.chmod(mode_of_folders if path.is_dir() else mode_of_files)


def intact(root, count=3):
    """Check that the rows are there and sound."""
    seal(root, 0o644, 0o755)
    store = open_at(root, create=False)
    assert [f"kept {n}" for n in range(count)] == [row.content for row in store.engrams()]
    assert () == verify(store, None).findings
    store.close()


def test_i10_a_read_only_directory_is_told_and_can_be_read(place):
    root = hold(place)
    seal(root, 0o444, 0o555)
    told = as_nobody(
        root,
        "tell(lambda: open_at(root))\n"
        "store = open_at(root, read_only=True)\n"
        "tell(lambda: [row.content for row in store.engrams()])\n"
        "tell(lambda: add_all(store, ['x']))\n"
        "print(verify(store, None).findings)\n",
    ).splitlines()
    assert told[0].startswith("StorageError open: ")
    assert "read_only=True" in told[0]
    assert "did ['kept 0', 'kept 1', 'kept 2']" == told[1]
    assert told[2].startswith("StorageError write: ")
    assert "()" == told[3]
    intact(root)


def test_i10_a_new_memory_in_a_read_only_directory_is_told_and_not_begun(place):
    place.chmod(0o555)
    told = as_nobody(place / "m", "tell(lambda: open_at(root))")
    assert told.startswith("StorageError open: ")
    assert "owner and the mode" in told
    assert [] == list(place.iterdir())


@pytest.mark.parametrize("read_only", [False, True])
def test_i10_a_directory_without_any_permission_is_told(place, read_only):
    root = hold(place)
    seal(root, 0o600, 0o700)
    told = as_nobody(root, f"tell(lambda: open_at(root, read_only={read_only}))")
    assert told.startswith("StorageError open: ")
    assert "owner and the mode" in told
    intact(root)


def test_i10_a_database_that_may_not_be_read_is_told(place):
    root = hold(place)
    seal(root, 0o666, 0o777)
    (root / "tenants/default/memory.sqlite").chmod(0o600)
    told = as_nobody(root, "tell(lambda: open_at(root))")
    assert told.startswith("StorageError open: ")
    intact(root)


def test_i10_an_archive_that_may_not_be_written_leaves_its_rows_hot(place):
    root = hold(place)
    seal(root, 0o666, 0o777)
    folder = root / "tenants/default/archive"
    folder.mkdir()
    folder.chmod(0o555)
    told = as_nobody(
        root,
        "store = open_at(root)\n"
        "def freeze():\n"
        "    with store.write(now_us=NOW_US) as tx: tx.archive(list(store.engrams()))\n"
        "tell(freeze)\n"
        "tell(lambda: len(list(store.engrams())))\n",
    ).splitlines()
    assert told[0].startswith("StorageError write: ")
    assert "owner and the mode" in told[0]
    assert "did 3" == told[1]
    intact(root)


def test_i10_a_path_that_is_a_file_is_told(place):
    (place / "m").write_text("mine")
    (place / "m").chmod(0o644)
    for body in ("open_at(root)", "open_at(root, read_only=True)", "open_at(root / 'below')"):
        told = as_nobody(place / "m", f"tell(lambda: {body})")
        assert told.startswith("StorageError open: ")
        assert "choose" in told
    assert "mine" == (place / "m").read_text()
