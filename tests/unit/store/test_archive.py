"""Rows go cold and come back; each is findable exactly once at any moment."""

import numpy as np
import pytest

from scrubjay.base.errors import ConflictError, NotFoundError
from scrubjay.base.ids import make_id
from scrubjay.base.trace import Kind, RowFilter, State, ToolCall
from scrubjay.store import verify
from tests.rows import NOW_US, SPACE, abandoned, add, add_all, index, open_at, vector_of

ALL = RowFilter(states=tuple(State))


def cold(store, **where):
    return [hit.engram.content for hit in store.search_archive(where=RowFilter(**where), limit=99)]


def freeze(store, rows):
    with store.write(now_us=NOW_US) as tx:
        return tx.archive(rows)


def segments(store):
    folder = store.path / "tenants/default/archive"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_cold_row_leaves_search_and_is_still_whole(store):
    calls = (ToolCall(call_id="1", name="n", arguments="{}"),)
    rows = add_all(store, ["one fish", "two fish"], tool_calls=calls)
    before = store.engram(rows[0].id)
    name = freeze(store, rows[:1])
    assert [name] == segments(store)
    assert [rows[1].id] == [row.id for row in store.engrams()]
    assert {} == store.engrams_by_local([rows[0].local])
    assert [rows[1].local] == store.index_rows(space=SPACE).local.tolist()
    hits = store.match_text(["fish"], context=False, where=ALL, limit=9)
    assert [rows[1].local] == [local for local, _ in hits]
    after = store.engram(rows[0].id)
    assert (State.ARCHIVED, "one fish", calls) == (after.state, after.content, after.tool_calls)
    assert before.provenance == after.provenance
    assert [(2, rows[0].local, True)] == store.changes_since(1)
    assert ["one fish", "two fish"] == [row.content for row in store.engrams(where=ALL)]


def test_a_cold_row_stays_in_its_session_and_under_its_message_id(store):
    rows = add_all(store, ["a", "b", "c"], origin={"message_id": "m"})
    freeze(store, rows[1:2])
    tail = store.session_tail(scope="main", session="s1", limit=9)
    assert ["a", "b", "c"] == [row.content for row in tail]
    found = store.find_message(scope="main", session="s1", message_id="m", position=None)
    assert "a" == found.content
    around = store.neighbours(rows[0], before=0, after=1)
    assert ["a", "b"] == [row.content for row in around]


def test_the_archive_is_searched_newest_segment_first_inside_the_filter(store):
    with store.write(now_us=NOW_US) as tx:
        tx.put_meta("embedder", SPACE)
        rows = [add(tx, f"r{n}", event_us=n, scope="ab"[n % 2]) for n in range(600)]
        tool = add(tx, "tool", kind=Kind.TOOL_RESULT)
    freeze(store, rows[:300])
    freeze(store, [*rows[300:], tool])
    expected = [f"r{n}" for n in range(600)]
    got = [hit.engram.content for hit in store.search_archive(where=RowFilter(), limit=10_000)]
    assert sorted([*expected, "tool"]) == sorted(got)
    assert set(got[:301]) == {*expected[300:], "tool"}
    ids = store.scopes()
    assert ["r5", "r3"] == cold(store, scope_ids=(ids["b"],), event_from_us=2, event_to_us=7)
    assert ["tool"] == cold(store, kinds=(Kind.TOOL_RESULT,))
    assert [] == list(store.search_archive(where=RowFilter(), limit=0))
    [hit] = store.search_archive(where=RowFilter(event_to_us=1), limit=9)
    assert np.allclose(hit.vector, vector_of("r0"), atol=1e-3)
    assert 1.0 == hit.gain


def test_without_a_declared_space_a_cold_vector_is_empty(store):
    freeze(store, add_all(store, ["x"]))
    [hit] = store.search_archive(where=RowFilter(), limit=9)
    assert (0,) == hit.vector.shape


