"""Patterns about people hold what they need and no more."""

import pytest

from scrubjay.policies.consolidation.patterns_people import RULES


def findings(clause):
    for pattern, read in RULES:
        match = pattern.match(clause)
        if match and (found := list(read(match, "ada"))):
            return [(f.predicate, f.object, f.negated) for f in found]
    return []


def test_moving_from_one_place_to_another_leaves_the_first():
    assert [("lives_in", "Oslo", False), ("lives_in", "Paris", True)] == findings(
        "I moved from Paris to Oslo"
    )


@pytest.mark.parametrize(
    "clause", ["I moved to a new team", "We moved to ClickHouse", "I moved on"]
)
def test_what_is_no_place_is_no_residence(clause):
    assert [] == findings(clause)


def test_leaving_an_employer_denies_it():
    assert [("works_at", "Acme", True)] == findings("I left Acme")
    assert [] == findings("I left early")


@pytest.mark.parametrize("clause", ["I am a winner", "I am a huge fan of tea", "I am over it"])
def test_not_every_noun_is_a_profession(clause):
    assert [] == findings(clause)


def test_only_a_name_is_a_name():
    assert [("name", "Ada", False)] == findings("my name is Ada")
    assert [] == findings("my name is on the list")
