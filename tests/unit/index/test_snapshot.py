"""Saving and opening, as Python sees it: arguments, errors, files, and what is promised of them."""

import os
import resource
import stat
import subprocess
import sys

import numpy as np
import pytest

from scrubjay.base.errors import (
    ArgumentTypeError,
    CorruptionError,
    FormatVersionError,
    InvalidArgumentError,
    StorageError,
    UnitError,
)
from scrubjay.index import Filter, Index, Weights
from scrubjay.index.snapshot import MOST_EPOCH_BYTES

EAST = np.array([1, 0, 0], np.float32)


def filled(count=100, **options):
    index = Index(3, **options)
    draw = np.random.default_rng(count)
    index.add(
        np.arange(count),
        draw.standard_normal((count, 3), np.float32),
        now_us=5,
        kind=np.arange(count) % 4,
        salience=draw.random(count, np.float32),
        half_life_us=1_000_000,
    )
    return index


def names(folder):
    return [path.name for path in folder.iterdir()]


def answers(index):
    result = index.search(EAST, 20, now_us=2_000_000, where=Filter(kinds=[1, 2]))
    return result.keys.tolist(), result.scores.tolist()


@pytest.mark.parametrize("storage", ["f32", "f16", "i8"])
@pytest.mark.parametrize("verify", ["full", "header"])
def test_what_is_opened_is_what_was_saved(tmp_path, storage, verify):
    index = filled(storage=storage, frequency="saturating", frequency_ceiling=9)
    index.save(tmp_path / "a.sji", watermark=41, epoch=b"first life")
    again = Index.open(tmp_path / "a.sji", verify=verify)
    assert (41, b"first life") == (again.watermark, again.epoch)
    assert (3, storage, 100) == (again.dim, again.storage, len(again))
    assert answers(index) == answers(again)
    assert index.vectors(index.keys()).tobytes() == again.vectors(again.keys()).tobytes()


def test_a_new_index_has_no_watermark():
    assert (0, b"") == (Index(3).watermark, Index(3).epoch)


def test_an_empty_index_can_be_saved_and_filled_later(tmp_path):
    Index(3).save(tmp_path / "a")
    again = Index.open(tmp_path / "a")
    assert 0 == len(again)
    again.add(np.array([1]), EAST[None, :], now_us=0)
    assert [1] == again.search(EAST, 5, now_us=0).keys.tolist()


def test_a_path_may_be_relative_or_hold_any_character(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("plain", "two words", "\u9ce5.sji", os.fsdecode(b"bytes-\xff")):
        filled().save(path)
        assert 100 == len(Index.open(path))
    assert 4 == len(names(tmp_path))


def test_changes_of_an_opened_index_stay_in_memory(tmp_path):
    path = tmp_path / "a"
    filled().save(path)
    before = path.read_bytes()
    again, twin = Index.open(path), Index.open(path)
    again.remove(np.arange(50))
    again.update(np.array([60]), vectors=EAST[None, :], salience=0.25)
    again.reinforce(np.array([61]), now_us=7, count=2)
    again.add(np.arange(1000, 1200), np.ones((200, 3), np.float32), now_us=9)
    assert before == path.read_bytes()
    assert answers(twin) == answers(filled())
    assert 250 == len(again)


def test_a_new_file_has_the_mode_of_any_other(tmp_path):
    mask = os.umask(0o027)
    try:
        filled().save(tmp_path / "a")
        (tmp_path / "b").touch()
    finally:
        os.umask(mask)
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"}
    assert {0o640} == modes


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 4096])
def test_a_file_that_outgrows_its_limit_leaves_the_old_one(tmp_path, size):
    path = tmp_path / "a"
    filled(10).save(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(StorageError, match="raise the limit"):
            filled(500).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert before == path.read_bytes()
    assert ["a"] == names(tmp_path)


def test_a_full_disk_leaves_the_old_file(tmp_path):
    script = f"""
import os, numpy as np
from scrubjay.base.errors import StorageError
from scrubjay.index import Index
index = Index(64)
index.add(np.arange(4000), np.ones((4000, 64), np.float32), now_us=0)
small = Index(64)
small.save("{tmp_path}/a")
before = os.path.getsize("{tmp_path}/a")
try:
    index.save("{tmp_path}/a")
except StorageError as error:
    assert "free some space" in str(error), error
    assert before == os.path.getsize("{tmp_path}/a")
    assert ["a"] == os.listdir("{tmp_path}")
    print("refused")
"""
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(tmp_path)]
    command = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        '"$@" && exec "$PYTHON" -c "$SCRIPT"',
        "sh",
        *mount,
    ]
    environment = os.environ | {"PYTHON": sys.executable, "SCRIPT": script}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("unshare is missing")
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("this process may not mount a small file system")
    assert ("refused\n", 0) == (done.stdout, done.returncode), done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind the superuser")
