"""Doubt that stands beside a sentence stays with it."""

import pytest

from scrubjay.policies.consolidation.asides import without_asides
from scrubjay.policies.consolidation.reading import read_sentence
from scrubjay.policies.consolidation.rules import rule_in
from scrubjay.policies.consolidation.sentences import sentences_of

DOUBTED = [
    "I'm not sure but the queue uses Kafka.",
    "Not certain, but the queue uses Kafka.",
    "If I recall correctly, the queue uses Kafka.",
    "As far as I know, the queue uses Kafka.",
    "Apparently the queue uses Kafka.",
    "The queue uses Kafka, I think.",
    "The queue uses Kafka I suppose",
    "The queue uses Kafka, if I'm not mistaken!",
    "The queue uses Kafka (not sure).",
    "The queue uses Kafka - or so I heard.",
    "The queue uses Kafka. Not sure though.",
    "The queue uses Kafka. Don't quote me on that.",
    "The queue uses Kafka; I could be wrong.",
]


def _read(text: str) -> list[tuple[str, str, str, bool]]:
    return [
        (found.finding.subject, found.finding.predicate, found.finding.object, found.hedged)
        for sentence in sentences_of(text)
        for found in read_sentence(sentence, speaker="ann", event_us=0)
    ]


@pytest.mark.parametrize("text", DOUBTED)
def test_t8_doubt_cast_from_beside_a_sentence_hedges_it(text):
    assert [("queue", "uses", "Kafka", True)] == _read(text)


@pytest.mark.parametrize(
    "text",
    ["The queue uses Kafka.", "I am sure the queue uses Kafka.", "So, the queue uses Kafka."],
)
def test_a_sure_statement_has_no_aside(text):
    assert (text, False) == without_asides(text)


def test_doubt_reaches_back_one_sentence_and_no_further():
    assert [False, True] == [
        found[3] for found in _read("The api uses Redis. The queue uses Kafka. Not sure though.")
    ]


def test_a_doubted_rule_is_no_standing_rule():
    (sure,) = sentences_of("Always use tabs.")
    (doubted,) = sentences_of("Always use tabs, I guess.")
    assert (True, None) == (rule_in(sure) is not None, rule_in(doubted))
