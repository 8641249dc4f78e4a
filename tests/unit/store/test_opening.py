"""What may be opened, what is made, and what is refused with nothing made."""

import os
import shutil
from pathlib import Path

import apsw
import pytest

from scrubjay.base.errors import (
    ClosedError,
    CorruptionError,
    FormatVersionError,
    InvalidArgumentError,
    MissingTenantError,
    StorageError,
)
from scrubjay.base.ids import SeededEntropy
from scrubjay.store import verify
from tests.rows import NOW_US, abandoned, add_all, open_at


def tree(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def database_of(root, tenant="default"):
    return root / "tenants" / tenant / "memory.sqlite"


def test_i3_a_tenant_that_does_not_exist_is_not_made(tmp_path):
    with pytest.raises(MissingTenantError, match="create=True"):
        open_at(tmp_path / "m", create=False)
    assert [] == tree(tmp_path)
    open_at(tmp_path / "m").close()
    before = tree(tmp_path)
    for settings in ({"create": False}, {"read_only": True}):
        with pytest.raises(MissingTenantError, match="'ghost'"):
            open_at(tmp_path / "m", tenant="ghost", **settings)
    assert before == tree(tmp_path)


def test_i2_tenants_see_nothing_of_each_other(tmp_path):
    names = ["a", "A", "a/../b", "%", "b"]
    stores = [open_at(tmp_path / "m", tenant=name) for name in names]
    for name, store in zip(names, stores, strict=True):
        add_all(store, [f"of {name}"], origin={"principal": "b", "session": "../b"})
    for name, store in zip(names, stores, strict=True):
        assert [f"of {name}"] == [row.content for row in store.engrams()]
        assert name == store.tenant


def test_all_tenants_of_a_directory_share_its_node(tmp_path):
    a = open_at(tmp_path / "m", tenant="a")
    b = open_at(tmp_path / "m", tenant="b", entropy=SeededEntropy(99))
    ids = [add_all(store, ["x"])[0].id for store in (a, b)]
    assert ids[0][8:11] == ids[1][8:11]


def test_a_moved_tenant_file_is_refused(tmp_path):
    open_at(tmp_path / "m", tenant="a").close()
    open_at(tmp_path / "m", tenant="b").close()
    shutil.copy(database_of(tmp_path / "m", "a"), database_of(tmp_path / "m", "b"))
    with pytest.raises(CorruptionError, match="another tenant, got 'a', expected 'b'"):
        open_at(tmp_path / "m", tenant="b")
    open_at(tmp_path / "n", tenant="a", entropy=SeededEntropy(99)).close()
    shutil.copy(database_of(tmp_path / "m", "a"), database_of(tmp_path / "n", "a"))
    with pytest.raises(CorruptionError, match="made in another directory"):
        open_at(tmp_path / "n", tenant="a")


def test_a_foreign_database_is_refused_and_kept(tmp_path):
    open_at(tmp_path / "m").close()
    path = database_of(tmp_path / "m")
    path.unlink()
    with apsw.Connection(str(path)) as raw:
        raw.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    raw.close()
    for read_only in (False, True):
        with pytest.raises(FormatVersionError, match="not a scrubjay database"):
            open_at(tmp_path / "m", read_only=read_only)
    with apsw.Connection(str(path)) as raw:
        assert [(1,)] == raw.execute("SELECT x FROM theirs").fetchall()
        assert [("theirs",)] == raw.execute("SELECT name FROM sqlite_schema").fetchall()


def test_a_newer_database_is_refused_and_kept(tmp_path):
    add_all(open_at(tmp_path / "m"), ["x"])
    path = database_of(tmp_path / "m")
    raw = apsw.Connection(str(path))
    raw.pragma("user_version", 99)
    with pytest.raises(FormatVersionError, match="newer scrubjay, got format 99"):
        open_at(tmp_path / "m")
    raw.pragma("user_version", 1)
    assert ["x"] == [row.content for row in open_at(tmp_path / "m").engrams()]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path, read_only):
    open_at(tmp_path / "m").close()
    path = database_of(tmp_path / "m")
    path.write_text("# notes\n" * 900)
    with pytest.raises(FormatVersionError, match="not a SQLite database"):
        open_at(tmp_path / "m", read_only=read_only)
    assert path.read_text().startswith("# notes")


def test_a_damaged_database_is_refused(tmp_path):
    store = open_at(tmp_path / "m")
    add_all(store, ["x"])
    store.close()
    path = database_of(tmp_path / "m")
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\xff" * 3996
    path.write_bytes(data)
    with pytest.raises(CorruptionError, match="restore"):
        open_at(tmp_path / "m")


def test_a_truncated_database_is_refused(tmp_path):
    store = open_at(tmp_path / "m")
    add_all(store, [f"row {n}" for n in range(500)])
    store.close()
    path = database_of(tmp_path / "m")
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(CorruptionError, match="restore"):
        verify_open(tmp_path / "m")


def verify_open(root):
    """Open and read everything; the doctor lists what an opening does not notice."""
    store = open_at(root)
    report = verify(store, None)
    if not report.ok:
        raise CorruptionError(report.findings[0].problem + report.findings[0].remedy)


@pytest.mark.parametrize("bad", ["a\0b"])
def test_an_impossible_path_is_refused(bad):
    with pytest.raises(InvalidArgumentError, match="NUL"):
        open_at(bad)


def test_reading_only_sees_what_others_write_and_writes_nothing(tmp_path):
    writer = open_at(tmp_path / "m")
    add_all(writer, ["one"])
    reader = open_at(tmp_path / "m", read_only=True)
    assert 1 == reader.last_seq()
    add_all(writer, ["two"])
    assert 2 == reader.last_seq()
    assert ["one", "two"] == [row.content for row in reader.engrams()]
    with pytest.raises(StorageError, match="read_only=True"), reader.write(now_us=NOW_US):
        pass


def test_a_closed_store_says_so(tmp_path):
    store = open_at(tmp_path / "m")
    store.close()
    store.close()
    for act in (store.last_seq, store.counts, lambda: list(store.engrams())):
        with pytest.raises(ClosedError, match="open the memory again"):
            act()
    with pytest.raises(ClosedError), store.write(now_us=NOW_US):
        pass
    with pytest.raises(ClosedError):
        store.cache_embeddings("s", [(b"1", b"2")])


def test_a_relative_path_is_kept_when_the_process_moves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = open_at(Path("m"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    rows = add_all(store, ["x", "y"])
    with store.write(now_us=NOW_US) as tx:
        tx.archive(rows[:1])
    assert "x" == store.engram(rows[0].id).content
    assert [] == list((tmp_path / "elsewhere").iterdir())


def test_reopening_shows_everything(tmp_path):
    store = open_at(tmp_path / "m", durability="commit")
    add_all(store, ["kept"])
    with abandoned(store) as tx:
        tx.put_meta("k", "v")
    store.close()
    store = open_at(tmp_path / "m", create=False, durability="commit")
    assert ["kept"] == [row.content for row in store.engrams()]
    assert None is store.meta("k")
    assert 1 == store.last_seq()
