"""Questions to the timelines of a real store."""

import msgspec
import pytest

from scrubjay.base.ids import SeededEntropy
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Kind
from scrubjay.store import open_store
from scrubjay.systems.semantic.beliefs import Beliefs
from tests.unit.systems.semantic.conftest import on

NOW_US = on(2026)


@pytest.fixture
def store(tmp_path):
    opened = open_store(
        tmp_path / "test.memory",
        tenant="default",
        create=True,
        entropy=SeededEntropy(7),
        now_us=0,
        durability="batch",
    )
    yield opened
    opened.close()


@pytest.fixture
def assert_(store):
    """Put statements into the store; return their ids."""

    def put(*statements):
        ids = []
        with store.write(now_us=1) as tx:
            for said in statements:
                ids.append(tx.new_id())
                tx.add_engram(
                    Engram(
                        id=ids[-1],
                        scope=said.scope,
                        kind=Kind.BELIEF,
                        category=Category.FACT,
                        content=f"{said.subject} {said.predicate} {said.object}",
                        provenance=Provenance(
                            role=Role.USER,
                            channel=Channel.REMEMBER,
                            principal="ada",
                            authority=Authority.USER_EXPLICIT,
                            plane=Plane.USER,
                            session="s",
                        ),
                        recorded_us=1,
                        event_us=1,
                        last_us=1,
                        salience=0.8,
                    )
                )
                tx.add_assertion(msgspec.structs.replace(said, id=ids[-1]))
        return ids

    return put


def objects(beliefs):
    return [b.object for b in beliefs]


def test_facts_are_those_that_hold_now(store, assert_, say):
    assert_(say("A", on(2019)), say("B", on(2021)), say("A", on(2023)))
    beliefs = Beliefs(store)
    assert ["A"] == objects(beliefs.facts("ada", now_us=NOW_US))
    assert ["B"] == objects(beliefs.facts("ada", as_of_us=on(2022), now_us=NOW_US))
    assert ["A", "B", "A"] == objects(beliefs.history("ada", "lives_in", now_us=NOW_US))
    assert [] == beliefs.facts("ada", as_of_us=on(2018), now_us=NOW_US)


def test_a_subject_is_found_under_any_spelling_and_in_its_scope_only(store, assert_, say):
    assert_(say("PostgreSQL", subject="Metrics Store", predicate="uses", said=on(2020)))
    beliefs = Beliefs(store)
    assert ["PostgreSQL"] == objects(beliefs.facts("the metrics store", now_us=NOW_US))
    assert ["PostgreSQL"] == objects(beliefs.facts(predicate="Uses", scope="main", now_us=NOW_US))
    assert [] == beliefs.facts("the metrics store", scope="other", now_us=NOW_US)


def test_recorded_as_of_counts_only_what_was_known_by_then(store, assert_, say):
    assert_(say("A", on(2019), recorded=on(2020)), say("B", on(2021), recorded=on(2025)))
    known = Beliefs(store).facts(recorded_as_of_us=on(2024), now_us=NOW_US)
    assert [("A", None)] == [(b.object, b.valid_to_us) for b in known]


def test_denials_are_no_facts_but_history(store, assert_, say):
    assert_(
        say("vim", predicate="uses", said=on(2020)),
        say("vim", predicate="uses", said=on(2021), negated=True),
    )
    beliefs = Beliefs(store)
    assert [] == beliefs.facts(now_us=NOW_US)
    assert [False, True] == [b.negated for b in beliefs.history("ada", now_us=NOW_US)]


def test_declared_predicates_count(store, assert_, say):
    statements = [
        say("3b", on(2020), predicate="tested_with"),
        say("7b", on(2021), predicate="tested_with"),
    ]
    first, _ = assert_(*statements)
    key = ("main", "ada", "tested_with")
    assert {False} == set(Beliefs(store).superseded_ids([key]).values())
    with store.write(now_us=2) as tx:
        tx.declare_predicate("tested_with", functional=True)
    closed = Beliefs(store).superseded_ids([key])
    assert [first] == [id_ for id_, is_closed in closed.items() if is_closed]


def test_b16_erasing_what_closed_a_belief_makes_it_current_again(store, assert_, say):
    _, second = assert_(say("Oslo", on(2019)), say("Bergen", on(2021)))
    with store.write(now_us=2) as tx:
        tx.erase([second])
    assert ["Oslo"] == objects(Beliefs(store).facts(now_us=NOW_US))