def test_a_restored_row_is_as_before_and_the_segment_is_rewritten(store):
    rows = add_all(store, ["one", "two", "three"])
    before = store.engram(rows[0].id)
    vectors = store.index_rows(space=SPACE).vectors
    name = freeze(store, rows)
    with store.write(now_us=NOW_US) as tx:
        assert 1 == tx.restore([rows[0].id])
        assert 0 == tx.restore([rows[0].id])
        index(tx, rows[0].local, "one")
    after = store.engram(rows[0].id)
    assert (State.HOT, before.content, before.last_us) == (
        after.state,
        after.content,
        after.last_us,
    )
    assert ["three", "two"] == cold(store)
    assert 1 == len(segments(store))
    assert name not in segments(store)
    with store.write(now_us=NOW_US) as tx:
        assert 2 == tx.restore([row.id for row in rows])
        for row in rows[1:]:
            index(tx, row.local, row.content)
    assert [] == segments(store)
    assert np.array_equal(vectors, store.index_rows(space=SPACE).vectors)
    assert () == verify(store, {row.local for row in rows}).findings


def test_a_restored_row_has_its_vectors_before_anybody_indexes_it(store):
    rows = add_all(store, ["one", "two"])
    vectors = store.index_rows(space=SPACE).vectors
    freeze(store, rows)
    with store.write(now_us=NOW_US) as tx:
        tx.restore([row.id for row in rows])
    assert np.array_equal(vectors, store.index_rows(space=SPACE).vectors)
    texts = {f.part for f in verify(store).findings}
    assert {"turn_text", "context_text"} == texts


def test_rows_that_may_not_go_cold_are_refused_and_nothing_changes(store):
    rows = add_all(store, ["one", "two"])
    with store.write(now_us=NOW_US) as tx:
        tx.set_pinned(rows[0].local, pinned=True)
    with pytest.raises(ConflictError, match="pinned"):
        freeze(store, rows)
    freeze(store, rows[1:])
    with pytest.raises(ConflictError, match="cold already"):
        freeze(store, rows[1:])
    stray = make_id(now_us=1, node=1, counter=1)
    with store.write(now_us=NOW_US) as tx:
        with pytest.raises(NotFoundError):
            tx.restore([stray])
        assert "" == tx.archive([])
    assert ["two"] == cold(store)


def test_an_abandoned_write_leaves_no_file(store):
    rows = add_all(store, ["one", "two"])
    with abandoned(store) as tx:
        tx.archive(rows)
    assert [] == segments(store)
    assert ["one", "two"] == [row.content for row in store.engrams()]
    name = freeze(store, rows)
    with abandoned(store) as tx:
        tx.restore([rows[0].id])
    assert [name] == segments(store)
    assert ["two", "one"] == cold(store)


def test_changing_a_cold_row_is_refused(store):
    [row] = add_all(store, ["one"])
    freeze(store, [row])
    changes = [
        lambda tx: tx.reinforce(row.local, last_us=1, evict_at_us=None),
        lambda tx: tx.set_state([row.local], State.HOT),
        lambda tx: tx.set_pinned(row.local, pinned=True),
        lambda tx: tx.put_text(row.local, turn=[], context=[]),
        lambda tx: tx.put_vector(row.local, SPACE, vector_of("x"), 1.0),
    ]
    for change in changes:
        with pytest.raises(NotFoundError), store.write(now_us=NOW_US) as tx:
            change(tx)
    assert ["one"] == cold(store)


def test_files_no_commit_knows_are_removed_at_the_next_opening(tmp_path):
    store = open_at(tmp_path / "m")
    rows = add_all(store, ["one"])
    name = freeze(store, rows)
    folder = tmp_path / "m/tenants/default/archive"
    (folder / "stray.parquet").write_bytes(b"left by a crash")
    (folder / "half.writing").write_bytes(b"left by a crash")
    store.close()
    store = open_at(tmp_path / "m")
    assert [name] == segments(store)
    assert ["archive.swept"] == [event.event for event in store.journal_events()]
    assert ["one"] == cold(store)
