"""Planned values become rows with the right schedule and origin."""

from scrubjay.activation.retention import schedule_of
from scrubjay.base.clock import DAY_US
from scrubjay.base.provenance import Channel, Plane
from scrubjay.base.trace import Category, Kind
from scrubjay.policies.consolidation.reflect import reflect
from scrubjay.policies.consolidation.writing import (
    assertion_of,
    belief_engram,
    intention_engram,
    intention_of,
)

ID = b"\7" * 16


def test_a_belief_row_is_found_like_a_memory_and_names_its_source(row):
    turn = row("user", "I live in Oslo.", principal="ada")
    [belief] = reflect([turn], alone=True).beliefs
    engram = belief_engram(belief, id_=ID, now_us=9)
    assert (Kind.BELIEF, Category.FACT, Channel.SLEEP, (turn.id,), None, True) == (
        engram.kind,
        engram.category,
        engram.provenance.channel,
        engram.provenance.parents,
        engram.evict_at_us,
        engram.consolidated,
    )
    said = assertion_of(belief, engram)
    assert (ID, "ada", "lives_in", "Oslo", 9, turn.event_us) == (
        said.id,
        said.subject,
        said.predicate,
        said.object,
        said.recorded_us,
        said.event_us,
    )


def test_an_observed_belief_fades_in_months_and_a_rule_never(row):
    call, result = row.call("t", {}, '{"host": "a", "state": "up"}')
    [observed] = reflect([call, result], alone=True).beliefs
    engram = belief_engram(observed, id_=ID, now_us=0)
    assert Plane.OBSERVED is engram.provenance.plane
    assert 100 * DAY_US < engram.evict_at_us < 365 * DAY_US
    [rule] = reflect([row("user", "Never deploy on Fridays.")], alone=True).beliefs
    assert (1.0, None, None) == (
        (row_ := belief_engram(rule, id_=ID, now_us=0)).salience,
        row_.half_life_us,
        row_.evict_at_us,
    )
    assert schedule_of(Category.INVARIANT).salience == row_.salience


def test_an_intention_keeps_action_and_instant(row):
    turn = row("user", "Remind me in 2 hours to check the oven.")
    [planned] = reflect([turn], alone=True).intentions
    engram = intention_engram(planned, id_=ID, now_us=9)
    assert ("check the oven", Kind.INTENTION) == (engram.content, engram.kind)
    assert (ID, planned.due_us, "armed", 9) == (
        (made := intention_of(planned, engram)).id,
        made.due_us,
        made.status,
        made.created_us,
    )
