"""The rules of the house hold, and each of them can fail."""

import pytest

from tests.architecture import cpp_rules, python_rules, text_rules
from tests.architecture.rule import Rule, objections

RULES = (*python_rules.RULES, *cpp_rules.RULES, *text_rules.RULES)

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@each_rule
def test_source_tree_obeys(rule: Rule):
    assert [] == objections(rule)


@each_rule
def test_rule_refuses_its_bad_sample(rule: Rule):
    path, text = rule.bad
    assert rule.applies(path)
    assert [] != rule.scan(path, text)


@each_rule
def test_rule_accepts_its_good_sample(rule: Rule):
    assert [] == rule.scan(*rule.good)


def test_rules_have_names_of_their_own():
    names = [rule.name for rule in RULES]
    assert sorted(set(names)) == sorted(names)
