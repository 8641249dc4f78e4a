"""Patterns about things: use, place, replacement."""

import pytest

from scrubjay.policies.consolidation.patterns_things import DATED_RULES, RULES


def findings(clause, rules=RULES):
    for pattern, read in rules:
        match = pattern.match(clause)
        if match and (found := list(read(match, "ada"))):
            return [(f.subject, f.predicate, f.object, f.negated) for f in found]
    return []


@pytest.mark.parametrize(
    "clause",
    [
        "The store migrated from PostgreSQL to ClickHouse",
        "The store was moved from PostgreSQL to ClickHouse",
        "We have migrated the store from PostgreSQL to ClickHouse",
        "We finally switched the store over from PostgreSQL to ClickHouse",
    ],
)
def test_a_replacement_is_read_however_it_is_told(clause):
    assert [
        ("store", "uses", "ClickHouse", False),
        ("store", "uses", "PostgreSQL", True),
    ] == findings(clause)


def test_replacing_one_with_another():
    assert [
        ("ada's team", "uses", "NATS", False),
        ("ada's team", "uses", "Redis", True),
    ] == findings("We replaced Redis with NATS")


def test_stopping_denies():
    assert [("ada's team", "uses", "Jenkins", True)] == findings("We stopped using Jenkins")


@pytest.mark.parametrize(
    "clause", ["I use my influence", "I moved from Paris to Oslo", "We dropped off the keys"]
)
def test_what_is_no_tool_is_not_used(clause):
    assert [] == findings(clause)


def test_an_expiry_keeps_its_date():
    assert [("licence", "expires_on", "2026-04-10", False)] == findings(
        "The licence expires on 2026-04-10", DATED_RULES
    )
