"""Writes take turns; each is whole or nothing; what is left behind is tidied up."""

import threading

import pytest

from scrubjay.base.errors import BusyError, ConflictError
from scrubjay.store.writer import Writer
from tests.rows import NOW_US, abandoned, add, add_all, open_at


def test_a_write_inside_a_write_of_the_same_thread_is_refused(store):
    with store.write(now_us=NOW_US) as tx:
        with pytest.raises(ConflictError, match="inside a write already"), store.write(now_us=1):
            pass
        add(tx, "outer")
    assert ["outer"] == [row.content for row in store.engrams()]


def test_an_abandoned_write_leaves_nothing_and_the_next_succeeds(store):
    with abandoned(store) as tx:
        add(tx, "lost")
        tx.put_meta("k", "v")
        tx.journal("lost")
    assert (0, None, []) == (store.last_seq(), store.meta("k"), list(store.journal_events()))
    add_all(store, ["kept"])
    assert [(1, 1, False)] == store.changes_since(0)


def test_a_write_that_changes_nothing_is_no_commit(store):
    with store.write(now_us=NOW_US):
        pass
    assert 0 == store.last_seq()
    assert None is store.last_instant_us()


def test_only_the_thread_inside_sees_its_writes(store):
    seen = []
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, "fresh")
        assert ["fresh"] == [one.content for one in store.engrams()]
        assert {row.local} == set(store.engrams_by_local([row.local]))
        assert [row.local] == store.index_rows(space="test/words-8").local.tolist()
        assert [(1, row.local, False)] == store.changes_since(0)
        assert 1 == store.counts()["vectors"]
        thread = threading.Thread(target=lambda: seen.append(list(store.engrams())))
        thread.start()
        thread.join()
    assert [[]] == seen


def test_another_process_holding_the_lock_ends_in_a_busy_error(tmp_path):
    one, two = open_at(tmp_path / "m"), open_at(tmp_path / "m")
    two._writer._timeout_s = 0.05
    with (
        one.write(now_us=NOW_US),
        pytest.raises(BusyError, match="another process was writing"),
        two.write(now_us=NOW_US),
    ):
        pass
    add_all(two, ["later"])


def test_another_thread_holding_the_lock_ends_in_a_busy_error(store):
    store._writer._timeout_s = 0.05
    inside, done, raised = threading.Event(), threading.Event(), []

    def hold():
        with store.write(now_us=NOW_US):
            inside.set()
            done.wait(10)

    def try_to_write():
        try:
            with store.write(now_us=NOW_US):
                pass
        except BusyError as error:
            raised.append(str(error))

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait(10)
    try_to_write()
    done.set()
    holder.join()
    assert ["another thread" in text for text in raised] == [True]


def test_what_waits_for_a_checkpoint_is_scrubbed_later(tmp_path):
    store, reader = open_at(tmp_path / "m"), open_at(tmp_path / "m", read_only=True)
    rows = add_all(store, ["xylophone7"])
    log = tmp_path / "m/tenants/default/memory.sqlite-wal"
    with reader.reader() as database:
        database.run("BEGIN")
        database.rows("SELECT * FROM engram")
        with store.write(now_us=NOW_US) as tx:
            tx.erase([rows[0].id])
        assert store._writer._scrub_due
        assert b"xylophone7" in log.read_bytes()
        database.rollback()
    add_all(store, ["next"])
    assert not store._writer._scrub_due
    assert b"xylophone7" not in log.read_bytes()


def test_closing_inside_a_write_is_refused_and_the_write_goes_on(store):
    with store.write(now_us=NOW_US) as tx:
        with pytest.raises(ConflictError, match="close"):
            store.close()
        add(tx, "kept")
    assert ["kept"] == [row.content for row in store.engrams()]


def test_closing_waits_for_the_write_in_progress(tmp_path):
    store = open_at(tmp_path / "m")
    inside, done = threading.Event(), threading.Event()

    def write():
        with store.write(now_us=NOW_US) as tx:
            inside.set()
            done.wait(10)
            add(tx, "kept")

    thread = threading.Thread(target=write)
    thread.start()
    inside.wait(10)
    threading.Timer(0.05, done.set).start()
    store.close()
    thread.join()
    assert ["kept"] == [row.content for row in open_at(tmp_path / "m").engrams()]


def test_a_write_that_cannot_begin_leaves_the_next_free(store, monkeypatch):
    monkeypatch.setattr("scrubjay.store.writer.read_ledger", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError), store.write(now_us=NOW_US):
        pass
    monkeypatch.undo()
    add_all(store, ["works"])


def test_a_closed_store_leaves_no_log_behind(tmp_path):
    store = open_at(tmp_path / "m")
    add_all(store, ["x"])
    list(store.engrams())
    store.close()
    assert ["memory.gate", "memory.sqlite", "tenant.json"] == sorted(
        path.name for path in (tmp_path / "m/tenants/default").iterdir()
    )


def test_a_closed_writer_closes_once(store):
    writer = store._writer
    assert isinstance(writer, Writer)
    writer.close()
    writer.close()
