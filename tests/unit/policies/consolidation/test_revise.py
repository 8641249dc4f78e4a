"""Revision: once per source, names written one way."""

from scrubjay.policies.consolidation.reflect import reflect
from scrubjay.policies.consolidation.revise import revise, timeline_keys


def beliefs(*rows):
    return reflect(rows, alone=True).beliefs


def test_one_row_says_one_thing_once(store, row):
    turn = row("user", "I live in Oslo. I live in Oslo.")
    assert 1 == len(revise(store, beliefs(turn)))


def test_b15_the_same_words_in_another_row_are_another_event(store, row):
    twice = beliefs(row("user", "I live in Oslo."), row("user", "I live in Oslo."))
    assert 2 == len(revise(store, twice))


def test_the_timelines_touched_are_named_once(row):
    found = beliefs(row("user", "I live in Oslo."), row("user", "I live in Rome. I use vim."))
    assert [("main", "user", "lives_in"), ("main", "user", "uses")] == timeline_keys(found)
