"""Patterns of taste: one question per topic, so that a change of mind closes the old answer."""

from scrubjay.policies.consolidation.findings import Finding
from scrubjay.policies.consolidation.patterns_tastes import RULES, opposite_feeling


def findings(clause):
    for pattern, read in RULES:
        match = pattern.match(clause)
        if match and (found := list(read(match, "ada"))):
            return [(f.predicate, f.object) for f in found]
    return []


def test_b9_loving_and_hating_answer_the_same_question():
    assert [("feels_about:chinese food", "loves")] == findings("Ada loves Chinese food")
    assert [("feels_about:chinese food", "hates")] == findings("Ada hates Chinese food")


def test_the_form_of_a_report_is_one_question():
    assert [("prefers:weekly report", "PDF")] == findings("I prefer the weekly report as a PDF")
    assert [("prefers:weekly report", "chat message")] == findings(
        "I prefer the weekly report as a chat message"
    )


def test_a_verb_must_agree_with_its_subject():
    assert [] == findings("Sounds like fun")
    assert [] == findings("Moments like these")


def test_what_is_pointed_at_is_no_taste():
    assert [] == findings("I love the way it looks")
    assert [("feels_about:beatles", "loves")] == findings("I love the Beatles")


def test_the_opposite_of_a_feeling_is_a_feeling():
    feeling = opposite_feeling(Finding("ada", "feels_about:fish", "likes", negated=True))
    assert ("dislikes", False) == (feeling.object, feeling.negated)
