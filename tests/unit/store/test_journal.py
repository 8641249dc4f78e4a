"""The audit chain: order, hashes, and what shows when it was touched."""

import hashlib

import apsw
import pytest

from scrubjay.base.ports import JournalEvent
from scrubjay.store.journal import GENESIS, broken_link, link
from tests.rows import NOW_US


def write(store, *names):
    with store.write(now_us=NOW_US) as tx:
        for name in names:
            tx.journal(name, subject="s", detail='{"n":1}')


def test_lines_are_numbered_across_writes(store):
    write(store, "a", "b")
    write(store, "c")
    assert ["a", "b", "c"] == [event.event for event in store.journal_events()]
    assert [(3, NOW_US, "c", "s", '{"n":1}')] == list(store.journal_events(after_seq=2))


def test_many_lines_come_page_by_page(store):
    write(store, *[f"e{n}" for n in range(1_100)])
    assert list(range(1, 1_101)) == [event.seq for event in store.journal_events()]


def test_the_hash_is_the_documented_one():
    text = b"event", b"subject", b"{}"
    raw = GENESIS + (7).to_bytes(8, "big") + (-5).to_bytes(8, "big", signed=True)
    for part in text:
        raw += len(part).to_bytes(4, "big") + part
    expected = hashlib.sha256(raw).digest()
    assert expected == link(GENESIS, JournalEvent(7, -5, "event", "subject", "{}"))


def test_the_newest_instant_is_that_of_the_last_write(store):
    assert None is store.last_instant_us()
    write(store, "a")
    with store.write(now_us=NOW_US - 10) as tx:
        tx.put_meta("k", "v")
    assert NOW_US == store.last_instant_us()


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("UPDATE journal SET detail = '{}' WHERE seq = 2", "line 2 was changed"),
        ("DELETE FROM journal WHERE seq = 2", "line 2 is missing"),
        ("DELETE FROM journal WHERE seq = 3", "the chain ends at line 2"),
        ("DELETE FROM journal", "the chain ends at line 0"),
        ("UPDATE journal SET seq = 9 WHERE seq = 3", "line 3 is missing"),
    ],
)
def test_an_edited_chain_is_told(store, edit, expected):
    write(store, "a", "b", "c")
    with apsw.Connection(str(store.path / "tenants/default/memory.sqlite")) as raw:
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            raw.execute(edit)
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            raw.execute("REPLACE INTO journal SELECT * FROM journal")
        raw.execute("DROP TRIGGER journal_is_kept")
        raw.execute("DROP TRIGGER journal_is_not_edited")
        raw.execute(edit)
    with store.reader() as database:
        assert (broken_link(database) or "").startswith(expected)


def test_an_untouched_chain_holds(store):
    with store.reader() as database:
        assert None is broken_link(database)
    write(store, "a", "ü\0")
    with store.reader() as database:
        assert None is broken_link(database)
