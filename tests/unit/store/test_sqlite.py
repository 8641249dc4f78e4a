"""The store as others use it: its protocol, and many threads at once."""

import threading
import time

from scrubjay.base.ports import Store, Transaction
from scrubjay.base.trace import RowFilter
from scrubjay.store import SqliteStore, SqliteTransaction
from tests.rows import NOW_US, add, add_all, open_at


def test_the_classes_have_every_member_of_their_ports():
    for port, ours in ((Store, SqliteStore), (Transaction, SqliteTransaction)):
        wanted = {name for name in vars(port) if not name.startswith("_")}
        instance_values = {"tenant", "path", "seq"}
        assert wanted - instance_values <= set(dir(ours))


def test_the_newest_seq_is_seen_across_stores_and_costs_microseconds(tmp_path):
    one, two = open_at(tmp_path / "m"), open_at(tmp_path / "m")
    for n in range(1, 4):
        add_all(two, ["x"])
        assert n == one.last_seq() == two.last_seq()
    started = time.perf_counter()
    for _ in range(2_000):
        one.last_seq()
    assert time.perf_counter() - started < 2_000 * 100e-6


def test_readers_and_a_writer_work_at_once_and_readers_see_whole_commits(store):
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            count = store.counts()["engrams"]
            if count % 10:
                wrong.append(count)
            store.match_text(["word"], context=False, where=RowFilter(), limit=5)
            store.index_rows(space="test/words-8")

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(30):
        with store.write(now_us=NOW_US) as tx:
            for k in range(10):
                add(tx, f"word {n} {k}")
    stop.set()
    for thread in threads:
        thread.join()
    assert [] == wrong
    assert 300 == store.counts()["engrams"]


def test_threads_write_in_turn_and_lose_nothing(store):
    def write(name):
        for n in range(20):
            add_all(store, [f"{name}:{n}"])

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    got = {row.content for row in store.engrams()}
    assert {f"{name}:{n}" for name in range(8) for n in range(20)} == got
    assert 160 == store.last_seq()
