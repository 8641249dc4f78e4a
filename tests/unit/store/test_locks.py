"""Turns between threads and between processes, in order and with an end."""

import threading

import pytest

from scrubjay.base.errors import BusyError, StorageError
from scrubjay.store.locks import FileGate, ThreadQueue, waits_s


def test_threads_get_the_lock_in_the_order_they_asked():
    queue, order, waiting = ThreadQueue(), [], threading.Semaphore(0)
    assert queue.acquire(1)

    def take(name):
        waiting.release()
        assert queue.acquire(10)
        order.append(name)
        queue.release()

    threads = []
    for name in range(8):
        thread = threading.Thread(target=take, args=(name,))
        thread.start()
        waiting.acquire()
        while len(queue._waiting) <= name:
            pass
        threads.append(thread)
    queue.release()
    for thread in threads:
        thread.join()
    assert list(range(8)) == order


def test_the_queue_knows_who_holds_it_and_gives_up_in_time():
    queue = ThreadQueue()
    assert queue.acquire(0)
    assert queue.held_here()
    seen = []
    thread = threading.Thread(target=lambda: seen.extend([queue.held_here(), queue.acquire(0.01)]))
    thread.start()
    thread.join()
    assert [False, False] == seen
    queue.release()
    assert not queue.held_here()
    assert queue.acquire(0)


def test_an_interrupted_wait_leaves_the_queue_whole(monkeypatch):
    class Interrupted:
        """A ticket whose wait ends in an interrupt."""

        def acquire(self, timeout=None):
            if timeout is not None:
                raise KeyboardInterrupt

    queue = ThreadQueue()
    assert queue.acquire(0)
    monkeypatch.setattr("scrubjay.store.locks.threading.Lock", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        queue.acquire(5)
    monkeypatch.undo()
    queue.release()
    assert queue.acquire(0)


def test_one_gate_keeps_another_out_until_it_is_left(tmp_path):
    one, two = FileGate(tmp_path / "gate"), FileGate(tmp_path / "gate")
    one.enter(1)
    with pytest.raises(BusyError, match=r"no turn in 0\.01 s"):
        two.enter(0.01)
    one.leave()
    two.enter(0.01)
    two.leave()
    one.close()
    one.close()
    with two, pytest.raises(BusyError):
        FileGate(tmp_path / "gate").enter(0.01)


def test_a_gate_that_cannot_be_made_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="check that the directory exists"):
        FileGate(tmp_path / "nowhere" / "gate").enter(0.01)


def test_pauses_grow_and_add_up():
    pauses = list(waits_s(0.5))
    assert pauses[:-1] == sorted(pauses[:-1])
    assert 0.5 == pytest.approx(sum(pauses))
    assert [] == list(waits_s(0))
