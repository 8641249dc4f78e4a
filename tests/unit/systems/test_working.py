"""Working memory: capacity, competition, exact decay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.activation.base_level import chunk_activation
from scrubjay.base.clock import SECOND_US
from scrubjay.base.errors import InvalidArgumentError, NotFoundError, UnitError
from scrubjay.systems.working import ChunkModality, WorkingMemory, chunk_modality_of


@pytest.fixture
def mind():
    return WorkingMemory(capacity=4)


def fill(mind, *saliences, now_us=0):
    return [mind.encode(f"s{s}", "verbal", s, now_us=now_us).chunk for s in saliences]


def test_a_full_buffer_refuses_what_does_not_beat_the_lowest(mind):
    fill(mind, 0.5, 0.6, 0.7, 0.8)
    encoding = mind.encode("equal", "verbal", 0.5, now_us=0)
    assert (None, None, True) == encoding
    assert ["s0.8", "s0.7", "s0.6", "s0.5"] == [c.content for c in mind.active(now_us=0)]


def test_a_louder_chunk_displaces_the_least_salient_and_says_so(mind):
    fill(mind, 0.5, 0.6, 0.7, 0.8)
    encoding = mind.encode("loud", "verbal", 0.9, now_us=0)
    assert ("s0.5", False) == (encoding.displaced.content, encoding.refused)


def test_of_equals_the_older_goes(mind):
    fill(mind, 0.5, 0.5, 0.5, 0.5)
    assert 1 == mind.encode("loud", "verbal", 0.9, now_us=0).displaced.id


def test_a_faded_chunk_makes_room_without_displacement(mind):
    fill(mind, 0.5, 0.6, 0.7, 0.8)
    later = 60 * SECOND_US
    assert None is mind.encode("faint", "verbal", 0.1, now_us=later).displaced
    assert ["faint"] == [c.content for c in mind.active(now_us=later)]


@given(st.lists(st.integers(0, 44 * SECOND_US), max_size=20))
def test_ticks_compose_any_sequence_equals_the_last(moments):
    ticked, untouched = WorkingMemory(), WorkingMemory()
    for memory in (ticked, untouched):
        memory.encode("thought", "verbal", 0.5, now_us=0)
    for moment in sorted(moments):
        ticked.tick(now_us=moment)
    at = 44 * SECOND_US
    assert untouched.active(now_us=at) == ticked.active(now_us=at)


def test_activation_is_what_the_law_says(mind):
    fill(mind, 0.5)
    [chunk] = mind.active(now_us=20 * SECOND_US)
    assert chunk_activation(20 * SECOND_US) == pytest.approx(chunk.activation, rel=1e-6)


def test_it_is_gone_when_activation_reaches_the_threshold(mind):
    fill(mind, 0.5)
    assert 1 == len(mind.active(now_us=44 * SECOND_US))
    assert 0 == len(mind.active(now_us=45 * SECOND_US))


def test_rehearsal_brings_back_full_activation(mind):
    [chunk] = fill(mind, 0.5)
    rehearsed = mind.rehearse(chunk.id, now_us=30 * SECOND_US)
    assert (1.0, 1, 30 * SECOND_US) == (
        rehearsed.activation,
        rehearsed.rehearsals,
        rehearsed.anchor_us,
    )
    assert 1 == len(mind.active(now_us=70 * SECOND_US))


def test_a_faded_chunk_cannot_be_rehearsed(mind):
    [chunk] = fill(mind, 0.5)
    with pytest.raises(NotFoundError, match="no such chunk in mind"):
        mind.rehearse(chunk.id, now_us=60 * SECOND_US)


def test_f8_a_clock_that_steps_back_boosts_nothing(mind):
    fill(mind, 0.5, now_us=100 * SECOND_US)
    [chunk] = mind.active(now_us=0)
    assert 1.0 == chunk.activation


@pytest.mark.parametrize(
    ("sense", "component"),
    [
        ("textual", "verbal"),
        ("auditory", "verbal"),
        ("visual", "spatial"),
        ("structured", "episodic_buffer"),
        ("spatial", "spatial"),
    ],
)
def test_senses_are_mapped_to_components(sense, component):
    assert ChunkModality(component) is chunk_modality_of(sense)


def test_context_fits_the_budget_in_order_of_salience(mind):
    for text, salience in (("aaaa" * 10, 0.9), ("bb", 0.5), ("cccc" * 3, 0.7)):
        mind.encode(text, "verbal", salience, now_us=0)
    assert ["cccc" * 3, "bb"] == [c.content for c in mind.context(4, now_us=0)]
    assert [] == mind.context(0, now_us=0)
    assert ["bb"] == [c.content for c in mind.context(2, count=len, now_us=0)]


def test_flush_empties_and_returns_what_was_there(mind):
    fill(mind, 0.5, 0.6)
    assert (["s0.6", "s0.5"], []) == (
        [c.content for c in mind.flush(now_us=1)],
        mind.active(now_us=1),
    )


def test_impossible_input_is_refused_and_changes_nothing(mind):
    for salience in (-0.1, 1.1, float("nan")):
        with pytest.raises(UnitError, match="salience out of range"):
            mind.encode("x", "verbal", salience, now_us=0)
    with pytest.raises(InvalidArgumentError, match="unknown modality"):
        mind.encode("x", "smell", 0.5, now_us=0)
    with pytest.raises(InvalidArgumentError, match="unknown role"):
        mind.encode("x", "verbal", 0.5, "boss", now_us=0)
    assert [] == mind.active(now_us=0)


def test_every_wrong_setting_is_named():
    with pytest.raises(UnitError, match=r"capacity.*decay_rate.*threshold"):
        WorkingMemory(8, 1.0, -1)
