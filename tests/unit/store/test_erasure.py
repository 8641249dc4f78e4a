"""What is erased is gone: from every table, from every file, with all that came only from it."""

from scrubjay.base.ids import make_id
from scrubjay.base.trace import Category, Kind, RowFilter, State
from scrubjay.store import verify
from tests.rows import NOW_US, SPACE, abandoned, add, add_all, assertion, index, open_at

SECRET = "xylophone7quartz"
ALL = RowFilter(states=tuple(State))


def erase(store, rows):
    with store.write(now_us=NOW_US) as tx:
        return tx.erase([row.id for row in rows])


def bytes_on_disk(root):
    return b"".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())


def test_i1_exactly_the_rows_of_one_user_go(store):
    mine = add_all(store, [f"mine {n}" for n in range(7)], origin={"principal": "ana"})
    theirs = add_all(store, [f"theirs {n}" for n in range(5)], origin={"principal": "anna"})
    with store.write(now_us=NOW_US) as tx:
        tx.archive(mine[:2] + theirs[:2])
    assert 7 == erase(store, [store.engram(id_) for id_ in store.ids_of(principal="ana")])
    assert [row.id for row in theirs] == [row.id for row in store.engrams(where=ALL)]
    assert () == verify(store, {row.local for row in theirs[2:]}).findings


def test_i5_no_byte_of_an_erased_text_is_left_in_any_file(tmp_path):
    store = open_at(tmp_path / "m")
    rows = add_all(store, [f"{SECRET} {n}" for n in range(40)])
    others = add_all(store, [f"other {n}" for n in range(40)])
    store.cache_embeddings(SPACE, [(b"d", b"v")])
    with store.write(now_us=NOW_US) as tx:
        tx.archive(rows[:10] + others[:10])
    assert SECRET.encode() in bytes_on_disk(tmp_path)
    assert 40 == erase(store, rows)
    assert SECRET.encode() not in bytes_on_disk(tmp_path)
    store.close()
    assert SECRET.encode() not in bytes_on_disk(tmp_path)
    store = open_at(tmp_path / "m")
    assert [] == store.match_text([SECRET], context=False, where=ALL, limit=9)
    assert [0] == store.token_frequencies([SECRET], context=True)
    assert 40 == store.counts()["engrams"]


def test_i6_the_same_text_and_message_can_be_stored_again(store):
    rows = add_all(store, ["again"], origin={"message_id": "m1"})
    erase(store, rows)
    key = {"scope": "main", "session": "s1", "message_id": "m1", "position": None}
    assert None is store.find_message(**key)
    [new] = add_all(store, ["again"], origin={"message_id": "m1"})
    assert new.id == store.find_message(**key).id
    assert new.id != rows[0].id
    assert new.local != rows[0].local


def test_what_derives_only_from_erased_rows_goes_with_them(store):
    a, b = add_all(store, ["a", "b"])
    with store.write(now_us=NOW_US) as tx:
        of_both = add(tx, "ab", kind=Kind.BELIEF, origin={"parents": (a.id, b.id)})
        of_a = add(tx, "a'", kind=Kind.BELIEF, origin={"parents": (a.id,)})
        grandchild = add(tx, "a''", kind=Kind.SKILL, origin={"parents": (of_a.id,)})
        tx.add_assertion(assertion(of_a))
    assert 1 == erase(store, [a])
    assert {b.id, of_both.id} == {row.id for row in store.engrams()}
    assert (b.id,) == store.engram(of_both.id).provenance.parents
    assert [] == store.assertions()
    assert grandchild.local in {change.local for change in store.changes_since(2) if change.dropped}
    assert 1 == erase(store, [b])
    assert [] == list(store.engrams())
    assert () == verify(store, set()).findings


def test_erasing_counts_what_there_was(store):
    rows = add_all(store, ["a", "b"])
    stray = make_id(now_us=1, node=1, counter=1)
    with store.write(now_us=NOW_US) as tx:
        assert 1 == tx.erase([rows[0].id, rows[0].id, stray])
        assert 0 == tx.erase([rows[0].id])
        assert 0 == tx.erase([])
    assert ["b"] == [row.content for row in store.engrams()]


def test_a_row_added_and_erased_in_one_write_was_never_there(store):
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, SECRET)
        tx.erase([row.id])
    assert 0 == store.counts()["engrams"] + store.counts()["vectors"]
    assert [0] == store.token_frequencies([SECRET], context=False)
    assert () == verify(store, set()).findings


def test_an_abandoned_erasure_erases_nothing(store):
    rows = add_all(store, ["a", "b"])
    with store.write(now_us=NOW_US) as tx:
        tx.archive(rows[:1])
    with abandoned(store) as tx:
        tx.erase([row.id for row in rows])
    assert ["a", "b"] == [row.content for row in store.engrams(where=ALL)]
    assert () == verify(store, {rows[1].local}).findings


def test_neighbours_can_be_rewritten_in_the_same_write(store):
    with store.write(now_us=NOW_US) as tx:
        rows = [add(tx, text) for text in ("left", SECRET, "right")]
        for row in rows:
            tx.put_text(row.local, turn=[row.content], context=["left", SECRET, "right"])
    with store.write(now_us=NOW_US) as tx:
        tx.erase([rows[1].id])
        for row in (rows[0], rows[2]):
            tx.put_text(row.local, turn=[row.content], context=["left", "right"])
    assert [0] == store.token_frequencies([SECRET], context=True)
    assert [2] == store.token_frequencies(["left"], context=True)
    assert SECRET.encode() not in bytes_on_disk(store.path)


def test_i11_ten_thousand_rows_go_in_well_under_a_second(tmp_path):
    import time

    store = open_at(tmp_path / "m")
    rows = add_all(store, [f"row number {n} of many" for n in range(20_000)])
    started = time.process_time()
    assert 10_000 == erase(store, rows[::2])
    spent = time.process_time() - started
    assert 10_000 == store.counts()["engrams"]
    assert spent < 1.0, f"{spent:.2f} s of processor time"


def test_erasing_a_belief_restores_nothing_by_itself_but_reveals_the_older(store):
    with store.write(now_us=NOW_US) as tx:
        rows = [add(tx, f"b{n}", kind=Kind.BELIEF, category=Category.FACT) for n in range(2)]
        for row, city in zip(rows, ["Oslo", "Rome"], strict=True):
            tx.add_assertion(assertion(row, object=city))
        index(tx, rows[0].local, "b0")
    erase(store, rows[1:])
    assert ["Oslo"] == [one.object for one in store.assertions()]
