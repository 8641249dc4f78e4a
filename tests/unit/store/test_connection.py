"""Every connection has the settings that the promises rest on."""

import threading

import apsw
import pytest

from scrubjay.base.errors import ClosedError, CorruptionError, StorageError
from scrubjay.store.connection import ReaderPool, open_database


@pytest.mark.parametrize(("durability", "synchronous"), [("commit", 2), ("batch", 1)])
def test_a_writer_has_its_settings(tmp_path, durability, synchronous):
    database = open_database(tmp_path / "db", mode="write", durability=durability)
    expected = {
        "journal_mode": "wal", "synchronous": synchronous, "foreign_keys": 1, "secure_delete": 1,
        "trusted_schema": 0, "cell_size_check": 1, "temp_store": 2, "query_only": 0,
    }  # fmt: skip
    assert expected == {name: database.pragma(name) for name in expected}
    database.close()
    database.close()


def test_a_setting_that_is_not_taken_is_an_error(tmp_path):
    database = open_database(tmp_path / "db", mode="write")
    with pytest.raises(StorageError, match="pragma page_size was refused"):
        database.set_pragma("page_size", 1000)


def test_a_reader_cannot_write(tmp_path):
    open_database(tmp_path / "db", mode="write").run("CREATE TABLE t (x)")
    reader = open_database(tmp_path / "db", mode="read")
    with pytest.raises(StorageError, match="read_only"):
        reader.run("INSERT INTO t VALUES (1)")


def test_a_path_with_marks_of_a_uri_is_taken_literally(tmp_path):
    path = tmp_path / "a?mode=memory#%41 ü.db"
    open_database(path, mode="write").close()
    assert path.is_file()


def test_a_text_file_is_not_a_database(tmp_path):
    (tmp_path / "db").write_text("hello " * 200)
    with pytest.raises(CorruptionError, match="restore"):
        open_database(tmp_path / "db", mode="write")


def test_statements_that_fail_come_out_typed(tmp_path):
    database = open_database(tmp_path / "db", mode="write")
    for act in (database.rows, database.run, lambda sql: database.run_many(sql, [()])):
        with pytest.raises(StorageError, match="syntax error"):
            act("NONSENSE")


def test_readers_are_used_again_and_closed_with_the_pool(tmp_path):
    open_database(tmp_path / "db", mode="write").run("CREATE TABLE t (x)")
    pool = ReaderPool(tmp_path / "db", mode="read")
    with pool.lease() as first, pool.lease() as second:
        assert first is not second
    with pool.lease() as again:
        assert again is first
        pool.close()
    with pytest.raises(ClosedError, match="open the memory again"):
        pool.lease()
    with pytest.raises(apsw.ConnectionClosedError):
        first._connection.execute("SELECT 1")


def test_a_reader_does_not_wait_for_a_writer(tmp_path):
    writer = open_database(tmp_path / "db", mode="write")
    writer.run("CREATE TABLE t (x)")
    pool = ReaderPool(tmp_path / "db", mode="read")
    assert writer.try_begin_immediate()
    writer.run("INSERT INTO t VALUES (1)")
    seen = []

    def read():
        with pool.lease() as reader:
            seen.append(reader.rows("SELECT count(*) FROM t"))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join(5)
    assert [[(0,)]] == seen
    other = open_database(tmp_path / "db", mode="write", busy_ms=0)
    assert not other.try_begin_immediate()
    writer.rollback()
    writer.rollback()
    assert other.try_begin_immediate()
