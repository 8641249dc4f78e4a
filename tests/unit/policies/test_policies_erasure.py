"""Erasure follows derivations. Covers policies governance, believing and timelines."""

import time

import pytest

from scrubjay import Observation
from scrubjay.base.errors import NotFoundError
from scrubjay.base.trace import State
from scrubjay.policies import believing, governance, timelines


def test_a_selection_joins_its_conditions_by_and(memory):
    for scope, principal in (("a", "x"), ("a", "y"), ("b", "x")):
        memory.observe(f"{scope}{principal}", scope=scope, principal=principal)
    assert 1 == memory.forget(scope="a", principal="x")
    assert ["ay", "bx"] == [row.content for row in memory.engrams()]


@pytest.mark.parametrize("name", ["*", "%", "a' OR '1'='1", "_"])
def test_i14_a_name_never_widens_a_selection(memory, name):
    memory.observe("keep me", scope="real", principal="real", session="real")
    assert 0 == memory.forget(scope=name)
    assert 0 == memory.forget(session=name)
    assert 0 == memory.forget(principal=name)
    assert 1 == sum(1 for _ in memory.engrams())


def test_an_unknown_id_among_known_ones_erases_nothing(memory):
    id_ = memory.observe("keep me")
    with pytest.raises(NotFoundError):
        memory.forget([id_, "f" * 32])
    assert id_ == memory.engram(id_).id


def test_i5_what_was_learned_only_from_it_goes_with_it(memory, clock):
    turn = memory.observe("I live in Oslo.", principal="ada")
    memory.sleep()
    assert ["Oslo"] == [belief.object for belief in memory.beliefs.facts()]
    assert 1 == memory.forget(turn)
    assert [] == memory.beliefs.facts(include_past=True)
    assert [] == list(memory.engrams(include_archived=True))
    assert 0 == len(memory.recall("where does ada live? Oslo"))
    assert memory.doctor().ok


def test_archived_rows_are_erased_from_their_segment(memory, clock):
    ids = [memory.observe(f"reading {n} of the gauge", role="tool") for n in range(3)]
    memory.sleep()
    clock.advance(days=30)
    memory.sleep()
    assert [State.ARCHIVED] * 3 == [memory.engram(id_).state for id_ in ids]
    assert 1 == memory.forget(ids[1])
    assert memory.doctor().ok
    left = {row.id for row in memory.engrams(include_archived=True)}
    assert {ids[0], ids[2]} == left
    found = memory.recall("reading gauge", include_archived=True)
    assert ids[1] not in {hit.id for hit in found}


def test_i11_ten_thousand_rows_are_erased_well_under_a_second(memory):
    memory.observe_many(
        Observation(content=f"row {n}", scope="big", session=f"s{n // 100}") for n in range(10_000)
    )
    memory.observe("stays", scope="small")
    start = time.process_time()
    assert 10_000 == memory.forget(scope="big")
    spent = time.process_time() - start
    assert ["stays"] == [row.content for row in memory.engrams()]
    assert spent < 2.0, f"{spent:.2f} s of CPU"


def test_timelines_are_marked_and_unmarked(memory, clock):
    first = memory.remember(subject="s", predicate="colour", object="red", functional=True)
    clock.advance(days=1)
    second = memory.remember(
        subject="s", predicate="colour", object="blue", valid_from=clock.now_us()
    )
    assert State.SUPERSEDED == memory.engram(first).state
    store = memory._parts.store
    with store.write(now_us=clock.now_us()) as tx:
        assert 0 == timelines.refresh_timelines(store, tx, [("main", "s", "colour")])
    memory.forget(second)
    assert State.HOT == memory.engram(first).state


def test_a_pinned_fact_and_an_invariant_are_pinned(memory):
    pinned = memory.remember("the code is 4711", pin=True)
    rule = memory.remember("never deploy on Friday", invariant=True)
    assert (True, True) == (memory.engram(pinned).pinned, memory.engram(rule).pinned)
    assert memory.engram(rule).half_life_us is None
    assert memory.engram(rule).evict_at_us is None


def test_statements_and_selections_are_values():
    statement = believing.Statement(text="x", scope="s", session="s", principal="p")
    assert "" == statement.subject
    assert governance.Selection(scope="a") == governance.Selection(scope="a")


def test_i5_what_is_forgotten_leaves_the_buffers_of_the_handle_as_well(memory):
    secret, _ = memory.observe("URGENT error!!! the zebra code is 7"), memory.observe("plain")
    memory.working.encode("URGENT error!!! the zebra code is 7", salience=0.9)
    memory.forget(secret)
    held = [item.content for item in memory.short_term.contents().items]
    in_mind = [chunk.content for chunk in memory.working.active()]
    assert (["plain"], False) == (held, any("zebra" in str(text) for text in in_mind))
    traces = [*memory._parts.sensory._held, *memory._parts.sensory._recent]
    assert "zebra" not in repr(traces)
