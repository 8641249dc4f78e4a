"""The ledger moves with each commit and never without one."""

from scrubjay.store.ledger import read_ledger
from tests.rows import NOW_US, abandoned, add, add_all, open_at


def ledger_of(store):
    with store.reader() as database:
        return read_ledger(database)


def test_each_commit_moves_every_sequence_it_used(store):
    assert (0, 0, 0, None) == sequences(store)
    add_all(store, ["a", "b"])
    assert (1, 2, 0, NOW_US) == sequences(store)
    with store.write(now_us=NOW_US - 5) as tx:
        tx.journal("x")
        assert 2 == tx.seq
    assert (2, 2, 1, NOW_US) == sequences(store)
    with abandoned(store) as tx:
        add(tx, "lost")
    assert (2, 2, 1, NOW_US) == sequences(store)


def sequences(store):
    ledger = ledger_of(store)
    return ledger.seq, ledger.id_counter, ledger.journal_seq, ledger.last_us


def test_two_stores_on_one_file_share_the_sequences(tmp_path):
    one, two = open_at(tmp_path / "m"), open_at(tmp_path / "m")
    [a] = add_all(one, ["a"])
    [b] = add_all(two, ["b"])
    [c] = add_all(one, ["c"])
    assert [a.id, b.id, c.id] == sorted([a.id, b.id, c.id])
    assert [1, 2, 3] == [a.local, b.local, c.local]
    assert 3 == one.last_seq() == two.last_seq()
