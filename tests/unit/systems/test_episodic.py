"""Episodes are drawn from turns on reading."""

import pytest

from scrubjay.base.clock import MINUTE_US
from scrubjay.base.errors import NotFoundError, UnitError
from scrubjay.base.ids import make_id
from scrubjay.base.provenance import Channel, Provenance, Role, authority_of, plane_of
from scrubjay.base.trace import Category, Engram, Kind, ToolCall, ToolResult
from scrubjay.systems.episodic import Episodes, episodes_of


def turn(position, minute, content="hello", role=Role.USER, *, id_=None, session="s", **rest):
    return Engram(
        id=id_ or make_id(now_us=0, node=1, counter=position + 1),
        scope=rest.pop("scope", "main"),
        kind=Kind.TOOL_RESULT if role is Role.TOOL else Kind.TURN,
        category=Category.DIALOGUE,
        content=content,
        provenance=Provenance(
            role=role,
            channel=Channel.API,
            principal=rest.pop("principal", str(role)),
            authority=authority_of(role, Channel.API),
            plane=plane_of(role),
            session=session,
            position=position,
        ),
        recorded_us=0,
        event_us=minute * MINUTE_US,
        last_us=0,
        salience=0.4,
        **rest,
    )


def test_a_long_pause_ends_an_episode():
    turns = [turn(0, 0), turn(1, 30), turn(2, 61)]
    assert [2, 1] == [len(e.turns) for e in episodes_of(turns)]


def test_sessions_and_scopes_are_never_joined():
    turns = [
        turn(0, 0),
        turn(0, 0, session="t", id_=b"2" * 16),
        turn(0, 0, scope="x", id_=b"3" * 16),
    ]
    assert 3 == len(episodes_of(turns))


def test_the_order_of_turns_given_does_not_matter():
    turns = [turn(n, n * 20) for n in range(6)]
    assert episodes_of(turns) == episodes_of(turns[::-1])


def test_every_turn_is_in_exactly_one_episode():
    turns = [turn(n, n * n * 7) for n in range(12)]
    assert [t.id for t in turns] == [t.id for e in episodes_of(turns) for t in e.turns]


def test_an_episode_tells_task_calls_outcome_and_output():
    call = ToolCall(call_id="c", name="restart", arguments="{}")
    turns = [
        turn(0, 0, "The worker  is\nstalled."),
        turn(1, 1, "", Role.ASSISTANT, tool_calls=(call,)),
        turn(
            2, 2, "ok", Role.TOOL, tool_result=ToolResult(call_id="c", name="restart", exit_code=0)
        ),
        turn(3, 3, "It runs again.", Role.ASSISTANT),
    ]
    [episode] = episodes_of(turns)
    assert ("The worker is stalled.", "It runs again.", (call,), True) == (
        episode.task,
        episode.output,
        episode.tool_calls,
        episode.succeeded,
    )
    assert ("user", "assistant", "tool") == episode.participants


def test_a_gap_must_be_positive():
    with pytest.raises(UnitError, match="gap must be positive"):
        episodes_of([], 0)


@pytest.fixture
def told(store):
    """Three turns in the store, the last after a long pause; return their ids."""
    ids = []
    with store.write(now_us=1) as tx:
        for position, minute in enumerate((0, 5, 90)):
            ids.append(tx.new_id())
            tx.add_engram(turn(position, minute, f"turn {position}", id_=ids[-1]))
    return ids


def test_from_the_store_by_scope_and_session(store, told):
    episodes = Episodes(store)
    assert [2, 1] == [len(e.turns) for e in episodes.list(scope="main", session="s")]
    assert [] == episodes.list(scope="nowhere")
    assert [] == episodes.list(session="other")


def test_the_episode_of_a_turn_and_what_came_before_it(store, told):
    episodes = Episodes(store)
    assert told[:2] == [t.id for t in episodes.get(told[1]).turns]
    assert told[0] == episodes.just_before(store.engram(told[1])).id
    assert None is episodes.just_before(store.engram(told[0]))
    assert told == [t.id for t in episodes.around(store.engram(told[1]), before=1, after=1)]
    with pytest.raises(NotFoundError):
        episodes.get(b"9" * 16)