def test_a_directory_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="Permission denied"):
        filled().save(tmp_path / "a")


def test_what_is_not_there_or_no_file_is_refused(tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        Index.open(tmp_path / "missing")
    with pytest.raises(StorageError, match="got a directory"):
        Index.open(tmp_path)
    with pytest.raises(StorageError, match="directory"):
        filled().save(tmp_path)
    with pytest.raises(StorageError, match="No such file"):
        filled().save(tmp_path / "missing" / "a")
    assert [] == names(tmp_path)


def test_damage_says_what_and_where(tmp_path):
    path = tmp_path / "a"
    filled().save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(CorruptionError, match=rf"{path}: vectors.* checksum .* build the index"):
        Index.open(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(CorruptionError, match="length of the file"):
        Index.open(path, verify="header")
    path.write_bytes(whole[:8] + b"\x03" + whole[9:])
    with pytest.raises(FormatVersionError, match="got 3, expected 1 to 2"):
        Index.open(path)
    path.write_bytes(b"SQLite format 3\0" * 10)
    with pytest.raises(FormatVersionError, match="no snapshot"):
        Index.open(path)


def test_impossible_arguments_are_refused(tmp_path):
    index = filled()
    path = tmp_path / "a"
    for watermark in (-1, 2**64):
        with pytest.raises(UnitError, match="watermark"):
            index.save(path, watermark=watermark)
    with pytest.raises(UnitError, match="epoch is too long"):
        index.save(path, epoch=bytes(MOST_EPOCH_BYTES + 1))
    with pytest.raises(ArgumentTypeError, match="epoch has the wrong type"):
        index.save(path, epoch="text")
    for call in (index.save, Index.open):
        with pytest.raises(ArgumentTypeError, match="path has the wrong type"):
            call(7)
        with pytest.raises(InvalidArgumentError, match="zero byte"):
            call("a\0b")
    with pytest.raises(InvalidArgumentError, match="verify is unknown"):
        Index.open(path, verify="none")
    with pytest.raises(InvalidArgumentError, match="isa is unknown"):
        Index.open(path, isa="abacus")
    assert [] == names(tmp_path)


@pytest.mark.parametrize("verify", ["full", "header"])
def test_a_graph_is_walked_at_once_and_goes_on_as_if_never_closed(tmp_path, verify):
    index = filled(2000, exact_below=500, connectivity=8, storage="i8")
    index.remove(np.arange(0, 2000, 7))
    index.save(tmp_path / "a")
    again = Index.open(tmp_path / "a", verify=verify)
    alike = Weights(relevance=1, recency=0, salience=0, frequency=0)
    assert "walk" == again.search(EAST, 5, now_us=5, weights=alike).plan
    assert "composite" == again.search(EAST, 5, now_us=5).plan
    for one in (index, again):
        one.add(np.arange(0, 2000, 7), np.ones((286, 3), np.float32), now_us=9)
        one.save(tmp_path / ("b" if one is index else "c"))
    assert answers(index) == answers(again)
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_a_link_that_leads_nowhere_is_refused_by_its_list(tmp_path):
    path = tmp_path / "a"
    filled(exact_below=50, connectivity=2).save(path)
    whole = bytearray(path.read_bytes())
    entry = whole.index(b"links.base\0")
    first = int.from_bytes(whole[entry + 48 : entry + 56], "little")
    whole[first : first + 4] = (128).to_bytes(4, "little")
    path.write_bytes(bytes(whole))
    with pytest.raises(CorruptionError, match=r"links\.base is damaged, got checksum"):
        Index.open(path)
    # Only the checks of the links themselves are left when checksums of arrays are not asked for.
    with pytest.raises(CorruptionError, match="list of slot 0 on level 0 is damaged, got 128"):
        Index.open(path, verify="header")
