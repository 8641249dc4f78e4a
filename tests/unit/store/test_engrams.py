"""Rows go in and come back whole, and are found by what they are found by."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.errors import ConflictError, InvalidArgumentError, NotFoundError
from scrubjay.base.ids import EngramId, make_id
from scrubjay.base.provenance import Authority, Channel, Plane, Role
from scrubjay.base.trace import Category, Kind, RowFilter, State, ToolCall, ToolResult
from scrubjay.store.engrams import content_hash
from tests.rows import NOW_US, abandoned, add, add_all, engram, open_at


def rich(id_: EngramId, parents: tuple[EngramId, ...] = ()):
    """Return a row in which no field has its default."""
    return engram(
        id_,
        "exit\0code",
        scope="ops/агент",
        kind=Kind.TOOL_RESULT,
        category=Category.TELEMETRY,
        event_us=-5,
        event_offset_min=-330,
        frequency=3,
        half_life_us=None,
        evict_at_us=None,
        state=State.PENDING,
        consolidated=True,
        pinned=True,
        quality=0.25,
        tool_calls=(ToolCall(call_id="c1", name="deploy", arguments='{"a": "ü"}'),),
        tool_result=ToolResult(call_id="c1", name="deploy", exit_code=124, is_error=True),
        origin={
            "role": Role.TOOL,
            "channel": Channel.TRANSCRIPT,
            "principal": "shell",
            "authority": Authority.OBSERVED,
            "plane": Plane.OBSERVED,
            "message_id": "m-1",
            "position": 9,
            "parents": parents,
        },
    )


def test_every_field_of_a_row_comes_back(store):
    with store.write(now_us=NOW_US) as tx:
        parents = (tx.new_id(), tx.new_id())
        row = rich(tx.new_id(), parents[::-1])
        local = tx.add_engram(row)
    expected = msgspec.structs.replace(row, local=local, seq=1)
    assert expected == store.engram(row.id)
    assert {local: expected} == store.engrams_by_local([local, 999])


def test_ids_sort_by_allocation_and_survive_reopening(tmp_path):
    with open_at(tmp_path / "m").write(now_us=5) as tx:
        first = [tx.new_id() for _ in range(3)]
    store = open_at(tmp_path / "m")
    with store.write(now_us=5) as tx:
        later = tx.new_id()
    assert sorted({*first, later}) == [*first, later]


def test_an_id_given_out_in_an_abandoned_write_is_the_only_one_to_come_again(store):
    with abandoned(store) as tx:
        lost = tx.new_id()
    with store.write(now_us=NOW_US) as tx:
        assert lost == tx.new_id()
    with store.write(now_us=NOW_US) as tx:
        assert lost != tx.new_id()


def test_a_second_row_with_the_same_id_is_refused_and_the_first_stays(store):
    [row] = add_all(store, ["first"])
    with pytest.raises(ConflictError, match="UNIQUE"), store.write(now_us=NOW_US) as tx:
        tx.add_engram(engram(row.id, "second"))
    assert "first" == store.engram(row.id).content


@pytest.mark.parametrize("field", ["content", "principal", "session", "message_id"])
def test_a_lone_surrogate_is_refused_wherever_it_stands(store, field):
    changes = {} if field == "content" else {"origin": {field: "a\ud800"}}
    content = "a\ud800" if field == "content" else "fine"
    with pytest.raises(InvalidArgumentError, match="surrogate"), store.write(now_us=1) as tx:
        tx.add_engram(engram(tx.new_id(), content, **changes))
    assert 0 == store.counts()["engrams"]


def test_a_row_cannot_be_born_archived_or_without_an_id(store):
    for bad in (
        engram(EngramId(b"short"), "x"),
        engram(make_id(now_us=1, node=1, counter=1), "x", state=State.ARCHIVED),
    ):
        with pytest.raises(InvalidArgumentError), store.write(now_us=1) as tx:
            tx.add_engram(bad)


@pytest.mark.parametrize("content", ["", "a\0b", "\0", "𝔘𝔫𝔦 🐦", "x" * 2_000_000, "'; DROP TABLE"])
def test_text_is_kept_as_given(store, content):
    [row] = add_all(store, [content])
    assert content == store.engram(row.id).content


def test_an_unknown_id_is_not_found(store):
    with pytest.raises(NotFoundError, match="nothing is stored"):
        store.engram(make_id(now_us=1, node=1, counter=1))


def test_a_message_is_found_by_its_id_else_by_its_position(store):
    with store.write(now_us=NOW_US) as tx:
        named = add(tx, "named", origin={"message_id": "m1", "position": 4})
        placed = add(tx, "placed", origin={"position": 4})
        other = add(tx, "other", origin={"session": "s2", "position": 4})

    def find(**key):
        found = store.find_message(**({"scope": "main", "session": "s1"} | key))
        return None if found is None else found.id

    assert named.id == find(message_id="m1", position=4)
    assert placed.id == find(message_id="", position=4)
    assert other.id == find(session="s2", message_id="", position=4)
    assert None is find(message_id="m2", position=4)
    assert None is find(message_id="", position=None)
    assert None is find(message_id="m1", position=4, scope="elsewhere")


def test_a_session_is_its_turns_in_order_of_arrival(store):
    rows = add_all(store, ["one", "two", "three"])
    add_all(store, ["a belief"], kind=Kind.BELIEF, category=Category.FACT)
    add_all(store, ["derived"], origin={"parents": (rows[0].id,)})
    add_all(store, ["elsewhere"], origin={"session": "s2"})
    tail = store.session_tail(scope="main", session="s1", limit=2)
    assert ["two", "three"] == [row.content for row in tail]
    assert [] == store.session_tail(scope="nowhere", session="s1", limit=2)


def test_neighbours_stand_around_a_turn_and_around_its_empty_place(store):
    rows = add_all(store, ["a", "b", "c", "d", "e"])

    def around(row, before, after):
        found = store.neighbours(row, before=before, after=after)
        return "".join(one.content for one in found)

    assert "bcd" == around(rows[2], 1, 1)
    assert "abc" == around(rows[0], 2, 2)
    assert "cde" == around(rows[4], 2, 1)
    with store.write(now_us=NOW_US) as tx:
        tx.erase([rows[2].id])
    assert "abde" == around(rows[2], 2, 2)


def test_rows_are_iterated_by_id_through_many_pages(store):
    rows = add_all(store, [f"row {n}" for n in range(1_203)])
    assert [row.id for row in rows] == [row.id for row in store.engrams()]
    assert [] == list(store.engrams(kinds=[Kind.SKILL]))
    assert [] == list(store.engrams(where=RowFilter(states=(State.SUPERSEDED,))))


def test_ids_of_an_owner_are_matched_literally(store):
    add_all(store, ["x"], origin={"principal": "%"})
    mine = add_all(store, ["y", "z"], origin={"principal": "*"})
    assert [row.id for row in mine] == store.ids_of(principal="*")
    assert [row.id for row in mine] == store.ids_of(principal="*", scope="main", session="s1")
    assert [] == store.ids_of(principal="*", scope="ma")
    with pytest.raises(InvalidArgumentError, match="at least one"):
        store.ids_of()


@given(st.binary(max_size=20), st.text(max_size=40))
def test_the_hash_depends_on_salt_and_text(salt, text):
    assert content_hash(salt, text) == content_hash(salt, text)
    assert content_hash(salt, text) != content_hash(salt + b"1", text)
