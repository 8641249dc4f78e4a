"""Segments are files whose name proves their content."""

import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from scrubjay.base.errors import CorruptionError, StorageError
from scrubjay.base.ids import make_id
from scrubjay.store.segments import ColdRow, SegmentFolder, StoredVector
from tests.rows import engram


def cold_rows(count):
    return [
        ColdRow(
            engram(make_id(now_us=n, node=1, counter=n + 1), f"text {n}\0"),
            (StoredVector("a/2", 0.5, bytes([n % 256] * 4)), StoredVector("b/1", 1.0, b"xy")),
        )
        for n in range(count)
    ]


def test_the_same_rows_give_the_same_bytes_in_any_order(tmp_path):
    rows = cold_rows(300)
    one = SegmentFolder(tmp_path / "one").write(rows)
    two = SegmentFolder(tmp_path / "two").write(rows[::-1])
    assert one == two
    assert (tmp_path / "one" / one.name).read_bytes() == (tmp_path / "two" / two.name).read_bytes()
    assert (one.name, one.engrams) == (one.sha256.hex() + ".parquet", 300)


def test_a_segment_gives_back_texts_and_vectors(tmp_path):
    rows = cold_rows(3)
    folder = SegmentFolder(tmp_path)
    segment = folder.read(folder.write(rows).name)
    assert {row.engram.id for row in rows} == segment.ids
    assert ("text 1\0", None, None) == segment.raw(rows[1].engram.id)
    assert rows[2].vectors == segment.vectors(rows[2].engram.id)
    assert 2 == segment.without(frozenset([rows[0].engram.id])).num_rows
    with pytest.raises(CorruptionError, match="missing from its segment"):
        segment.raw(make_id(now_us=1, node=2, counter=1))


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_reading_starts_no_thread_that_could_outlive_the_process(tmp_path):
    name = SegmentFolder(tmp_path).write(cold_rows(300)).name
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "import pyarrow.parquet\n"
        "from scrubjay.store.segments import SegmentFolder\n"
        "threads = lambda: len(os.listdir('/proc/self/task'))\n"
        "before = threads()\n"
        "rows = len(SegmentFolder(Path(sys.argv[1])).read(sys.argv[2]).ids)\n"
        "print(rows, threads() - before)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path), name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "300 0" == done.stdout.strip()


def test_a_segment_can_be_read_without_scrubjay(tmp_path):
    file = SegmentFolder(tmp_path).write(cold_rows(2))
    table = pq.read_table(tmp_path / file.name)
    assert ["text 0\0", "text 1\0"] == table.column("content").to_pylist()
    assert ["main", "main"] == table.column("scope").to_pylist()


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:99] + b"?" + data[100:]]
)
def test_a_damaged_file_is_told_by_name_and_hash(tmp_path, damage):
    folder = SegmentFolder(tmp_path)
    name = folder.write(cold_rows(5)).name
    path = tmp_path / name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CorruptionError, match="damaged"):
        folder.read(name)
    assert name in (folder.check(name) or "")


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="check that the directory exists"):
        SegmentFolder(tmp_path).read("0.parquet")


def test_reading_many_segments_keeps_few_in_memory(tmp_path):
    folder = SegmentFolder(tmp_path)
    names = [folder.write(cold_rows(n)).name for n in range(1, 12)]
    for name in names:
        folder.read(name)
    assert 8 == len(folder._cache)
    assert set(names) == folder.names()
    folder.remove(names[0])
    folder.remove(names[0])
    assert set(names[1:]) == folder.names()


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError):
        SegmentFolder(tmp_path / "file" / "archive").write(cold_rows(1))
